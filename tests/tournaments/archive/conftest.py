"""An event with everything that an archive may hold."""

import pytest

from tests import factories as make
from tests.tournaments.archive.documents import FORMAT
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.players.services import departures
from tournaments.players.services.entries import make_link


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event that is played: staff, an account among the players, a link, a penalty."""
    event = make.stage_played(by, 5, formula="single-group", format=FORMAT, decklists="required")
    make.staff(event, "judge")
    first = event.entries.get(number=1)
    first.user = make.user("player@example.org", name="Ada Rossi")
    first.save()
    make_link(entry=first, by=by)
    departures.withdraw(entry=event.entries.get(number=5), reason="Treno", by=by)
    return Event.objects.get(pk=event.pk)
