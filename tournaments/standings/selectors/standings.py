"""Standings of every stage and group, now and after earlier rounds, as far as they are not held."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, zip_longest
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans import ComparedRankPlace
from rules.results import PlayerId, Result
from rules.scenarios import Prospect, Verdict
from rules.scenarios.verdicts import CutSide, cut_sides
from rules.stages.base import has_multiplayer_tables
from rules.standings.table import ResultMark, Standings, match_mark
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts, StageFacts, cached_value, facts_from_rows
from tournaments.core.kept_places import standings_across_groups, uneven_groups_note
from tournaments.core.labels import games_per_player, group_label, round_label
from tournaments.core.rows import EntryRow
from tournaments.models import Draw, Stage
from tournaments.prospects.selectors import TONES, WORDS, Text, public_prospects
from tournaments.standings.selectors.rank_details import (
    LONGEST_WORD,
    MOST_LETTERS,
    NOTHING,
    RankDetails,
    RoundHeader,
    cached_for_rounds,
    count_complete_rounds,
    cut_line_text,
    earlier_rank_details,
    rank_details,
    ranks_after_rounds,
    round_headers,
    stage_advancing_ranks,
    standings_after_rounds,
    sufficient_points_text,
)
from tournaments.standings.selectors.rows import (
    StandingRow,
    StandingsColumn,
    columns,
    standing_rows,
)

MOST_CROSSED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTableCell:
    """A cell of the cross-table: the results of two players against each other.

    They are seen from the row's player. ``own``: on the diagonal.
    """

    marks: tuple[ResultMark, ...]
    words: str
    own: bool = False


def cross_table(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> dict[str, Any] | None:
    """Return the cross-table of a round-robin group as template context; no query.

    None for other groups, and for a large one.
    """
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


def _cell(player: PlayerId, met: Sequence[tuple[int, Result]], *, own: bool) -> CrossTableCell:
    marks, words = [], []
    for ordinal, result in met:
        mark = match_mark(result, player)
        if mark is not None:
            marks.append(mark)
        if not result.is_played:
            words.append(_("Round %(number)s") % {"number": ordinal})
        elif pair := result.score or (result.games_won and games_per_player(result.games_won)):
            first, second = pair if result.seats[0] == player else pair[::-1]
            words.append(f"{first}–{second}")
    return CrossTableCell(marks=tuple(marks), words=", ".join(words), own=own)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """The standings of a group, or (``compared``) of players of one rank across groups.

    ``heads`` are the column headers of rounds. ``standings`` are None after an earlier round.
    ``note`` says how groups of different size are compared; ``cut`` is the label of the cut line;
    ``cross`` the cross-table.
    """

    id: str
    caption: str
    columns: tuple[StandingsColumn, ...]
    rows: tuple[StandingRow, ...]
    heads: tuple[RoundHeader, ...] = ()
    standings: Standings | None = None
    note: str = ""
    compared: bool = False
    cut: str = ""
    cross: dict[str, Any] | None = None

    @property
    def letters(self) -> bool:
        """Return whether a phone has room for the rounds beside the names."""
        words = (word for row in self.rows for word in row.entry.name.split())
        few = sum(head.there for head in self.heads) <= MOST_LETTERS
        return few and max(map(len, words), default=0) <= LONGEST_WORD

    @property
    def whole(self) -> bool:
        """Return whether every round is shown at first."""
        return not any(head.old for head in self.heads)

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
    """A link to the standings after a round; ``there``: they can be displayed."""

    ordinal: int
    there: bool


def round_links(stage: StageFacts) -> tuple[RoundLink, ...]:
    """Return links to the standings after each round of a stage, upcoming ones included.

    ``there`` is False for upcoming, unfinished and hidden rounds. () if no link would work.
    """
    whole = count_complete_rounds(stage)
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
    """The standings of a stage that has begun; a bracket has no ``tables``.

    ``links`` are to earlier rounds; ``shown`` is the number of the displayed round, 0 for now.
    ``under_way`` names unfinished rounds whose results count, "" for none. ``of_tables``: matches
    have three to five players.
    """

    id: str
    label: str
    state: str
    tone: str
    tables: tuple[StandingsTable, ...]
    links: tuple[RoundLink, ...] = ()
    shown: int = 0
    under_way: str = ""
    of_tables: bool = False

    @property
    def single(self) -> bool:
        """Return whether the stage has one table."""
        return len(self.tables) == 1

    @property
    def earlier(self) -> tuple[int, ...]:
        """Return the rounds whose standings differ from those of now, the latest first."""
        there = [link.ordinal for link in self.links if link.there]
        every = self.under_way or self.shown in there[-1:]
        return tuple(reversed(there if every else there[:-1]))

    @property
    def last_whole(self) -> int:
        """Return the round after which the tables are, or the last whole one; 0 before it."""
        return self.shown or max((link.ordinal for link in self.links if link.there), default=0)


def stage_standings(facts: EventFacts) -> tuple[StageStandings, ...]:
    """Return the standings of all begun stages, latest first.

    Those of brackets have no tables. No query beyond ``facts``; cached by language.
    """
    return cached_value(facts, ("standings", get_language()), lambda: _stages(facts))


def _stages(facts: EventFacts) -> tuple[StageStandings, ...]:
    begun = [stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING]
    return tuple(_stage(facts, stage) for stage in reversed(begun))


def _stage(facts: EventFacts, stage: StageFacts) -> StageStandings:
    return StageStandings(
        id=f"stage-{stage.stage.number}",
        label=translate(stage.plan.label),
        state=stage.stage.get_state_display(),
        tone="info" if stage.stage.state == Stage.State.OPEN else "neutral",
        tables=(*_groups(facts, stage), *_compared_tables(facts, stage))
        if stage.kind.has_table
        else (),
        links=round_links(stage) if stage.kind.has_table else (),
        under_way=_under_way(stage) if stage.kind.has_table else "",
        of_tables=has_multiplayer_tables(stage.plan),
    )


def _under_way(stage: StageFacts) -> str:
    """Return the labels of the rounds that are still played."""
    whole, regular = count_complete_rounds(stage), stage.regular_rounds
    if stage.held or whole == len(regular):
        return ""
    playing = {match.round_id for match in stage.missing} | {regular[whole].pk}
    return ", ".join(round_label(stage, each) for each in regular[whole:] if each.pk in playing)


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
            ),
            heads=round_headers(stage),
            standings=standings,
            cut=" · ".join(
                filter(
                    None,
                    (cut_line_text(stage, name), sufficient_points_text(facts, stage, standings)),
                )
            ),
            cross=cross_table(facts, stage, name, standings),
        )
        for index, (name, standings) in enumerate(stage.outcome.standings.items(), start=1)
    ]


def _compared_tables(facts: EventFacts, stage: StageFacts) -> list[StandingsTable]:
    several = {
        place.rank
        for place in stage.plan.places
        if isinstance(place, ComparedRankPlace) and len(place.groups) > 1
    }
    return [
        StandingsTable(
            id=f"s{stage.stage.number}-r{rank}",
            caption=_("%(stage)s: comparison of players ranked %(rank)s in their group")
            % {"stage": translate(stage.plan.label), "rank": rank},
            columns=columns(facts, across=True),
            rows=standing_rows(
                facts,
                stage,
                standings,
                across=True,
                beside=_details_across_groups(stage, rank, standings),
            ),
            standings=standings,
            cut=cut_line_text(stage, "", rank),
            note=uneven_groups_note(stage),
            compared=True,
        )
        for rank, standings in sorted(standings_across_groups(stage).items())
        if rank in several
    ]


def _details_across_groups(stage: StageFacts, rank: int, standings: Standings) -> RankDetails:
    _groups_of, count = stage_advancing_ranks(stage).compared.get(rank, ((), 0))
    zones = {
        row.player: CutSide.THROUGH if place < count else CutSide.OUT
        for place, row in enumerate(standings.rows)
    }
    return replace(NOTHING, zones=zones if count else {})


def earlier_standings(facts: EventFacts, ordinal: int) -> StageStandings | None:
    """Return the standings after an earlier Swiss or group round, None if hidden.

    ``ordinal`` is the round's number in the event; None for an unknown one too. No query beyond
    ``facts``.
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
                links=round_links(stage),
                under_way=_under_way(stage),
                of_tables=has_multiplayer_tables(stage.plan),
                shown=ordinal,
            )
    return None


