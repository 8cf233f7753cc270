"""Standings of every stage and group, with reasons and charts, now and after earlier rounds, and as
far as they are held back.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import permutations, zip_longest
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans import NthAmong
from rules.results import PlayerId, Result
from rules.scenarios.verdicts import Zone
from rules.standings.table import Mark, Standings, mark_of
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts, StageFacts, facts_of
from tournaments.core.kept_places import compared_in, uneven_note
from tournaments.core.labels import games_as_read, group_label, rank_figure, round_label
from tournaments.core.names import shortened_name
from tournaments.core.rows import EntryRow
from tournaments.core.values_cache import cached
from tournaments.diagrams.selectors.brackets import Column as BracketRound
from tournaments.diagrams.selectors.brackets import bracket_columns, known_of
from tournaments.models import Draw, Stage
from tournaments.rounds.selectors.pairings import rows_of_round
from tournaments.standings.selectors.proofs import rank_reasons, set_rows
from tournaments.standings.selectors.rank_details import (
    NOTHING,
    RankDetails,
    cut_words,
    earlier_details,
    leads_in,
    of_rounds,
    rank_details,
    ranks_after,
    standings_after,
    whole_rounds,
)
from tournaments.standings.selectors.rows import Column, StandingRow, columns, standing_rows

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


def cross_table(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> dict[str, Any] | None:
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
    return {
        "rows": tuple(
            {
                "rank": row.rank,
                "entry": facts.entries[row.player],
                "cells": tuple(
                    _cell(row.player, met.get((row.player, other), ()), own=row.player == other)
                    for other in order
                ),
            }
            for row in standings.rows
        )
    }


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


def race_of(facts: EventFacts, stage: StageFacts, group: str) -> dict[str, Any] | None:
    """Return the chart of a group's ranks after each complete round, None before the second.

    Made once for these rounds, whatever results come later. No query.
    """
    rounds = whole_rounds(stage)
    if rounds < 2 or not stage.kind.has_table:
        return None
    return of_rounds(
        facts, stage, rounds, ("race", group), lambda: _rank_chart(facts, stage, group, rounds)
    )


def _rank_chart(facts: EventFacts, stage: StageFacts, group: str, rounds: int) -> dict[str, Any]:
    ranks = [ranks_after(facts, stage, number)[group] for number in range(1, rounds + 1)]
    order = sorted(ranks[-1], key=lambda player: ranks[-1][player])[:MOST_LINES]
    ordinals = tuple(item.ordinal for item in stage.regular_rounds[:rounds])
    rows = tuple((facts.entries[one], tuple(each[one] for each in ranks)) for one in order)
    many = [Counter(each.values()) for each in ranks]
    figures = tuple(
        tuple(rank_figure(at, shared=held[at] > 1) for at, held in zip(own, many, strict=True))
        for _entry, own in rows
    )
    return {
        "drawn": _chart_svg(rows, [own[-1] for own in figures], ordinals),
        "rounds": ordinals,
        "rows": tuple((entry, own) for (entry, _own), own in zip(rows, figures, strict=True)),
    }


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """The standings of a group, or of players of different groups if ``compared``.

    ``standings`` are what the rows were made of, None after an earlier round. ``note`` says how
    uneven groups are compared. ``cut`` are the words of the line below those who go on, ``cross``
    and ``race`` the same results as a cross-table and as a chart of ranks.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    standings: Standings | None = None
    note: str = ""
    compared: bool = False
    cut: str = ""
    cross: dict[str, Any] | None = None
    race: dict[str, Any] | None = None

    @property
    def has_results(self) -> bool:
        """Return whether any player has a result."""
        return any(row.marks for row in self.rows)

    @property
    def cross_id(self) -> str:
        return f"{self.id}-cross"

    @property
    def cuts(self) -> tuple[bool, ...]:
        """Return for each row whether it is the last who is through, the next one not."""
        pairs = zip_longest(self.rows, self.rows[1:])
        return tuple(bool(row.through and after and not after.through) for row, after in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLink:
    """A round of the stage: its number in the event, and whether there are standings after it."""

    ordinal: int
    there: bool


def links_of(stage: StageFacts) -> tuple[RoundLink, ...]:
    """Return the stage's published rounds, then those to come, to link to.

    Not there are those to come, one that is still played, and those whose standings are held back.
    Nothing is returned while no round can be linked to.
    """
    whole = whole_rounds(stage)
    if not whole:
        return ()
    made = [item.ordinal for item in stage.regular_rounds]
    first = made[-1] + 1 if made else 1
    coming = range(first, first + stage.total_rounds - len(made)) if made else ()
    links = [
        RoundLink(ordinal=item.ordinal, there=index < whole)
        for index, item in enumerate(stage.regular_rounds)
    ]
    return (*links, *(RoundLink(ordinal=ordinal, there=False) for ordinal in coming))


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStandings:
    """A stage that has begun: tables, knock-out rounds, or a double-elimination ``bracket``.

    ``links`` lead to the standings after each round; ``shown`` is that of an earlier round.
    ``under_way`` names the rounds that are still played, whose results count here already,
    "" for none; ``settled`` the number of the last round before it, 0 for none.
    """

    id: str
    label: str
    state: str
    tone: str
    tables: tuple[StandingsTable, ...]
    rounds: tuple[dict[str, Any], ...]
    bracket: tuple[BracketRound, ...] = ()
    links: tuple[RoundLink, ...] = ()
    shown: int = 0
    under_way: str = ""
    settled: int = 0

    @property
    def last_whole(self) -> int:
        """Return the round after which the tables are, or the last whole one; 0 before it."""
        return self.shown or max((link.ordinal for link in self.links if link.there), default=0)


def stage_standings(facts: EventFacts) -> tuple[StageStandings, ...]:
    """Return every stage that has begun, the latest first; no query beyond ``facts``.

    Made once for each language.
    """
    return cached(facts, ("standings", get_language()), lambda: _stages(facts))


def _stages(facts: EventFacts) -> tuple[StageStandings, ...]:
    begun = [stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING]
    return tuple(_stage(facts, stage) for stage in reversed(begun))


def _stage(facts: EventFacts, stage: StageFacts) -> StageStandings:
    double = stage.kind.two_brackets
    knockout = stage.kind.has_bracket
    under_way, settled = _under_way(stage) if stage.kind.has_table else ("", 0)
    return StageStandings(
        id=f"stage-{stage.stage.number}",
        label=translate(stage.plan.label),
        state=stage.stage.get_state_display(),
        tone="info" if stage.stage.state == Stage.State.OPEN else "neutral",
        tables=() if knockout else (*_groups(facts, stage), *_compared_tables(facts, stage)),
        rounds=_rounds(facts, stage) if knockout and not double else (),
        bracket=_bracket(facts, stage) if double else (),
        links=links_of(stage) if stage.kind.has_table else (),
        under_way=under_way,
        settled=settled,
    )


def _under_way(stage: StageFacts) -> tuple[str, int]:
    """Return the labels of rounds that are still played, and the number of the one before them."""
    whole, regular = whole_rounds(stage), stage.regular_rounds
    if stage.held or whole == len(regular):
        return "", 0
    playing = {match.round_id for match in stage.missing} | {regular[whole].pk}
    labels = [round_label(stage, each) for each in regular[whole:] if each.pk in playing]
    return ", ".join(labels), regular[whole - 1].ordinal if whole else 0


def _groups(facts: EventFacts, stage: StageFacts) -> list[StandingsTable]:
    return [
        StandingsTable(
            id=f"s{stage.stage.number}-g{index}",
            caption=group_label(stage.plan, name),
            columns=columns(facts, across=False),
            rows=standing_rows(
                facts,
                stage,
                standings,
                across=False,
                beside=rank_details(facts, stage, name, standings),
                reasons=False,
            ),
            standings=standings,
            cut=cut_words(stage, name),
            cross=cross_table(facts, stage, name, standings),
            race=race_of(facts, stage, name),
        )
        for index, (name, standings) in enumerate(stage.outcome.standings.items(), start=1)
    ]


def _compared_tables(facts: EventFacts, stage: StageFacts) -> list[StandingsTable]:
    several = {
        place.rank
        for place in stage.plan.places
        if isinstance(place, NthAmong) and len(place.groups) > 1
    }
    return [
        StandingsTable(
            id=f"s{stage.stage.number}-r{rank}",
            caption=_("%(stage)s: those on rank %(rank)s of each group, compared")
            % {"stage": translate(stage.plan.label), "rank": rank},
            columns=columns(facts, across=True),
            rows=standing_rows(
                facts,
                stage,
                standings,
                across=True,
                beside=_details_across_groups(stage, rank, standings),
                reasons=False,
            ),
            standings=standings,
            cut=cut_words(stage, "", rank),
            note=uneven_note(stage),
            compared=True,
        )
        for rank, standings in sorted(compared_in(stage).items())
        if rank in several
    ]


def _details_across_groups(stage: StageFacts, rank: int, standings: Standings) -> RankDetails:
    _groups_of, count = leads_in(stage).compared.get(rank, ((), 0))
    zones = {
        row.player: Zone.THROUGH if place < count else Zone.OUT
        for place, row in enumerate(standings.rows)
    }
    return replace(NOTHING, zones=zones if count else {})


def earlier_standings(facts: EventFacts, ordinal: int) -> StageStandings | None:
    """Return the tables as they were after a round of groups or Swiss rounds, None if none was.

    None too where those of the round are held back. The round is named by its number in the event.
    No query beyond ``facts``.
    """
    for stage in facts.stages:
        found = [item.ordinal for item in stage.regular_rounds if item.pk not in stage.held]
        if ordinal in found and stage.kind.has_table:
            rounds = found.index(ordinal) + 1
            return StageStandings(
                id=f"stage-{stage.stage.number}",
                label=translate(stage.plan.label),
                state=round_label(stage, stage.regular_rounds[rounds - 1]),
                tone="info",
                tables=tuple(_earlier_tables(facts, stage, rounds)),
                rounds=(),
                links=links_of(stage),
                shown=ordinal,
            )
    return None


def _earlier_tables(facts: EventFacts, stage: StageFacts, rounds: int) -> Iterator[StandingsTable]:
    ranked = standings_after(facts, stage, rounds)
    for index, (name, standings) in enumerate(ranked.items(), start=1):
        rows = standing_rows(
            facts,
            stage,
            standings,
            across=False,
            beside=earlier_details(facts, stage, name, rounds),
            earlier=True,
            reasons=False,
        )
        yield StandingsTable(
            id=f"s{stage.stage.number}-g{index}",
            caption=group_label(stage.plan, name),
            columns=columns(facts),
            rows=rows,
            cut=cut_words(stage, name),
        )


def _rounds(facts: EventFacts, stage: StageFacts) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "id": f"round-{item.ordinal}",
            "label": round_label(stage, item),
            "rows": rows_of_round(facts, stage, item),
        }
        for item in stage.rounds
    )


