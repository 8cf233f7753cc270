"""Which matches of a stage have begun: those that change hands are played again, or void."""

from collections.abc import Iterator

from rules.corrections.fates import Key
from tournaments.core.event_state import StageFacts
from tournaments.core.rows import MatchRow, RoundRow
from tournaments.models import Match, Report, Round

STARTED = ("running", "paused")


def begun_matches(stage: StageFacts) -> Iterator[Key]:
    """Yield the keys of matches with a report by people, or in progress by the round's clock."""
    for index, item in enumerate(stage.regular_rounds):
        for match in stage.matches_of(item):
            if is_played(match) or is_running(item, match):
                yield index, match.number


def is_played(match: MatchRow) -> bool:
    """Return whether a match has a result or a report that people entered."""
    if match.decision is not None:
        return match.decision.kind != Report.Kind.AUTOMATIC
    return match.state in (Match.State.REPORTED, Match.State.DISPUTED)


def is_running(item: RoundRow, match: MatchRow) -> bool:
    """Return whether a match is going on: its round is published and its clock was started.

    A match that is to be played again does not run by the clock of its round.
    """
    clock = item.clock
    started = clock is not None and clock.state in STARTED and match.again is None
    return match.state == Match.State.OPEN and item.state == Round.State.PUBLISHED and started
