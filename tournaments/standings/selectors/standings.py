"""Standings of every stage and group, with reasons, and the final ranking."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.uneven_groups import players_in
from rules.criteria import CRITERIA
from rules.formulas.describe import sizes_compared, uneven
from rules.plans.places import NthAmong, RankOf
from rules.results import PlayerId
from rules.standings.table import Standing, Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, place_label
from tournaments.core.once import once
from tournaments.core.rows import AnyEntry
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Column as BracketRound
from tournaments.diagrams.selectors.nodes import Known
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.selectors.pairings import TableRow, pairings_page
from tournaments.standings.selectors.proofs import number, rank_reasons
from tournaments.standings.selectors.tie_trace import SetRow, set_rows

LEAVERS = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A criterion with a numeric value."""

    short: str
    label: str
    explains: str


class OnePlayer:
    """A row of one player in a list that is shown in parts (``tournaments.pages.parts``)."""

    __slots__ = ()
    entry: AnyEntry
    mark = ""  # ranks are shared, so parts are named by positions

    @property
    def players(self) -> tuple[AnyEntry, ...]:
        """Return the players of the row."""
        return (self.entry,)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow(OnePlayer):
    """A player in a table; ``through`` is the place won, empty while it is undecided."""

    rank: int
    shared: bool
    entry: AnyEntry
    group: str
    played: int
    won: int
    drawn: int
    lost: int
    values: tuple[str, ...]
    why: str
    through: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """The standings of a group, or of players of different groups if ``compared``.

    ``ties`` are tied players criterion by criterion; ``note`` says how uneven groups are compared.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    ties: tuple[SetRow, ...] = ()
    note: str = ""
    compared: bool = False

    @property
    def cuts(self) -> tuple[bool, ...]:
        """Return for each row whether it is the last who is through, the next one not."""
        pairs = zip(self.rows, (*self.rows[1:], None), strict=True)
        return tuple(bool(row.through and after and not after.through) for row, after in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutRound:
    """A published round of a knock-out."""

    id: str
    label: str
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStandings:
    """A stage that has begun: tables, knock-out rounds, or a double-elimination ``bracket``."""

    id: str
    label: str
    state: str
    tone: str
    tables: tuple[StandingsTable, ...]
    rounds: tuple[KnockoutRound, ...]
    bracket: tuple[BracketRound, ...] = ()


def stage_standings(facts: EventFacts) -> tuple[StageStandings, ...]:
    """Return every stage that has begun, the latest first; no query beyond ``facts``.

    Made once for each language.
    """
    return once(facts, ("standings", get_language()), lambda: _stages(facts))


def _stages(facts: EventFacts) -> tuple[StageStandings, ...]:
    begun = [stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING]
    return tuple(_stage(facts, stage) for stage in reversed(begun))


def _stage(facts: EventFacts, stage: StageFacts) -> StageStandings:
    double = stage.kind.two_brackets
    knockout = stage.kind.has_bracket
    return StageStandings(
        id=f"stage-{stage.stage.number}",
        label=translate(stage.plan.label),
        state=stage.stage.get_state_display(),
        tone="info" if stage.stage.state == Stage.State.OPEN else "neutral",
        tables=() if knockout else (*_groups(facts, stage), *_compared(facts, stage)),
        rounds=_rounds(facts, stage) if knockout and not double else (),
        bracket=_bracket(facts, stage) if double else (),
    )


def _groups(facts: EventFacts, stage: StageFacts) -> list[StandingsTable]:
    return [
        StandingsTable(
            id=f"s{stage.stage.number}-g{index}",
            caption=group_label(stage.plan, name),
            columns=columns(facts.event, across=False),
            rows=standing_rows(facts, stage, standings, across=False),
            ties=set_rows(facts, stage, standings),
        )
        for index, (name, standings) in enumerate(stage.outcome.standings.items(), start=1)
    ]


def _compared(facts: EventFacts, stage: StageFacts) -> list[StandingsTable]:
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
            columns=columns(facts.event, across=True),
            rows=standing_rows(facts, stage, standings, across=True),
            ties=set_rows(facts, stage, standings),
            note=uneven_note(stage),
            compared=True,
        )
        for rank, standings in sorted(stage.outcome.compared.items())
        if rank in several
    ]


def uneven_note(stage: StageFacts) -> str:
    """Return how groups of different sizes are compared, empty if none are; no query."""
    sizes = sizes_compared(stage.plan, stage.used, players_in(stage.state))
    return translate(uneven(stage.plan, sizes)) if sizes else ""


def columns(event: Event, *, across: bool = False) -> tuple[Column, ...]:
    """Return the criteria with a numeric value in the event's order; no query."""
    return tuple(
        Column(
            short=translate(criterion.short),
            label=translate(criterion.label),
            explains=translate(criterion.explains),
        )
        for criterion in map(CRITERIA.get, event.criteria)
        if criterion.value is not None and (criterion.across or not across)
    )