def _bracket(facts: EventFacts, stage: StageFacts) -> tuple[BracketRound, ...]:
    state = stage.stage.get_state_display()
    return tuple(bracket_columns(stage.plan, stage, known_of(facts, holders=False), state))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReasons:
    """The standings of a group with why each player stands there, and ties by criterion."""

    id: str
    caption: str
    rows: tuple[StandingRow, ...]
    ties: tuple[dict[str, Any], ...]


def drawn_lots(facts: EventFacts) -> tuple[dict[str, Any], ...]:
    """Return the lots drawn so far; no query without lots, else those of `draw_origins`."""
    made = [draw for draw in facts.rows.lots if draw.state == Draw.State.DRAWN]
    if not made:
        return ()
    origins = draw_origins(facts.event, made)
    return tuple(
        {
            "number": draw.number,
            "players": tuple(facts.entries[one] for one in draw.order if one in facts.entries),
            "origin": origins[draw.number].words,
        }
        for draw in made
    )


def event_reasons(facts: EventFacts) -> tuple[TableReasons, ...]:
    """Return every group's standings with their reasons, the latest stage first; no query."""

    def make() -> tuple[TableReasons, ...]:
        return tuple(
            reasons_of(facts, stage, table)
            for shown in stage_standings(facts)
            for stage in facts.stages
            if shown.id == f"stage-{stage.stage.number}"
            for table in shown.tables
        )

    return cached(facts, ("reasons", get_language()), make)


def reasons_of(facts: EventFacts, stage: StageFacts, table: StandingsTable) -> TableReasons:
    """Return the standings of a group with why each player stands there; no query."""
    if table.standings is None:
        return TableReasons(id=table.id, caption=table.caption, rows=(), ties=())
    names: dict[PlayerId, str] = {key: entry.display_name for key, entry in facts.entries.items()}
    because = rank_reasons(table.standings, names, stage.state.rounds)
    return TableReasons(
        id=table.id,
        caption=table.caption,
        rows=tuple(replace(row, why=because.get(row.entry.number, "")) for row in table.rows),
        ties=set_rows(facts, stage, table.standings),
    )


def held_labels(facts: EventFacts) -> tuple[str, ...]:
    """Return the labels of the rounds whose standings are held back; no query."""
    return tuple(
        round_label(stage, item)
        for stage in facts.stages
        for item in stage.rounds
        if item.pk in stage.held
    )


def with_held(facts: EventFacts) -> EventFacts:
    """Return facts that include the results of rounds whose standings are held back; no query."""
    if not any(stage.held for stage in facts.stages):
        return facts
    return facts_of(facts.event, facts.rows, drafts=False, held=False)
