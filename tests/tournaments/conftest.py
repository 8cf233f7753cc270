"""What tests of events share; each module says what its ``event`` is."""

import pytest

from tests import factories as make
from tournaments.models import Event
from tournaments.permissions import Actor


@pytest.fixture
def judge(event: Event) -> Actor:
    """Return a judge of the module's event."""
    return make.staff(event)
