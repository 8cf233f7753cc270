"""How much of their group a player has played, and whether they may be struck from it.

Source: tournament rules, Points (withdrawn players).
"""

from dataclasses import dataclass

from rules.results import PlayerId, Winner
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry, MatchRow
from tournaments.models import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """Matches that a player has ``played`` in the open group stage; forfeits do not count."""

    stage: StageFacts
    group: str
    matches: tuple[MatchRow, ...]
    played: int
    total: int
    struck: bool
    left: bool

    @property
    def may_be_struck(self) -> bool:
        """Return whether the player may be struck now."""
        return self.left and not self.struck and 2 * self.played < self.total


def attendance_of(facts: EventFacts, entry: AnyEntry) -> Attendance | None:
    """Return a player's group matches, played and total; None outside an open group stage."""
    stage = facts.open_stage
    if stage is None or not stage.kind.all_meet:
        return None
    seats = stage.state.seats
    group = next((name for name, players in seats.items() if entry.number in players), None)
    if group is None:
        return None
    matches = tuple(match for match in stage.matches if entry.pk in match.seats)
    extra = {item.pk for item in stage.extra_rounds}
    there = sum(player is not None for player in seats[group])
    return Attendance(
        stage=stage,
        group=group,
        matches=matches,
        played=sum(_was_played(match) for match in matches if match.round_id not in extra),
        total=stage.stage.legs * (there - 1),
        struck=entry.number in stage.state.struck,
        left=entry.number in stage.state.withdrawn,
    )


def has_seat(facts: EventFacts, player: PlayerId) -> bool:
    """Return whether a player has a seat in a stage that has begun; no query."""
    return any(player in seats for stage in facts.stages for seats in stage.state.seats.values())


def _was_played(match: MatchRow) -> bool:
    """Return whether the result was reported, not set automatically."""
    decision = match.decision
    if decision is None or decision.winner == Winner.VOID:
        return False
    return decision.kind != Report.Kind.AUTOMATIC
