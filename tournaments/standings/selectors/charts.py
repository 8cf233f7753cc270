"""A group's results as a cross-table, and its ranks round by round as a chart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import permutations

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from rules.results import PlayerId, Result
from rules.standings.recent import Mark, mark_of
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import games_as_read
from tournaments.core.names import shortened_name
from tournaments.core.rows import EntryRow
from tournaments.core.told_ranks import rank_figure
from tournaments.standings.selectors.round_standings import of_rounds, ranks_after, whole_rounds

MOST_CROSSED = 8
MOST_LINES = 8
"""Most players whose ranks are drawn: those above the cut."""
STEP, ROW, TOP, LEFT, NAMES = 56, 22, 30, 16, 150
LONGEST_NAME = 19


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Results of two players against each other, seen by the first; ``own`` on the diagonal."""

    marks: tuple[Mark, ...]
    words: str
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow:
    """A player of a cross-table with a cell for every player."""

    rank: int
    entry: EntryRow
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """All players of a group against all, in the order of the standings."""

    rows: tuple[CrossRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChart:
    """Ranks after each round: the drawing, and the same as rows of a table."""

    drawn: SafeString
    rounds: tuple[int, ...]
    rows: tuple[tuple[EntryRow, tuple[str, ...]], ...]


def cross_table(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> CrossTable | None:
    """Return the cross-table of a group in which all meet, None of a large one; no query."""
    if not stage.kind.all_meet or not 2 < len(standings.rows) <= MOST_CROSSED:
        return None
    met: dict[tuple[PlayerId, PlayerId], list[tuple[int, Result]]] = {}
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        for pairing, result in made:
            if pairing.group == group:
                for pair in permutations(pairing.seats, 2):
                    met.setdefault(pair, []).append((item.ordinal, result))
    order = [row.player for row in standings.rows]
    return CrossTable(
        rows=tuple(
            CrossRow(
                rank=row.rank,
                entry=facts.entries[row.player],
                cells=tuple(
                    _cell(row.player, met.get((row.player, other), ()), own=row.player == other)
                    for other in order
                ),
            )
            for row in standings.rows
        )
    )


def _cell(player: PlayerId, met: Sequence[tuple[int, Result]], *, own: bool) -> Cell:
    marks, words = [], []
    for ordinal, result in met:
        mark = mark_of(result, player)
        if mark is not None:
            marks.append(mark)
        if not result.is_played:
            words.append(_("round %(number)s") % {"number": ordinal})
        elif pair := result.score or (result.games_won and games_as_read(result.games_won)):
            first, second = pair if result.seats[0] == player else pair[::-1]
            words.append(f"{first}–{second}")
    return Cell(marks=tuple(marks), words=", ".join(words), own=own)


def race_of(facts: EventFacts, stage: StageFacts, group: str) -> RankChart | None:
    """Return the chart of a group's ranks after each complete round, None before the second.

    Made once for these rounds, whatever results come later. No query.
    """
    rounds = whole_rounds(stage)
    if rounds < 2 or not stage.kind.has_table:
        return None
    return of_rounds(
        facts, stage, rounds, ("race", group), lambda: _rank_chart(facts, stage, group, rounds)
    )


def _rank_chart(facts: EventFacts, stage: StageFacts, group: str, rounds: int) -> RankChart:
    ranks = [ranks_after(facts, stage, number)[group] for number in range(1, rounds + 1)]
    order = sorted(ranks[-1], key=lambda player: ranks[-1][player])[:MOST_LINES]
    ordinals = tuple(item.ordinal for item in stage.regular_rounds[:rounds])
    rows = tuple((facts.entries[one], tuple(each[one] for each in ranks)) for one in order)
    many = [Counter(each.values()) for each in ranks]
    figures = tuple(
        tuple(rank_figure(at, shared=held[at] > 1) for at, held in zip(own, many, strict=True))
        for _entry, own in rows
    )
    return RankChart(
        drawn=_chart_svg(rows, [own[-1] for own in figures], ordinals),
        rounds=ordinals,
        rows=tuple((entry, own) for (entry, _own), own in zip(rows, figures, strict=True)),
    )


def _chart_svg(
    rows: tuple[tuple[EntryRow, tuple[int, ...]], ...],
    last: Sequence[str],
    ordinals: tuple[int, ...],
) -> SafeString:
    """Return the lines as SVG with the ``last`` ranks; those below the ones drawn on its floor."""
    floor = len(rows) + 1
    wide, high = LEFT * 2 + STEP * (len(ordinals) - 1) + NAMES, TOP + ROW * floor + 6
    heads = "".join(
        f'<text x="{LEFT + STEP * at}" y="14" text-anchor="middle">{ordinal}</text>'
        f'<path d="M{LEFT + STEP * at} {TOP - 8}V{high - 6}"/>'
        for at, ordinal in enumerate(ordinals)
    )
    lines = []
    for place, ((entry, ranks), figure) in enumerate(zip(rows, last, strict=True), start=1):
        points = [(LEFT + STEP * at, _height(rank, floor)) for at, rank in enumerate(ranks)]
        x, y = points[-1][0], TOP + ROW * (place - 1)
        drawn = " ".join(f"{one},{other}" for one, other in (*points[:-1], (x, y)))
        dots = "".join(
            f'<circle cx="{one}" cy="{other}" r="3"/>' for one, other in (*points[:-1], (x, y))
        )
        name = escape(shortened_name(entry, LONGEST_NAME))
        lines.append(
            f'<g data-n="{entry.number}"><polyline points="{drawn}"/>{dots}'
            f'<text x="{x + 10}" y="{y + 4}">{figure} {name}</text></g>'
        )
    box = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    drawn = f'<g class="rounds">{heads}</g>{"".join(lines)}'
    return SafeString(f'<svg class="race" {box} aria-hidden="true">{drawn}</svg>')


def _height(rank: int, floor: int) -> int:
    return TOP + ROW * (min(rank, floor) - 1)
