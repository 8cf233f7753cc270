"""A formula as columns of boxes, and their layout in SVG user units (1 unit is 1 pixel); no
query.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import translate
from rules.plans import ComparedRankPlace, FormulaPlan, RankPlace, StagePlan
from rules.results import PlayerId
from rules.stages import stage_kind
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import format_rank, group_label, place_phrase, shared_ranks
from tournaments.core.names import (
    em_width,
    shorten_to_width,
    shortened_name,
    width_in_characters,
)
from tournaments.diagrams.selectors.brackets import (
    DiagramBox,
    DiagramColumn,
    DiagramLine,
    DiagramPlayers,
    bracket_columns,
    diagram_players,
)
from tournaments.models import Stage

WIDE, GAP, BETWEEN = 190, 44, 14
TOP, HEAD, LINE, MARGIN = 60, 24, 26, 8
HEADINGS = 20
LONGEST, LONGEST_ALONE = 18, 22
SHORT_CODE = 4
IN_SIGHT = 620
"""Height within which columns are centred; if one is taller, all begin at the top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBox:
    """A box in the diagram of a tournament format, with position and size in pixels.

    ``lines``: texts and positions, as dicts.
    """

    x: int
    y: int
    width: int
    height: int
    heading: str
    lines: tuple[dict[str, Any], ...]


def formula_diagram(columns: tuple[DiagramColumn, ...], *, narrow: bool = False) -> dict[str, Any]:
    """Return the diagram of a tournament format as template context for an SVG.

    Keys: ``width`` and ``height`` in pixels, ``heads``, ``boxes``, ``links`` (SVG paths between
    boxes). ``narrow``: boxes as wide as their text, with codes such as A1 instead of names.
    """
    if narrow:
        columns = tuple(map(_in_codes, columns))
    gap = GAP // 2 if narrow else GAP
    heads: list[dict[str, Any]] = []
    boxes: list[DrawnBox] = []
    links: list[str] = []
    stage: list[tuple[DiagramBox, DrawnBox]] = []
    below = 0
    start = x = MARGIN
    for column in columns:
        if column.first:
            start, stage, below = x, [], 0
        if column.below and not below:
            bottoms = (shape.y + shape.height for _box, shape in stage)
            below = max(bottoms, default=0) + HEADINGS
        level = [other for other in columns if other.below == column.below]
        tallest = max(_stacked_height(other.boxes) for other in level)
        wide = _narrow_width(column, columns) if narrow else WIDE
        here = start + (column.at - 1) * (wide + gap) if column.at else x
        down = below if column.below else 0
        named = column.stage if column.first or (column.below and column.opens) else ""
        heads.append(
            {
                "x": here,
                "y": down + 42,
                "stage_y": down + 20,
                "heading": column.heading,
                "stage": named,
            }
        )
        drawn = _laid_out_column(column, (here, wide), tallest, stage, down)
        targets = {box.number: shape for box, shape in drawn}
        links += [
            _svg_path(shape, targets[box.feeds]) for box, shape in stage if box.feeds in targets
        ]
        boxes += [shape for _drawn_box, shape in drawn]
        stage += drawn
        x = max(x, here + wide + gap)
    return {
        "width": x - gap + MARGIN,
        "height": max((box.y + box.height for box in boxes), default=TOP) + MARGIN,
        "heads": tuple(heads),
        "boxes": tuple(boxes),
        "links": tuple(links),
    }


def _in_codes(column: DiagramColumn) -> DiagramColumn:
    """Return a column that writes A1 for the first of group A, three such places a line."""
    return replace(column, boxes=tuple(replace(box, lines=_coded(box)) for box in column.boxes))


def _coded(box: DiagramBox) -> tuple[DiagramLine, ...]:
    if not all(0 < len(line.code) <= SHORT_CODE for line in box.lines):
        return tuple(replace(line, short=line.short or line.code) for line in box.lines)
    codes = [line.code for line in box.lines]
    a_line = 1 if box.number else 3
    return tuple(
        DiagramLine(place=" · ".join(codes[at : at + a_line]))
        for at in range(0, len(codes), a_line)
    )