def standing_rows(
    facts: EventFacts, stage: StageFacts, standings: Standings, *, across: bool
) -> tuple[StandingRow, ...]:
    """Return the rows of a table with the reason for each rank; no query."""
    names = {number_: entry.name for number_, entry in facts.entries.items()}
    because = rank_reasons(standings, names)
    sharing = Counter(row.rank for row in standings.rows)
    through = _through(stage, across=across)
    home = {p: group for group, seats in stage.state.seats.items() for p in seats}
    return tuple(
        _row(
            facts.entries[row.player],
            row,
            shared=sharing[row.rank] > 1,
            why=because.get(row.player, ""),
            through=through.get(row.player, ""),
            group=group_label(stage.plan, home[row.player]) if across else "",
        )
        for row in standings.rows
    )


def _row(
    entry: AnyEntry, row: Standing, *, shared: bool, why: str, through: str, group: str
) -> StandingRow:
    return StandingRow(
        rank=row.rank,
        shared=shared,
        entry=entry,
        group=group,
        played=row.played,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        values=tuple(number(value, key) for key, value in row.values.items()),
        why=why,
        through=through,
        left=entry.get_status_display() if entry.status in LEAVERS else "",
    )


def _through(stage: StageFacts, *, across: bool) -> dict[PlayerId, str]:
    """Return the label of the place that each player has won."""
    closed = stage.stage.state == Stage.State.CLOSED
    held = stage.stage.places if closed else stage.outcome.places
    kinds = (NthAmong,) if across else (NthAmong, RankOf)
    names = {place.name for place in stage.plan.places if isinstance(place, kinds)} & stage.used
    return {player: place_label(name) for name, player in held.items() if name in names}


def _rounds(facts: EventFacts, stage: StageFacts) -> tuple[KnockoutRound, ...]:
    pages = [pairings_page(facts, item.ordinal) for item in stage.rounds]
    return tuple(
        KnockoutRound(id=f"round-{page.round.ordinal}", label=page.label, rows=page.tables)
        for page in pages
        if page
    )


def _bracket(facts: EventFacts, stage: StageFacts) -> tuple[BracketRound, ...]:
    state = stage.stage.get_state_display()
    return tuple(bracket_columns(stage.plan, stage, Known(entries=facts.entries), state))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow(OnePlayer):
    """A player's final rank; ``shared`` if another player has the same."""

    rank: int
    shared: bool
    entry: AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The ranking, best first, and the number of players still in the event."""

    rows: tuple[RankingRow, ...]
    podium: tuple[RankingRow, ...]
    still_in: int

    @property
    def has_clubs(self) -> bool:
        """Return whether any player has a club."""
        return any(row.entry.club for row in self.rows)


def ranking_page(facts: EventFacts) -> RankingPage:
    """Return the ranking; while the event runs, of the eliminated players only.

    No query beyond ``facts``.
    """
    if facts.plan is None:
        return RankingPage(rows=(), podium=(), still_in=0)
    classes = facts.ranking
    still_in = facts.plan.players - sum(len(level) for level in classes)
    rows: list[RankingRow] = []
    for level in classes:
        rank = still_in + len(rows) + 1
        rows.extend(
            RankingRow(rank=rank, shared=len(level) > 1, entry=facts.entries[player])
            for player in level
        )
    podium = () if still_in else tuple(row for row in rows if row.rank <= 3)
    return RankingPage(rows=tuple(rows), podium=podium, still_in=still_in)
