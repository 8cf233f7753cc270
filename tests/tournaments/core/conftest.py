"""What the tests of held facts share."""

import pytest

from tests import factories as make
from tournaments.core import held_facts
from tournaments.core.held_facts import FactsStore
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.results.services.results import enter_result


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> FactsStore:
    """Return the facts that this process holds: none at the beginning."""
    made = FactsStore()
    monkeypatch.setattr(held_facts, "store", made)
    return made


def enter(event: Event, by: Actor, score: tuple[int, int] = (40, 10)) -> Match:
    """Enter the result of the first table that has none, and return the match."""
    match = Match.objects.filter(round__event=event, state="open").order_by("number")[0]
    claim = make.Claim(score=score)
    enter_result(match=match, version=match.version, claim=claim, reason="", by=by)
    return match