def _narrow_width(column: DiagramColumn, columns: tuple[DiagramColumn, ...]) -> int:
    """Return how wide a column's boxes are: as what stands in them and above them.

    Columns that stand below each other are as wide as the widest of them.
    """
    level = (
        [one for one in columns if one.at and one.stage == column.stage] if column.at else [column]
    )
    return ceil(
        max(
            *(15 * em_width(one.heading, bold=True) for one in level),
            *(12 * em_width(one.stage, bold=True) for one in level if one.first),
            *(20 + 11.5 * em_width(box.heading, bold=True) for one in level for box in one.boxes),
            *(
                20 + 13 * em_width(_place_shown(line, LONGEST_ALONE))
                for one in level
                for box in one.boxes
                for line in box.lines
            ),
        )
    )


def _height(box: DiagramBox) -> int:
    return HEAD + LINE * len(box.lines) + 4


def _stacked_height(boxes: tuple[DiagramBox, ...]) -> int:
    return sum(_height(box) + BETWEEN for box in boxes) - BETWEEN if boxes else 0


def _laid_out_column(
    column: DiagramColumn,
    across: tuple[int, int],
    tallest: int,
    sources: list[tuple[DiagramBox, DrawnBox]],
    down: int,
) -> list[tuple[DiagramBox, DrawnBox]]:
    """Return a column's boxes, each centred on the matches that feed it, else stacked.

    ``across`` is where they begin and how wide they are. A match that no winner feeds, for third
    place, is placed below the others.
    """
    drawn = []
    y = down + TOP + max(0, min(tallest, IN_SIGHT) - _stacked_height(column.boxes)) // 2
    lowest = down + TOP
    follows = any(_middles_of_sources(box, sources) for box in column.boxes)
    for box in sorted(column.boxes, key=lambda box: not _middles_of_sources(box, sources)):
        middles = _middles_of_sources(box, sources)
        if middles:
            y = sum(middles) // len(middles) - _height(box) // 2
        elif follows:
            y = lowest + 3 * BETWEEN
        drawn.append((box, _drawn_box(box, across, y)))
        y += _height(box) + BETWEEN
        lowest = max(lowest, y)
    return drawn


