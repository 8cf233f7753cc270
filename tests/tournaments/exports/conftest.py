"""An event with lists, some of whose rounds are played."""

import pytest

from tests import factories as make


@pytest.fixture
def played(by):
    """Return the event and its organiser."""
    return make.halfway(by, 12, decklists="required"), by
