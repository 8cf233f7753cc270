"""A player's penalties as their own page tells them, without the note, and who else sees each."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from rules.criteria.points import FEWEST_PENALTIES
from rules.results import SEAT_WINNERS, EndedBy
from tournaments.core.event_state import EventFacts
from tournaments.core.rows import AnyEntry, MatchRow
from tournaments.models import Entry, Match, Penalty
from tournaments.penalties.selectors import TONES
from tournaments.personal.selectors.own_matches import matches_of

Level = Penalty.Level


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPenalty:
    """A penalty as its player sees it. ``round`` is numbered through the event, 0 if none.

    ``seen`` says who else sees it, or what comes of it.
    """

    level: str
    tone: str
    infraction: str
    round: int
    at: datetime
    seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPenalties:
    """A player's penalties, the latest first; ``counted``: standings tell everybody how many."""

    rows: tuple[OwnPenalty, ...]
    counted: bool


def own_penalties(facts: EventFacts, entry: AnyEntry, found: Iterable[Penalty]) -> OwnPenalties:
    """Return penalties as their player sees them; no query with their rounds."""
    matches = {match.pk: match for _stage, match in matches_of(facts, entry)}
    rows = tuple(
        OwnPenalty(
            level=penalty.get_level_display(),
            tone=TONES[Level(penalty.level)],
            infraction=penalty.infraction,
            round=penalty.round.ordinal if penalty.round else 0,
            at=penalty.at,
            seen=_seen(penalty, entry, matches.get(penalty.match_id or 0)),
        )
        for penalty in found
    )
    return OwnPenalties(rows=rows, counted=FEWEST_PENALTIES.key in facts.event.criteria)


def _seen(penalty: Penalty, entry: AnyEntry, match: MatchRow | None) -> str:
    """Return who beside the staff sees a penalty, or what comes of it, as a sentence."""
    if penalty.level == Level.DISQUALIFICATION and entry.status == Entry.Status.DISQUALIFIED:
        return _("Everybody sees that you are disqualified, never why.")
    if penalty.level == Level.DISQUALIFICATION:
        return _("Lifted: it holds no more.")
    if penalty.level == Level.MATCH_LOSS and match is not None and _lost_by_it(entry, match):
        return _("Everybody sees that you lost the match by a penalty, never what for.")
    if penalty.level == Level.GAME_LOSS and match is not None and match.size == 2:
        if match.state == Match.State.FINAL:
            return _("Everybody sees the result of the match, never this penalty.")
        return _("Your opponent reads that a game is theirs by decision of the staff, never why.")
    return _("Nobody but you and the staff sees it.")


def _lost_by_it(entry: AnyEntry, match: MatchRow) -> bool:
    """Return whether a match counts as lost by a penalty of the player."""
    decision = match.decision if match.state == Match.State.FINAL else None
    if (
        decision is None
        or decision.ended_by != EndedBy.PENALTY
        or decision.winner not in SEAT_WINNERS
    ):
        return False
    return match.seats[SEAT_WINNERS.index(decision.winner)] != entry.pk