def _middles_of_sources(box: DiagramBox, sources: list[tuple[DiagramBox, DrawnBox]]) -> list[int]:
    return [shape.y + shape.height // 2 for source, shape in sources if source.feeds == box.number]


def _drawn_box(box: DiagramBox, across: tuple[int, int], y: int) -> DrawnBox:
    return DrawnBox(
        x=across[0],
        y=y,
        width=across[1],
        height=_height(box),
        heading=box.heading,
        lines=tuple(
            _drawn_line(line, HEAD + LINE * index, ruled=index > 0)
            for index, line in enumerate(box.lines)
        ),
    )


def _drawn_line(line: DiagramLine, y: int, *, ruled: bool) -> dict[str, Any]:
    """A line of a box; ``text`` is truncated to fit, ``full`` is not.

    ``place`` is the label of a place beside its holder, ``words`` what it means.
    """
    full = line.entry.display_name if line.entry else line.place
    place = line.code if line.entry and len(line.code) <= SHORT_CODE else ""
    longest = LONGEST if place else LONGEST_ALONE
    shown = shortened_name(line.entry, longest) if line.entry else _place_shown(line, longest)
    return {
        "y": y,
        "place": place,
        "words": line.place if place else "",
        "text": shown,
        "full": full,
        "mark": line.mark,
        "strong": line.strong,
        "known": line.entry is not None,
        "ruled": ruled,
    }


def _place_shown(line: DiagramLine, longest: int) -> str:
    shown = line.place if width_in_characters(line.place) <= longest else line.short or line.place
    return (
        shown
        if width_in_characters(shown) <= longest
        else f"{shorten_to_width(shown, longest - 2)}…"
    )


def _svg_path(source: DrawnBox, target: DrawnBox) -> str:
    """Return an SVG path from the right of a box to the left of another."""
    x1, y1 = source.x + source.width, source.y + source.height // 2
    x2, y2 = target.x, target.y + target.height // 2
    middle = (x1 + x2) // 2
    return f"M{x1} {y1}H{middle}V{y2}H{x2}"


def formula_columns(facts: EventFacts, plan: FormulaPlan) -> tuple[DiagramColumn, ...]:
    """Return the diagram columns of an event's tournament format; no query.

    ``plan``: the provisional one before the start.
    """
    return _columns(plan, diagram_players(facts, plan), facts.stages)


def plan_columns(plan: FormulaPlan) -> tuple[DiagramColumn, ...]:
    """Return the diagram columns of a plan that belongs to no event; no query."""
    return _columns(plan, DiagramPlayers(entries={}, stages=plan.stages), None)


def _columns(
    plan: FormulaPlan, known: DiagramPlayers, stages: Sequence[StageFacts] | None
) -> tuple[DiagramColumn, ...]:
    """Return the columns of all stages; ``stages`` is None without an event's state."""
    columns: list[DiagramColumn] = []
    for index, stage_plan in enumerate(plan.stages):
        stage = stages[index] if stages else None
        pending = stage is None or stage.stage.state == Stage.State.PENDING
        begun = None if pending else stage
        to_come = "" if stages is None else _("To come")
        state = stage.stage.get_state_display() if stage else to_come
        used = plan.used_places(index)
        if stage_kind(stage_plan).has_bracket:
            columns += bracket_columns(stage_plan, begun, known, state)
        else:
            columns += _groups(stage_plan, begun, known, state, used)
    return tuple(columns)


def _groups(
    plan: StagePlan,
    stage: StageFacts | None,
    known: DiagramPlayers,
    state: str,
    used: frozenset[str],
) -> list[DiagramColumn]:
    boxes = []
    for group in plan.groups:
        seated = stage.state.seats.get(group.name) if stage else None
        holders = seated or (None,) * len(group.seats)
        ranks = _ranks(stage, group.name)
        lines = tuple(
            known.line(place, holder, mark=ranks.get(holder, "") if holder is not None else "")
            for place, holder in zip(group.seats, holders, strict=True)
        )
        boxes.append(DiagramBox(heading=group_label(plan, group.name), lines=lines))
    return [
        DiagramColumn(
            stage=translate(plan.label),
            heading=translate(plan.label),
            state=state,
            first=True,
            boxes=tuple(boxes),
            goes_on=" · ".join(advancing_texts(plan, used)),
        )
    ]


def _ranks(stage: StageFacts | None, group: str) -> dict[PlayerId, str]:
    if stage is None or not stage.state.rounds:
        return {}
    standings = stage.outcome.standings[group]
    shared = shared_ranks(standings)
    return {
        row.player: f"{format_rank(row.rank, shared=row.rank in shared)}." for row in standings.rows
    }


def advancing_texts(plan: StagePlan, used: frozenset[str]) -> tuple[str, ...]:
    """Return texts on the players who advance from a stage: "The first 2 of each group".

    ``used``: names of the places that seat players in later stages.
    """
    places = [place for place in plan.places if place.name in used]
    ranks = [place for place in places if isinstance(place, RankPlace)]
    words = [_rank_words(plan, ranks)] if ranks else []
    compared = (place for place in places if isinstance(place, ComparedRankPlace))
    for rank, level in groupby(compared, attrgetter("rank")):
        words.append(_best_words(rank, [*level]))
    return tuple(words)


def _rank_words(plan: StagePlan, places: Sequence[RankPlace]) -> str:
    """Return "The first 2 of each group", or the places one by one where groups differ."""
    by_group = {group.name: 0 for group in plan.groups}
    for place in places:
        by_group[place.group] += 1
    first = {(group, rank) for group, count in by_group.items() for rank in range(1, count + 1)}
    counts = {*by_group.values()}
    if len(counts) > 1 or first != {(place.group, place.rank) for place in places}:
        return ", ".join(place_phrase(plan, place.name) for place in places)
    values = {"count": counts.pop()}
    if len(plan.groups) > 1:
        words = ngettext(
            "The first of each group", "The first %(count)s of each group", values["count"]
        )
    else:
        words = ngettext("The first", "The first %(count)s", values["count"])
    return words % values


def _best_words(rank: int, places: Sequence[ComparedRankPlace]) -> str:
    """Return how many of those on a rank of the groups compared advance, or that all of them do."""
    count = len(places)
    if count == len(places[0].groups) > 1:
        return _("Everybody ranked %(rank)s in their group") % {"rank": rank}
    words = ngettext(
        "The best of those ranked %(rank)s",
        "The %(count)s best of those ranked %(rank)s",
        count,
    )
    return words % {"count": count, "rank": rank}
