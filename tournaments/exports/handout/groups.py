"""The tables of groups side by side, each with where its players advance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.base import Criterion
from rules.criteria.of_tables import find_criterion
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import format_rank, group_label, shared_ranks
from tournaments.diagrams.selectors.brackets import bracket_columns, diagram_players
from tournaments.exports.handout.contents import lowercase_first_letter
from tournaments.exports.handout.grid import (
    GOLDEN,
    HEAD,
    PALE,
    QUIET,
    THIN,
    GridWriter,
    Look,
    Value,
    text_width,
)
from tournaments.models import Stage
from tournaments.stages.selectors import next_stages
from tournaments.standings.selectors.rank_details import cut_line_text

BESIDE, FEWER = 3, 2
"""Tables that stand beside each other, and where names are long."""
SHORTEST, SHORT = 70, 110
"""Pixels of a name beside which there is room for two figures, and of one that is not long."""
GAP = 12
ROW = 14  # points
SMALL, LEAST = 8.5, 7
RANK, FIGURE, WHERE = 20, 32, 66  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTable:
    """A small table of the result sheet.

    ``heads``: (title, width in pixels, 0 for the remaining width); ``looks``: fill colours of rows,
    "" for none.
    """

    title: str
    heads: tuple[tuple[str, float], ...]
    rows: tuple[tuple[Value, ...], ...]
    looks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSection:
    """Small tables of one or more stages, ``beside`` of them side by side.

    ``wide``: width in pixels.
    """

    label: str
    note: str
    blocks: tuple[SmallTable, ...]
    wide: float
    beside: int

    @property
    def _lines(self) -> list[tuple[SmallTable, ...]]:
        return [
            self.blocks[at : at + self.beside] for at in range(0, len(self.blocks), self.beside)
        ]

    @property
    def height(self) -> float:
        """Return the height in points."""
        rows = sum(2 + max(len(block.rows) for block in line) for line in self._lines)
        return 20 + rows * ROW + len(self._lines) * 6

    def _places(self, line: Sequence[SmallTable]) -> Iterator[tuple[SmallTable, list[float]]]:
        """Yield each table of a line with the edges of its columns."""
        each = (self.wide - GAP * (self.beside - 1)) / self.beside
        for at, block in enumerate(line):
            edges = [at * (each + GAP)]
            rest = each - sum(width for _head, width in block.heads)
            for _head, width in block.heads:
                edges.append(edges[-1] + (width or rest))
            yield block, edges

    def edges(self) -> Iterator[float]:
        """Yield the column edges, in pixels, between which the tables are drawn."""
        for line in self._lines:
            for _block, edges in self._places(line):
                yield from edges

    def draw(self, page: GridWriter, row: int) -> int:
        """Draw the tables from a row on; return the first row below them."""
        last = len(page.grid.edges) - 2
        page.sheet.set_row(row, 20)
        (half,) = page.grid.columns([self.wide / 2])
        page.put(row, 0, half - 1, self.label, bold=True, font_size=11)
        page.put(row, half, last, self.note, align="right", font_size=9, font_color=QUIET)
        row += 1
        for line in self._lines:
            high = 2 + max(len(block.rows) for block in line)
            for each in range(high):
                page.sheet.set_row(row + each, ROW)
            page.sheet.set_row(row + high, 6)
            wanted = [edge for _block, edges in self._places(line) for edge in edges]
            found = iter(page.grid.columns(wanted))
            spans = [[next(found) for _edge in range(len(one.heads) + 1)] for one in line]
            size = min(_size(page, *each) for each in zip(line, spans, strict=True))
            for block, edges in zip(line, spans, strict=True):
                _draw(page, row, block, edges, size)
            row += high + 1
        return row


def _size(page: GridWriter, block: SmallTable, edges: Sequence[int]) -> float:
    """Return the size of letters, in points, in which all texts of a table fit."""
    found = SMALL
    for at, cells in enumerate(zip(*block.rows, strict=True)):
        room = page.grid.edges[edges[at + 1]] - page.grid.edges[edges[at]] - 5
        needed = max(text_width(one, 1) if isinstance(one, str) else 0 for one in cells)
        found = min(found, room / needed) if needed else found
    return max(LEAST, round(2 * found) / 2)


def _draw(page: GridWriter, row: int, block: SmallTable, edges: Sequence[int], size: float) -> None:
    page.put(row, edges[0], edges[-1] - 1, block.title, bold=True)
    spans = [(left, right - 1) for left, right in pairwise(edges)]
    heads = tuple(head for head, _width in block.heads)
    rows = ((heads, HEAD), *zip(block.rows, block.looks, strict=True))
    for down, (values, fill) in enumerate(rows, start=1):
        for (first, last), value, (_head, width) in zip(spans, values, block.heads, strict=True):
            look: Look = {
                "border": 1,
                "border_color": THIN,
                "font_size": size,
                "shrink": True,
            }
            look |= {"bg_color": fill} if fill else {}
            look |= {"bold": True} if down == 1 else {}
            look |= {"align": "center"} if width in (RANK, FIGURE) else {}
            page.put(row + down, first, last, value, **look)


def build_table_sections(facts: EventFacts, wide: float) -> list[TableSection]:
    """Return the small tables of all begun stages in sections; no query.

    ``wide``: width in pixels. Consecutive stages share a section if their tables fit side by side.
    """
    begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
    beside = BESIDE if _longest(facts) <= SHORT else FEWER
    found: list[tuple[list[StageFacts], list[SmallTable]]] = []
    for stage in begun:
        blocks = list(_blocks(facts, stage))
        joins = found and len(found[-1][1]) + len(blocks) <= beside
        if not blocks:
            continue
        if joins:
            found[-1][0].append(stage)
            found[-1][1].extend(blocks)
        else:
            found.append(([stage], blocks))
    return [
        TableSection(
            label=" · ".join(translate(stage.plan.label) for stage in stages),
            note=_note(stages),
            blocks=tuple(blocks),
            wide=wide,
            beside=beside,
        )
        for stages, blocks in found
    ]


def _longest(facts: EventFacts) -> float:
    """Return the width of the longest name, in pixels."""
    names = (entry.display_name for entry in facts.entries.values())
    return max((text_width(name, SMALL) for name in names), default=0)


def _note(stages: Sequence[StageFacts]) -> str:
    """Return in words who goes on from the only one of these stages; "" if groups differ in it."""
    if len(stages) > 1 or not stages[0].kind.has_table:
        return ""
    words = {cut_line_text(stages[0], group.name) for group in stages[0].plan.groups}
    return words.pop() if len(words) == 1 else ""


def _blocks(facts: EventFacts, stage: StageFacts) -> Iterator[SmallTable]:
    if not stage.kind.has_table:
        if is_single_match(stage):
            yield _match(facts, stage)
        return
    shown = _shown_criteria(facts)
    goes = advance_targets(facts, stage)
    told = {*goes.values()}
    same = len(told) == 1 and max(text_width(one, SMALL) for one in told) > WHERE
    where = () if same or not told else ((_("goes to"), WHERE),)
    heads = (
        ("", RANK),
        (_("Player"), 0),
        *((translate(one.short), FIGURE) for one in shown),
        *where,
    )
    for group, standings in stage.outcome.standings.items():
        shared = shared_ranks(standings)
        rows = tuple(
            (
                format_rank(row.rank, shared=True) if row.rank in shared else row.rank,
                facts.entries[row.player].display_name,
                *(row.values.get(one.key, Fraction(0)) for one in shown),
                *([goes.get(row.player, "")] if where else ()),
            )
            for row in standings.rows
        )
        looks = tuple(PALE if row.player in goes else "" for row in standings.rows)
        title = group_label(stage.plan, group)
        yield SmallTable(title=title, heads=heads, rows=rows, looks=looks)


def _shown_criteria(facts: EventFacts) -> list[Criterion]:
    first, *more = [one for one in map(find_criterion, facts.event.criteria) if one.column]
    scored = [one for one in more if one.key == "score_for"]
    return [first, *(scored or more)[:1]] if _longest(facts) <= SHORTEST else [first]


def is_single_match(stage: StageFacts) -> bool:
    """Return whether a stage is a single match, such as a final."""
    return stage.kind.has_bracket and stage.plan.size == 2


def _match(facts: EventFacts, stage: StageFacts) -> SmallTable:
    known = diagram_players(facts)
    (column,) = bracket_columns(stage.plan, stage, known, "")[:1]
    lines = sorted(column.boxes[0].lines, key=lambda line: not line.strong)
    games = _("Best of %(games)s") % {"games": stage.plan.best_of[0]}
    label = translate(stage.plan.label)
    return SmallTable(
        title=f"{label} · {games}" if stage.plan.best_of[0] > 1 else label,
        heads=((_("Player"), 0), (_("Won"), FIGURE)),
        rows=tuple(
            (line.entry.display_name if line.entry else "", int(line.mark) if line.mark else None)
            for line in lines
        ),
        looks=tuple(GOLDEN if line.strong else "" for line in lines),
    )


def advance_targets(facts: EventFacts, stage: StageFacts) -> dict[PlayerId, str]:
    """Return {player: group or stage to which they advance} from a stage; no query."""
    found: dict[PlayerId, str] = {}
    for later in reversed([one for one in facts.stages if one.stage.number > stage.stage.number]):
        for group, seats in later.state.seats.items():
            label = lowercase_first_letter(group_label(later.plan, group))
            found |= {player: label for player in seats if player is not None}
    if stage.stage.state == Stage.State.CLOSED and not stage.held:
        for player, index in next_stages(facts, stage).items():  # who goes past the one in play
            found.setdefault(
                player, lowercase_first_letter(translate(facts.stages[index].plan.label))
            )
    own = set(stage.state.players)
    return {player: label for player, label in found.items() if player in own}
