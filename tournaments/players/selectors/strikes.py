"""Whether a player who left a group early may be struck, and what that would change.

Source: tournament rules, Points (withdrawn players).
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.results import Winner
from rules.stages.base import with_struck
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, place_label
from tournaments.core.rows import AnyEntry, MatchRow
from tournaments.matches.words import with_names
from tournaments.models import Report
from tournaments.results.selectors.effects import effects_of
from tournaments.standings.selectors.rank_moves import RankMove


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
        """Say whether the player may be struck now."""
        return self.left and not self.struck and 2 * self.played < self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikePage:
    """Effects of a strike: the matches that become void, and changed ranks and places."""

    attendance: Attendance
    group: str
    matches: tuple[tuple[str, str], ...]
    moves: tuple[RankMove, ...]
    places: tuple[tuple[str, str, str], ...]


def attendance_of(facts: EventFacts, entry: AnyEntry) -> Attendance | None:
    """Return how much of their group a player has played, None outside an open group stage."""
    stage = facts.open_stage
    if stage is None or not stage.kind.all_meet:
        return None
    seats = stage.state.seats
    group = next((name for name, players in seats.items() if entry.number in players), None)
    if group is None:
        return None
    matches = tuple(match for match in stage.matches if entry.pk in (match.a_id, match.b_id))
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


def strike_page(facts: EventFacts, entry: AnyEntry) -> StrikePage | None:
    """Return the effects of striking a player, or the struck matches; no query but the facts'."""
    found = attendance_of(facts, entry)
    if found is None:
        return None
    stage, by_key = found.stage, {one.pk: one for one in facts.entries.values()}
    effects = effects_of(facts, stage, with_struck(stage.state, entry.number))
    ordinals = {item.pk: item.ordinal for item in stage.rounds}

    def told(match: MatchRow) -> str:
        a, b = str(by_key[match.a_id]), str(by_key[match.b_id or 0])
        result = with_names(match.decision, a, b) if match.decision else _("no result yet")
        return f"{a} – {b}: {result}"

    def holder(number: object) -> str:
        return _("nobody yet") if number is None else str(facts.entries[number])  # type: ignore[index]

    return StrikePage(
        attendance=found,
        group=group_label(stage.plan, found.group),
        matches=tuple(
            (_("Round %(number)s") % {"number": ordinals[match.round_id]}, told(match))
            for match in found.matches
        ),
        moves=tuple(
            RankMove(name=str(facts.entries[move.number]), before=move.before, after=move.after)
            for move in effects.moves
        ),
        places=tuple(
            (place_label(change.place), holder(change.before), holder(change.after))
            for change in effects.places
        ),
    )


def _was_played(match: MatchRow) -> bool:
    """Say whether the result was reported, not set automatically."""
    decision = match.decision
    if decision is None or decision.winner == Winner.VOID:
        return False
    return decision.kind != Report.Kind.AUTOMATIC
