"""Penalties for the staff, and the graver one that is proposed after earlier ones.

What their player reads is in ``personal.selectors.player.own_penalties``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from rules.events.penalties import PastPenalty, propose_upgrade
from rules.people.person_names import join_names
from rules.results import SEAT_WINNERS, MatchEnding, Winner
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.models import Entry, Event, Match, Penalty

Level = Penalty.Level
TONES = {
    Level.CAUTION: "neutral",
    Level.WARNING: "warn",
    Level.GAME_LOSS: "bad",
    Level.MATCH_LOSS: "bad",
    Level.DISQUALIFICATION: "bad",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyRow:
    """A penalty, for display to staff.

    ``level``: label; ``tone``: its colour; ``round``: ordinal, 0 for none; ``count``: how many
    penalties the player had by then, this one included.
    """

    penalty: Penalty
    level: str
    tone: str
    round: int
    count: int


def penalty_message(penalty: Penalty) -> tuple[str, Match | None]:
    """Return (message that confirms a penalty, match to correct or None).

    The match is one that has a result already, which this match loss has not changed.
    """
    words = f"{penalty.entry.name}: {penalty.get_level_display()}"
    match = penalty.match
    if penalty.level != Level.MATCH_LOSS or match is None or match.decision is None:
        return words, None
    if is_match_loss(penalty):
        others = join_names([player for player in match.players if player.pk != penalty.entry_id])
        won = _("%(name)s wins") % {"name": others}
        return f"{words} · {won}", None
    if match.size == 1:
        return words, None
    asked = _("The match already has a result. Correct it if the player should lose.")
    return f"{words}. {asked}", match


def is_match_loss(penalty: Penalty) -> bool:
    """Return whether a player lost the match because of this penalty."""
    match = penalty.match
    if match is None or match.decision is None or match.decision.ended_by != MatchEnding.PENALTY:
        return False
    winner = Winner(match.decision.winner)
    if penalty.level != Level.MATCH_LOSS or winner not in SEAT_WINNERS:
        return False
    return match.seats[SEAT_WINNERS.index(winner)] != penalty.entry_id


def penalty_rows(event: Event) -> tuple[PenaltyRow, ...]:
    """Return all penalties of an event for its staff, latest first; one query."""
    return _rows(event.penalties.all())


def penalties_of_players(players: Iterable[Entry | None], event: Event) -> tuple[PenaltyRow, ...]:
    """Return the penalties of these players in an event, latest first; one query.

    None among ``players`` is ignored.
    """
    return _rows(event.penalties.filter(entry__in=[entry for entry in players if entry]))


def propose_penalty(
    entry: Entry, level: str, infraction: str, *, disqualifies: bool
) -> dict[str, Any] | None:
    """Return a more severe penalty than ``level`` for repeated infractions, else None.

    The dict has ``level``, ``label`` and ``because`` (rows of earlier penalties). ``disqualifies``:
    whether the acting judge may disqualify. One query.
    """
    rows = tuple(reversed(_rows(entry.penalties.all())))
    past = [PastPenalty(row.penalty.level, row.penalty.infraction) for row in rows]
    highest = Level.DISQUALIFICATION if disqualifies else Level.MATCH_LOSS
    found = propose_upgrade(past, level, infraction, highest=highest)
    if found is None:
        return None
    return {
        "level": found.level,
        "label": str(Level(found.level).label),
        "because": tuple(rows[at] for at in found.because),
    }


def _rows(found: QuerySet[Penalty]) -> tuple[PenaltyRow, ...]:
    seen: dict[int, int] = {}
    rows = []
    penalties = tuple(found.select_related("entry", "round", "by", "event").order_by("pk"))
    if penalties:
        marks = load_name_marks(penalties[0].event)
        attach_name_marks((penalty.entry for penalty in penalties), marks)
    for penalty in penalties:
        seen[penalty.entry_id] = seen.get(penalty.entry_id, 0) + 1
        rows.append(
            PenaltyRow(
                penalty=penalty,
                level=penalty.get_level_display(),
                tone=TONES[Level(penalty.level)],
                round=penalty.round.ordinal if penalty.round else 0,
                count=seen[penalty.entry_id],
            )
        )
    return tuple(reversed(rows))
