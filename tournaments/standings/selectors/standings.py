"""Standings of every stage and group, with reasons, now and after earlier rounds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans.places import NthAmong
from rules.scenarios.cut_lines import Zone
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import compared_in
from tournaments.core.labels import group_label, round_label
from tournaments.core.places import uneven_note
from tournaments.core.values_cache import cached
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Column as BracketRound
from tournaments.diagrams.selectors.nodes import known_of
from tournaments.models import Stage
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.rounds.selectors.rows import TableRow
from tournaments.standings.selectors.charts import CrossTable, RankChart, cross_table, race_of
from tournaments.standings.selectors.rank_details import (
    NOTHING,
    RankDetails,
    cut_words,
    earlier_details,
    leads_in,
    rank_details,
)
from tournaments.standings.selectors.round_standings import standings_after, whole_rounds
from tournaments.standings.selectors.rows import Column, StandingRow, columns, standing_rows


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
    cross: CrossTable | None = None
    race: RankChart | None = None

    @property
    def has_results(self) -> bool:
        """Return whether any player has a result."""
        return any(row.marks for row in self.rows)

    @property
    def cross_id(self) -> str:
        """Return the name of the cross-table in the page."""
        return f"{self.id}-cross"

    @property
    def cuts(self) -> tuple[bool, ...]:
        """Return for each row whether it is the last who is through, the next one not."""
        pairs = zip_longest(self.rows, self.rows[1:])
        return tuple(bool(row.through and after and not after.through) for row, after in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutRound:
    """A published round of a knock-out."""

    id: str
    label: str
    rows: tuple[TableRow, ...]


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
    rounds: tuple[KnockoutRound, ...]
    bracket: tuple[BracketRound, ...] = ()
    links: tuple[RoundLink, ...] = ()
    shown: int = 0
    under_way: str = ""
    settled: int = 0


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
    """Return the details of players compared on one rank: who would advance now."""
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


def _rounds(facts: EventFacts, stage: StageFacts) -> tuple[KnockoutRound, ...]:
    pages = [pairings_page(facts, item.ordinal) for item in stage.rounds]
    return tuple(
        KnockoutRound(id=f"round-{page.round.ordinal}", label=page.label, rows=page.tables)
        for page in pages
        if page
    )


def _bracket(facts: EventFacts, stage: StageFacts) -> tuple[BracketRound, ...]:
    state = stage.stage.get_state_display()
    return tuple(bracket_columns(stage.plan, stage, known_of(facts, holders=False), state))