def _earlier_tables(facts: EventFacts, stage: StageFacts, rounds: int) -> Iterator[StandingsTable]:
    ranked = standings_after_rounds(facts, stage, rounds)
    for index, (name, standings) in enumerate(ranked.items(), start=1):
        rows = standing_rows(
            facts,
            stage,
            standings,
            across=False,
            beside=earlier_rank_details(facts, stage, name, rounds),
            earlier=True,
        )
        yield StandingsTable(
            id=f"s{stage.stage.number}-g{index}",
            caption=group_label(stage.plan, name),
            columns=columns(facts),
            rows=rows,
            heads=round_headers(stage)[:rounds],
            cut=cut_line_text(stage, name),
        )


def random_draws_among_tied(facts: EventFacts) -> tuple[dict[str, Any], ...]:
    """Return the random draws that ordered tied players.

    Each is {"number", "players" in the drawn order, "origin": why it was needed}. No query without
    draws, else those of `draw_origins`.
    """
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


def hidden_round_labels(facts: EventFacts) -> tuple[str, ...]:
    """Return the labels of rounds with hidden standings; no query."""
    return tuple(
        round_label(stage, item)
        for stage in facts.stages
        for item in stage.rounds
        if item.pk in stage.held
    )


def include_hidden_results(facts: EventFacts) -> EventFacts:
    """Return event facts that also count rounds with hidden standings; no query."""
    if not any(stage.held for stage in facts.stages):
        return facts
    return facts_from_rows(facts.event, facts.rows, drafts=False, held=False)


