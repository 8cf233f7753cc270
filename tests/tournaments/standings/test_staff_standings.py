"""The standings as the staff sees them: under its own navigation."""

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url

pytestmark = pytest.mark.django_db


def test_the_staffs_standings_keep_their_navigation(by):
    event = make.halfway(by, 8, formula="swiss-cut", format="creatures-of-exo")
    own = text(signed_in(by).get(url("standings", event)))
    everybody = text(signed_in(make.organiser()).get(url("standings", event)))
    assert "staff-head" in own
    assert 'class="hero' not in own
    assert "staff-head" not in everybody
    assert 'class="hero' in everybody
