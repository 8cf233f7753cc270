"""An event that asks for lists, and the phone of one of its players."""

import pytest
from django.test import Client

from rules.matches.match_rules import Claim
from rules.results import MatchEnding
from tests import factories as make
from tests.browsers import by_link
from tests.tournaments.decklists.leaders import EXO, with_leader
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match


@pytest.fixture
def event(by: Actor) -> Event:
    return make.open_event(by, format="creatures-of-exo", decklists="required")


@pytest.fixture
def phone(ada: Entry, by: Actor) -> Client:
    """Return the browser of the first player, in English."""
    return by_link(ada, by)


@pytest.fixture
def ended(by: Actor) -> Event:
    """Return a finished event of three; a wins each match, the first of them by a forfeit."""
    event = make.started(by, 3, **EXO)
    with_leader(event, by, {1: "Vampa", 2: "Vampa", 3: "Brina"})

    def claims(match: Match, _index: int) -> Claim:
        if {player.number for player in match.players} == {2, 3}:
            return Claim(winner="a", ended_by=MatchEnding.NO_SHOW)
        return make.a_wins(match)

    return make.play_event(event, by, claims)