ON_THE_BUBBLE = 6
DRAWN = 5
"""Players whose ranks are drawn beside who rose and who fell most."""
WIDE, HIGH, MARGIN, FOOT = 268, 132, 10, 18
NEEDS: Sequence[tuple[str, Verdict, Text]] = (
    ("draw", Verdict.THROUGH, gettext_lazy("a draw is enough")),
    ("win", Verdict.THROUGH, gettext_lazy("a win is enough")),
    ("draw", Verdict.OUT, gettext_lazy("must win")),
    ("loss", Verdict.OUT, gettext_lazy("must not lose")),
)
"""What the next match of a player means whose verdict is open: the first of these that holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNearCut:
    """A player near the cut; ``words`` say that they advance, are out, or what they need.

    ``tone`` is a CSS class.
    """

    entry: EntryRow
    words: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChart:
    """An SVG chart of ranks by round, and (player, ranks gained) of who moved most."""

    drawn: SafeString
    moves: tuple[tuple[EntryRow, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsSidebar:
    """What is displayed beside a stage's standings.

    ``bubble``: players near the cut; ``cut``: how many advance; ``race``: the rank chart.
    """

    bubble: tuple[PlayerNearCut, ...]
    cut: int
    race: RankChart | None


def standings_sidebar(facts: EventFacts) -> StandingsSidebar | None:
    """Return the sidebar of the latest stage with standings.

    None if it has several groups, or no round yet.
    """
    begun = [each for each in facts.stages if each.stage.state != Stage.State.PENDING]
    stage = next((each for each in reversed(begun) if each.kind.has_table), None)
    if stage is None or len(stage.outcome.standings) > 1 or not stage.regular_rounds:
        return None
    (group,) = stage.outcome.standings
    return cached_value(facts, ("beside", get_language()), lambda: _beside(facts, stage, group))


def _beside(facts: EventFacts, stage: StageFacts, group: str) -> StandingsSidebar:
    standings = stage.outcome.standings[group]
    gone = stage.state.withdrawn
    order = [row.player for row in standings.rows if row.player not in gone]
    found = cut_sides(order, group, stage_advancing_ranks(stage), gone)
    cut = sum(zone is CutSide.THROUGH for zone in found.values())
    known = public_prospects(facts) if facts.open_stage is stage else {}
    rounds = count_complete_rounds(stage)
    race = None
    if rounds > 1:
        key = "race", group
        race = cached_for_rounds(
            facts, stage, rounds, key, lambda: _race(facts, stage, group, rounds, cut)
        )
    return StandingsSidebar(bubble=_bubble(facts, order, cut, known), cut=cut, race=race)


def _bubble(
    facts: EventFacts, order: Sequence[PlayerId], cut: int, known: Mapping[PlayerId, Prospect]
) -> tuple[PlayerNearCut, ...]:
    """Return the players nearest to the line, those whose verdict is open first; by rank.

    None where all that is known of them is that it is open.
    """
    players = [player for player in order if player in known]
    if not cut:
        return ()
    near = sorted(
        enumerate(players),
        key=lambda each: (
            known[each[1]].verdict is not Verdict.OPEN,
            abs(2 * each[0] + 1 - 2 * cut),
        ),
    )
    found = tuple(
        PlayerNearCut(
            entry=facts.entries[player],
            words=_needs(known[player]),
            tone="warn" if known[player].verdict is Verdict.OPEN else TONES[known[player].verdict],
        )
        for _at, player in sorted(near[:ON_THE_BUBBLE])
    )
    return found if any(each.words != str(WORDS[Verdict.OPEN]) for each in found) else ()


def _needs(prospect: Prospect) -> str:
    if prospect.verdict is Verdict.OPEN:
        for result, verdict, words in NEEDS:
            if prospect.after.get(result) is verdict:
                return str(words)
    return str(WORDS[prospect.verdict])


def _race(facts: EventFacts, stage: StageFacts, group: str, rounds: int, cut: int) -> RankChart:
    ranks = [ranks_after_rounds(facts, stage, number)[group] for number in range(1, rounds + 1)]
    now, before = ranks[-1], ranks[-2]
    moved = {player: before[player] - rank for player, rank in now.items() if player in before}
    found = [max(moved, key=lambda one: moved[one]), min(moved, key=lambda one: moved[one])]
    moves = [player for player in dict.fromkeys(found) if moved[player]]
    others = [player for player in sorted(now, key=lambda one: now[one]) if player not in moves]
    ordinals = [item.ordinal for item in stage.regular_rounds[:rounds]]
    across = (WIDE - 2 * MARGIN) / (rounds - 1)
    down = (HIGH - 2 * MARGIN - FOOT) / max(1, len(now) - 1)

    def line(player: PlayerId, kind: str) -> str:
        points = " ".join(
            f"{MARGIN + at * across:.0f},{MARGIN + (each[player] - 1) * down:.1f}"
            for at, each in enumerate(ranks)
            if player in each
        )
        return f'<polyline class="{kind}" points="{points}"/>'

    heads = "".join(
        f'<text x="{MARGIN + at * across:.0f}" y="{HIGH - 2}">{escape(str(ordinal))}</text>'
        for at, ordinal in enumerate(ordinals)
    )
    height = MARGIN + (cut - 0.5) * down
    edge = f'<path d="M{MARGIN} {height:.1f}H{WIDE - MARGIN}"/>' if cut else ""
    lines = [line(player, "") for player in others[:DRAWN]]
    lines += [line(player, "up" if moved[player] > 0 else "down") for player in moves]
    box = f'viewBox="0 0 {WIDE} {HIGH}"'
    drawn = f'<svg class="race" {box} aria-hidden="true">{edge}{"".join(lines)}{heads}</svg>'
    return RankChart(
        drawn=SafeString(drawn),
        moves=tuple((facts.entries[player], moved[player]) for player in moves),
    )
