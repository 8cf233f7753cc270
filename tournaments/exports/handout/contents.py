"""What the sheet of the result tells: the event, the podium, and a row of figures a player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from config.ui_dates import in_words
from config.wording import translate
from decks.formats.selectors import format_labels
from rules.criteria import CRITERIA
from rules.criteria.base import Criterion
from rules.criteria.of_tables import TABLE_CRITERIA, criterion_of
from rules.results import PlayerId
from rules.scenarios.final_places import FinalPlaces
from rules.stages.kind import is_of_tables
from tournaments.core.event_state import EventFacts
from tournaments.core.kept_places import kept_in_words
from tournaments.core.labels import rank_figure, shown_record
from tournaments.exports.handout.exits import exits, lowered
from tournaments.models import Stage
from tournaments.standings.selectors.ranking import (
    counted_words,
    figures_of,
    players_in_order,
    ranking_page,
    records,
    seated_in,
    tables_begun,
)

PLACE, NAME, TEXT, RECORD, NUMBER, SHARE, MAIN = (
    *("place", "name", "text", "record", "number", "share", "main"),
)
WON, ON = "won", "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A column: ``label`` as the page has it, and the number format or look of its cells."""

    key: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A player's row. ``look`` is WON, ON for those who got to the last stage, or "".

    ``shared`` are the keys of the columns in which its rank is one that others have too.
    ``cut`` is set for the last of those, if all of them stand above the others.
    """

    values: tuple[int | str | Fraction | None, ...]
    look: str
    shared: frozenset[str]
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """A player on the podium; ``shared``: others have the same rank."""

    rank: int
    shared: bool
    name: str
    club: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The content of the first sheet.

    ``legend`` says who plays against the standings, and from which stage the figures are.
    """

    title: str
    when_where: str
    game: str
    formula: str
    podium: tuple[Winner, ...]
    heads: tuple[Head, ...]
    lines: tuple[Line, ...]
    legend: str


def result_of(facts: EventFacts) -> Result:
    """Return the content of the first sheet, final or as of now; at most two queries."""
    event = facts.event
    when = in_words(event.starts_at.astimezone(event.zone), "date")
    playing = facts.plan.players if facts.plan else len(facts.entries)
    players = ngettext("%(number)s player", "%(number)s players", playing) % {"number": playing}
    ranking = ranking_page(facts)
    heads, lines = _table(facts, over=not ranking.still_in)
    return Result(
        title=event.name,
        when_where=" · ".join(filter(None, (when, event.venue))),
        game=" · ".join((format_labels([event.format])[event.format], players)),
        formula=", ".join(_stages(facts)),
        podium=tuple(
            Winner(
                rank=row.rank,
                shared=row.shared,
                name=row.entry.display_name,
                club=row.entry.club,
            )
            for row in ranking.podium[:4]
        ),
        heads=heads,
        lines=lines,
        legend=" ".join(filter(None, (*kept_in_words(facts), _legend(facts, heads)))),
    )


def _stages(facts: EventFacts) -> Iterator[str]:
    for stage in facts.stages:
        label = translate(stage.plan.label)
        yield lowered(label)
        if stage.kind.pairs_by_points:
            rounds = stage.total_rounds
            yield ngettext("%(number)s round", "%(number)s rounds", rounds) % {"number": rounds}


