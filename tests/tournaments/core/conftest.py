"""What the tests of cached facts share."""

import pytest

from tests import factories as make
from tournaments.core import facts_cache
from tournaments.core.facts_cache import FactsCache
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.results.services.results import enter_result


@pytest.fixture
def cached_facts(monkeypatch: pytest.MonkeyPatch) -> FactsCache:
    """Return an empty cache of facts in place of that of the process."""
    made = FactsCache()
    monkeypatch.setattr(facts_cache, "cached_facts", made)
    return made


def enter(event: Event, by: Actor, score: tuple[int, int] = (40, 10)) -> Match:
    """Enter the result of the first table that has none, and return the match."""
    match = Match.objects.filter(round__event=event, state="open").order_by("number")[0]
    claim = make.Claim(score=score)
    enter_result(match=match, version=match.version, claim=claim, reason="", by=by)
    return match
