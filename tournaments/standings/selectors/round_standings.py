"""Standings after earlier rounds, cached while results of later rounds come in.

No function here queries the database.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TypeVar

from rules.advancement.outcome import outcome
from rules.results import PlayerId
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import points_of
from tournaments.core.values_cache import cached, cached_while_same
from tournaments.models import Match

Made = TypeVar("Made")


def standings_after(facts: EventFacts, stage: StageFacts, rounds: int) -> Mapping[str, Standings]:
    """Return the standings of each group after the first ``rounds`` of a stage; no query."""
    if rounds >= len(stage.state.rounds):
        return stage.outcome.standings

    def make() -> Mapping[str, Standings]:
        found = outcome(
            replace(stage.state, rounds=stage.state.rounds[:rounds], extra=()),
            criteria=tuple(stage.event.criteria),
            points=points_of(stage.event),
            lots=(),
            used=stage.used,
            penalties=stage.penalties,
        )
        return dict(found.standings)

    return of_rounds(facts, stage, rounds, "standings", make)


def of_rounds(
    facts: EventFacts, stage: StageFacts, rounds: int, key: Hashable, make: Callable[[], Made]
) -> Made:
    """Return the value of ``make`` for the first ``rounds`` of a stage, computed once.

    The value may depend on these rounds, and on data that no result changes. It is passed on to the
    facts after later results (``facts_cache.CARRIED_OVER``) and recomputed once the rounds differ.
    """
    given: tuple[object, ...] = stage.state.rounds[:rounds]
    if rounds >= len(stage.state.rounds):
        given = (*given, *stage.state.extra)
    return cached_while_same(facts, (stage.stage.pk, rounds, key), given, make)


def ranks_after(
    facts: EventFacts, stage: StageFacts, rounds: int
) -> Mapping[str, Mapping[PlayerId, int]]:
    """Return every player's rank after the first ``rounds`` of a stage, by group; no query."""

    def make() -> Mapping[str, Mapping[PlayerId, int]]:
        return {
            group: {row.player: row.rank for row in standings.rows}
            for group, standings in standings_after(facts, stage, rounds).items()
        }

    whole = rounds >= len(stage.state.rounds)
    return make() if whole else of_rounds(facts, stage, rounds, "ranks", make)


def whole_rounds(stage: StageFacts) -> int:
    """Return the number of rounds from the first on that have all results; cached by stage."""
    return cached(stage, "whole", lambda: _whole_rounds(stage))


def _whole_rounds(stage: StageFacts) -> int:
    final = Match.State.FINAL
    for index, item in enumerate(stage.regular_rounds):
        missing = any(match.state != final for match in stage.matches_of(item))
        if missing or item.pk in stage.held:
            return index
    return len(stage.regular_rounds)


def rounds_with_results(stage: StageFacts) -> int:
    """Return the number of the latest round with a result that counts, 0 without any."""
    rounds = stage.state.rounds
    for number in range(len(rounds), 0, -1):
        if any(result.counts and len(result.seats) > 1 for _pairing, result in rounds[number - 1]):
            return number
    return 0