def _table(facts: EventFacts, *, over: bool) -> tuple[tuple[Head, ...], tuple[Line, ...]]:
    found, shown = figures_of(facts)
    made = records(facts) if _counts_whole_event(facts) else {}
    out = exits(facts)
    order = players_in_order(facts, found)
    heads = [
        Head(key="rank", label=pgettext("short", "Rank"), kind=PLACE),
        Head(key="name", label=_("Player"), kind=NAME),
        Head(key="club", label=_("Club"), kind=TEXT),
        Head(key="record", label=_("W–L–D"), kind=RECORD),
        *(
            Head(key=one.key, label=translate(one.short), kind=_kind(one, first=at == 0))
            for at, one in enumerate(shown)
        ),
        Head(key="before", label=_before(facts), kind=NUMBER),
        Head(key="out", label=pgettext("of a tournament", "Out"), kind=TEXT),
    ]
    last = _last_players(facts)
    rows = []
    for place, entry in order:
        own = found.get(entry.number)
        before = own.rank if own and heads[-2].label else None
        values = (
            _rank_cell(place),
            entry.display_name,
            entry.club,
            shown_record(made.get(entry.number, own.record)) if own else "",
            *(own.values.get(one.key) if own else None for one in shown),
            _rank_cell(before),
            out.get(entry.number, ""),
        )
        won = place is not None and place.first == 1 and own is not None and len(order) > 1 and over
        ranks = {"rank": place, "before": before}
        shared = frozenset(key for key, one in ranks.items() if one and one.shared)
        rows.append((values, WON if won else ON if entry.number in last else "", shared))
    looks = [bool(look) for _values, look, _shared in rows]
    clean = any(looks) and not all(looks) and looks == sorted(looks, reverse=True)
    cut = sum(looks) - 1 if clean and last else -1
    lines = [
        Line(values=v, look=look, shared=shared, cut=at == cut)
        for at, (v, look, shared) in enumerate(rows)
    ]
    return _without_empty(heads, lines)


def _counts_whole_event(facts: EventFacts) -> bool:
    """Return whether records are those of the whole event, as on the page of final standings."""
    return sum(one.stage.state != Stage.State.PENDING for one in facts.stages) > 1


def _rank_cell(places: FinalPlaces | None) -> int | str | None:
    """Return a rank as a number, to sort by; in words while it is open."""
    if places is None or places.one:
        return places and places.first
    return rank_figure(places.first, places.last)


def _without_empty(
    heads: Sequence[Head], lines: Sequence[Line]
) -> tuple[tuple[Head, ...], tuple[Line, ...]]:
    """Leave out columns that are empty for all, but for those of places and names."""
    kept = [
        at
        for at, head in enumerate(heads)
        if head.key in ("rank", "name") or any(line.values[at] not in ("", None) for line in lines)
    ]
    return tuple(heads[at] for at in kept), tuple(
        replace(line, values=tuple(line.values[at] for at in kept)) for line in lines
    )


def _kind(criterion: Criterion, *, first: bool) -> str:
    if criterion.percentage:
        return SHARE
    return MAIN if first else NUMBER


def _before(facts: EventFacts) -> str:
    """Return the head of the column with the ranks in the only table; "" if it says nothing."""
    stages = tables_begun(facts)
    more = facts.plan is not None and len(facts.plan.stages) > 1
    if len(stages) != 1 or not more or len(stages[0].plan.groups) > 1:
        return ""
    if not facts.ranking:
        return ""  # then the first column has them
    if is_of_tables(stages[0].plan):
        return _("Tables")
    return (
        pgettext("short", "Swiss") if stages[0].kind.pairs_by_points else pgettext("short", "Group")
    )


def _last_players(facts: EventFacts) -> frozenset[PlayerId]:
    """Return the players of the last stage of three or more; none if it was the first."""
    for stage in reversed(facts.stages):
        if len(players := seated_in(stage)) > 2:
            return frozenset(players if stage.stage.number > 1 else ())
    return frozenset()


def _legend(facts: EventFacts, heads: Sequence[Head]) -> str:
    if not tables_begun(facts):
        return ""
    whole = _counts_whole_event(facts)
    kinds = (*(() if whole else (RECORD,)), NUMBER, SHARE, MAIN)
    figures = [_with_full_name(head) for head in heads if head.kind in kinds]
    own = [words for words in figures if words and words != _before(facts)]
    if len(facts.stages) == 1:
        return f"{', '.join(own)}."
    found = counted_words(facts, ", ".join(own)) if own else ""
    if whole:
        record = next(_with_full_name(head) for head in heads if head.kind == RECORD)
        over = _("%(column)s: over the whole event.") % {"column": record}
        found = f"{over} {found}".strip()
    if before := _before(facts):
        more = _("%(column)s: rank after it.") % {"column": before}
        found = f"{found} {more}"
    return found


def _with_full_name(head: Head) -> str:
    """Return a column with its full name in brackets."""
    if head.key == "record":
        won = _("won, lost, drawn")
        return f"{head.label} ({won})"
    if head.key not in CRITERIA and head.key not in TABLE_CRITERIA:
        return head.label
    full = translate(criterion_of(head.key).label)
    return head.label if full == head.label else f"{head.label} ({lowered(full)})"
