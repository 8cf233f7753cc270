"""Who plays whom, as everybody may see it."""

from dataclasses import dataclass, replace
from operator import attrgetter
from types import MappingProxyType

from config.wording import translate
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.bracket_progress import still_in
from rules.ties.deciding import histories_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import points_of
from tournaments.models import Entry, Round
from tournaments.selectors.extra import across_groups
from tournaments.selectors.notes import Rulings
from tournaments.selectors.pairing_rows import (
    NO_LEADERS,
    Leaders,
    NameRow,
    TableRow,
    name_rows,
    table_row,
)

NO_RULINGS: Rulings = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLink:
    """A published round to choose."""

    ordinal: int
    label: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingsPage:
    """A published round. ``missing`` counts its matches without a final result.

    ``extra``: it is one of extra matches, which stand beside the rounds of the stage.
    """

    round: Round
    label: str
    stage: str
    best_of: tuple[int, ...]
    shows_points: bool
    shows_groups: bool
    tables: tuple[TableRow, ...]
    names: tuple[NameRow, ...]
    resting: tuple[Entry, ...]
    missing: int
    rounds: tuple[RoundLink, ...]
    is_latest: bool
    extra: bool


def pairings_page(
    facts: EventFacts,
    ordinal: int | None = None,
    leaders: Leaders = NO_LEADERS,
    rulings: Rulings = NO_RULINGS,
) -> PairingsPage | None:
    """Return a round, the latest unless another is asked for; no query beside the facts'.

    ``facts`` are without drafts; ``leaders`` stand beside the names, ``rulings`` beside the
    matches. None when there is no such round.
    """
    known = [(stage, item) for stage in facts.stages for item in stage.rounds]
    wanted = [pair for pair in known if ordinal in (None, pair[1].ordinal)]
    if not wanted:
        return None
    stage, item = wanted[-1]
    entries = {entry.pk: entry for entry in facts.entries.values()}
    matches = stage.matches_of(item)
    points = _points_before(facts, stage, item)
    joint = len(item.level_sets) > 1
    across = item.is_extra and not joint and across_groups(stage, item, matches[0])
    two_brackets = stage.kind.two_brackets
    tables = tuple(
        table_row(stage, item, match, entries, points, leaders, rulings.get(match.pk, ()))
        for match in matches
        if not match.missed
    )
    return PairingsPage(
        round=item,
        label=round_label(stage, item),
        stage=translate(stage.plan.label),
        best_of=tuple(sorted({row.best_of for row in tables if row.table is not None})),
        shows_points=bool(points),
        shows_groups=joint or ((len(stage.plan.groups) > 1 or two_brackets) and not across),
        tables=tuple(sorted(tables, key=lambda row: (row.table is None, row.table or 0))),
        names=name_rows(tables),
        resting=() if item.is_extra else _resting(facts, stage, item),
        missing=sum(not row.is_final for row in tables),
        rounds=tuple(
            RoundLink(
                ordinal=other.ordinal,
                label=f"{translate(of.plan.label)} – {round_label(of, other)}",
                current=other.pk == item.pk,
            )
            for of, other in known
        ),
        is_latest=item.pk == known[-1][1].pk,
        extra=item.is_extra,
    )


def _points_before(facts: EventFacts, stage: StageFacts, item: Round) -> dict[PlayerId, int]:
    if stage.kind.has_bracket or item.is_extra:
        return {}
    return {
        player: tally.points
        for history in histories_of(_before(stage, item), points_of(facts.event), {}).values()
        for player, tally in history.tallies.items()
    }


def _before(stage: StageFacts, item: Round) -> StageState:
    index = next(i for i, other in enumerate(stage.regular_rounds) if other.pk == item.pk)
    return replace(stage.state, rounds=stage.state.rounds[:index])


def _resting(facts: EventFacts, stage: StageFacts, item: Round) -> tuple[Entry, ...]:
    """Return who is in a stage but has no match in the round, by name; in a knock-out nobody."""
    if stage.kind.two_brackets:
        players = still_in(_before(stage, item))
    else:
        players = frozenset(() if stage.kind.has_bracket else stage.state.players)
    matches = stage.matches_of(item)
    at_tables = {entry for match in matches for entry in (match.a_id, match.b_id)}
    seated = [facts.entries[player] for player in players]
    resting = [entry for entry in seated if entry.plays and entry.pk not in at_tables]
    return tuple(sorted(resting, key=attrgetter("name_key", "number")))
