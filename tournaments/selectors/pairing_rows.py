"""The rows of a round: its tables, and its players by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType

from django.utils.translation import gettext as _

from rules.results import EndedBy, PlayerId, Winner
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import final_label, group_in_round
from tournaments.models import Entry, Match, Round
from tournaments.selectors.match import ended_by_whom

Leaders = Mapping[int, str]
"""The Leader of each entry by its key, where everybody may see it."""
NO_LEADERS: Leaders = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two who play. ``points`` before the round, None where they do not count."""

    entry: Entry
    points: int | None
    won: bool
    leader: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A match: without ``b`` a bye, without ``table`` nothing is played.

    ``name`` tells the final from the match for third place, which share a round.
    ``extra`` are minutes that it may play longer, while it plays; ``rulings`` what a judge ruled.
    """

    table: int | None
    group: str
    name: str
    a: Side
    b: Side | None
    result: str
    tone: str
    is_final: bool
    best_of: int
    extra: int
    rulings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """A player, where they sit and against whom: each match makes two of them."""

    entry: Entry
    table: int | None
    opponent: Entry | None
    result: str
    leader: str = ""
    opponents_leader: str = ""


def result_words(match: Match, names: tuple[str, str]) -> tuple[str, str]:
    """Return what is known of a match in words, and the tone to show it in."""
    decision = match.decision
    if match.state == Match.State.REPORTED:
        return _("reported, not confirmed yet"), "warn"
    if decision is None or match.state != Match.State.FINAL:
        return (_("a judge decides"), "warn") if match.state == Match.State.DISPUTED else ("", "")
    if decision.ended_by == EndedBy.BYE:
        return _("bye"), ""
    if decision.winner == Winner.NONE:
        return _("both lose"), ""
    if decision.winner == Winner.VOID:
        return _("does not count"), ""
    return ended_by_whom(decision, *names), ""


def table_row(
    stage: StageFacts,
    item: Round,
    match: Match,
    entries: dict[int, Entry],
    points: dict[PlayerId, int],
    leaders: Leaders,
    rulings: tuple[str, ...],
) -> TableRow:
    """Return the row of a match; entries by key, points before the round by number."""
    names = str(entries[match.a_id]), str(entries[match.b_id]) if match.b_id else ""
    words, tone = result_words(match, names)
    group = next(group for group in stage.groups if group.pk == match.group_id)
    decision = match.decision if match.state == Match.State.FINAL else None
    winner = decision.winner if decision else ""

    def side(key: int, won: Winner) -> Side:
        entry = entries[key]
        return Side(
            entry=entry,
            points=points.get(entry.number),
            won=winner == won,
            leader=leaders.get(key, ""),
        )

    return TableRow(
        table=match.table,
        group=group_in_round(stage, item, match, group.name),
        name=final_label(stage.plan, match.number),
        a=side(match.a_id, Winner.A),
        b=side(match.b_id, Winner.B) if match.b_id else None,
        result=words,
        tone=tone,
        is_final=match.state == Match.State.FINAL,
        best_of=match.best_of,
        extra=0 if match.state == Match.State.FINAL else match.extra_minutes,
        rulings=rulings,
    )


def name_rows(tables: tuple[TableRow, ...]) -> tuple[NameRow, ...]:
    """Return the players at these tables in the order of their names."""
    rows = []
    for row in tables:
        sides = [row.a, row.b] if row.b else [row.a]
        for side in sides:
            other = next((each for each in sides if each is not side), None)
            rows.append(
                NameRow(
                    entry=side.entry,
                    table=row.table,
                    opponent=other.entry if other else None,
                    result=row.result,
                    leader=side.leader,
                    opponents_leader=other.leader if other else "",
                )
            )
    return tuple(sorted(rows, key=attrgetter("entry.name_key", "entry.number")))
