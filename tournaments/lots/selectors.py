"""Tied players, between whom lots or tiebreaker matches decide, and the public list of draws."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import starmap, takewhile
from typing import Any

from config.wording import translate
from rules.criteria.head_to_head import HEAD_TO_HEAD, HEAD_TO_HEAD_UEFA
from rules.criteria.of_tables import find_criterion
from rules.events.lifecycle import is_allowed
from rules.plans import ComparedRankPlace, RankPlace
from rules.results import PlayerId
from rules.stages import stage_kind
from rules.stages.base import TiebreakerRound
from rules.standings.table import Standings
from rules.ties.decisions import Classes, classes_of_present_players, current_tiebreaker_series
from rules.ties.draws import seed_fingerprint
from tournaments.core.draw_origins import DrawOrigin, draw_kind_label, draw_origin, draw_origins
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.extra_matches import is_tie_relevant, tied_set_label, tied_set_text
from tournaments.core.labels import round_label
from tournaments.core.rows import AnyEntry, AnyRound
from tournaments.models import Draw, Event, Round, Stage
from tournaments.standings.selectors.proofs import format_value
from tournaments.standings.selectors.ranking import ranking_page

AMONG_LEVEL = frozenset({HEAD_TO_HEAD.key, HEAD_TO_HEAD_UEFA.key})
"""Criteria without a figure of a player's own: they compare the level players in a group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedPlayers:
    """Tied players whom a random draw can put in order."""

    players: tuple[AnyEntry, ...]

    @property
    def numbers(self) -> str:
        """Return the player numbers as forms submit them."""
        return ",".join(str(entry.number) for entry in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedSet(TiedPlayers):
    """Tied players, and what depends on their order.

    ``decides`` is "who" (which of them advance), "seeds" (all advance to the same bracket), "where"
    (all advance, to different places) or "" if no later stage depends on it. ``where`` names their
    places, ``level_on`` each tiebreaker with the value they share ("" if it has none). ``extra`` is
    the number of the next round of tiebreaker matches out of ``extra_rounds``; both are 0 if none
    can be played.
    """

    where: str
    level_on: tuple[tuple[str, str], ...]
    decides: str
    extra: int
    extra_rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRank(TiedPlayers):
    """Players who share final ranks ``first`` to ``last``.

    No later stage depends on their order.
    """

    first: int
    last: int


def tiebreaking_draws_context(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of random draws between tied players.

    It is about the open stage, else the last one. ``sets`` are the tied sets, ``shared`` the
    shared final ranks, ``extra`` the rounds of tiebreaker matches played, ``next_round`` the
    ordinal of the next round. Draws need a ``running`` event. The queries are those of
    `draw_origins`.
    """
    stage = facts.open_stage or (facts.stages[-1] if facts.stages else None)
    ready = bool(stage and stage.rounds and stage.rounds_done and not stage.missing)
    sets = tied_sets(stage) if stage and ready else ()
    origins = draw_origins(facts.event, facts.draws)
    drawn = tuple(
        (draw, tuple(facts.entries[number] for number in draw.order), origins[draw.number])
        for draw in facts.draws
        if stage and draw.kind == Draw.Kind.LOTS and draw.stage_id == stage.stage.pk
    )
    shown = tuple(_tied_set(facts, stage, tied) for tied in sets) if stage else ()
    return {
        "stage": stage,
        "running": is_allowed("event", facts.event.state, "draw_lots"),
        "ready": ready,
        "sets": shown,
        "together": _together(shown),
        "shared": tuple(_shared_rank_rows(facts, sets)) if ready else (),
        "drawn": drawn,
        "extra": tuple(starmap(partial(_extra_played, stage), stage.extra_sets)) if stage else (),
        "under_way": _extra_under_way(stage) if stage else None,
        "next_round": facts.last_ordinal + 1,
    }


def shared_final_ranks(facts: EventFacts) -> Iterator[tuple[PlayerId, ...]]:
    """Yield the sets of players who share a final rank, as player numbers.

    Ranks that a final knock-out leaves shared are not among them.
    """
    begun = [stage for stage in facts.stages if stage.groups]
    knockouts = [stage for stage in begun if stage.kind.has_bracket]
    last = {p for stage in knockouts if stage.plan.survivors == 1 for p in stage.state.players}
    for level in facts.ranking:
        if len(level) > 1 and not last.intersection(level):
            yield level


def _together(sets: Iterable[TiedSet]) -> tuple[TiedSet, ...]:
    """Return the sets that can play tiebreaker matches in one round; empty if fewer than two."""
    found: list[TiedSet] = []
    for tied in sets:
        busy = {entry for other in found for entry in other.players}
        if tied.extra and busy.isdisjoint(tied.players):
            found.append(tied)
    return tuple(found) if len(found) > 1 else ()


def _shared_rank_rows(facts: EventFacts, sets: Classes) -> Iterator[SharedRank]:
    """Yield the shared final ranks that are not tied sets of the stage."""
    known = {frozenset(tied) for tied in sets}
    wanted = [level for level in shared_final_ranks(facts) if frozenset(level) not in known]
    ranks = {row.entry.number: row.rank for row in ranking_page(facts).rows} if wanted else {}
    for level in wanted:
        first = ranks[int(level[0])]
        players = tuple(facts.entries[number] for number in level)
        yield SharedRank(players=players, first=first, last=first + len(level) - 1)


def _extra_played(stage: StageFacts, round_: AnyRound, extra: TiebreakerRound) -> dict[str, Any]:
    """One tied set in a round of tiebreaker matches; ``counts`` while its players are tied."""
    missing = {match.number for match in stage.missing if match.round_id == round_.pk}
    own = {pairing.number for pairing, _result in extra.played}
    return {
        "round": round_,
        "label": tied_set_label(stage, extra),
        "open": round_.state == Round.State.DRAFT or not missing.isdisjoint(own),
        "counts": is_tie_relevant(stage.outcome, extra.level),
    }


def _extra_under_way(stage: StageFacts) -> dict[str, Any] | None:
    """Return the extra round that is drafted or being played, with all its sets."""
    for item, extra in stage.extra_sets:
        played = _extra_played(stage, item, extra)
        if played["open"]:
            return played | {"label": round_label(stage, item)}
    return None


def _extra_of(facts: EventFacts, stage: StageFacts, tied: tuple[PlayerId, ...]) -> tuple[int, int]:
    """Return the number of a set's next extra round and their total; zeros if it has none."""
    is_open = stage.stage.state == Stage.State.OPEN
    if not is_open or facts.event.state != Event.State.RUNNING:
        return 0, 0
    series = current_tiebreaker_series(stage.state, tied)
    return (len(series.rounds) + 1, series.total) if series.total else (0, 0)


def _tied_set(facts: EventFacts, stage: StageFacts, tied: tuple[PlayerId, ...]) -> TiedSet:
    needed = {frozenset(group) for group in stage.outcome.lots_needed}
    table = _table_of(stage, frozenset(tied))
    row = next(row for row in table.rows if row.player == tied[0])
    in_group = any(table is each for each in stage.outcome.standings.values())
    extra, total = _extra_of(facts, stage, tied)
    return TiedSet(
        players=tuple(facts.entries[player] for player in tied),
        where=tied_set_text(stage, tied),
        level_on=tuple(
            (
                translate(find_criterion(key).label),
                format_value(row.values[key], key) if has_value else "",
            )
            for key in facts.event.criteria
            for has_value in (key in row.values,)
            if has_value or (in_group and key in AMONG_LEVEL)
        ),
        decides=_depends(facts, stage, table, tied) if frozenset(tied) in needed else "",
        extra=extra,
        extra_rounds=total,
    )


def _depends(
    facts: EventFacts, stage: StageFacts, table: Standings, tied: tuple[PlayerId, ...]
) -> str:
    """Return what of later stages depends on a tied set: ``who``, ``seeds`` or ``where``."""
    classes = classes_of_present_players(table, stage.state.withdrawn)
    here = {player for player in tied if player not in stage.state.withdrawn}
    first = sum(len(level) for level in takewhile(here.isdisjoint, classes)) + 1
    later = [facts.stages[at].plan for at in range(stage.stage.number, len(facts.stages))]
    group = next((name for name, each in stage.outcome.standings.items() if each is table), None)
    rank = next((rank for rank, each in stage.outcome.compared.items() if each is table), None)
    leads: set[str | None] = set()
    for position in range(first, first + len(here)):
        named = [
            place.name
            for place in stage.plan.places
            if (isinstance(place, RankPlace) and (place.group, place.rank) == (group, position))
            or (
                isinstance(place, ComparedRankPlace) and (place.rank, place.nth) == (rank, position)
            )
        ]
        compared = [
            place
            for place in stage.plan.places
            if group is not None
            and isinstance(place, ComparedRankPlace)
            and place.rank == position
            and group in place.groups
        ]
        if compared and len(compared) == len(compared[0].groups):  # all on this rank go on
            named += [place.name for place in compared]
        found = {
            plan.key
            for plan in later
            if any(name in g.seats for g in plan.groups for name in named)
        }
        leads |= found or {None}
    if None in leads:
        return "who"
    brackets = [plan for plan in later if plan.key in leads and stage_kind(plan).has_bracket]
    return "seeds" if len(leads) == len(brackets) == 1 else "where"


def _table_of(stage: StageFacts, tied: frozenset[PlayerId]) -> Standings:
    """Return the table in which the set is tied."""
    return next(
        table
        for table in (*stage.outcome.standings.values(), *stage.outcome.compared.values())
        if any(frozenset(level) == tied for level in table.tied)
    )


def tied_sets(stage: StageFacts) -> Classes:
    """Return a stage's sets of tied players; no query.

    The sets that keep the stage from closing come first.
    """
    found = [tuple(group) for group in stage.outcome.lots_needed]
    tables = (*stage.outcome.standings.values(), *stage.outcome.compared.values())
    known = {frozenset(group) for group in found}
    for table in tables:
        for group in table.tied:
            if frozenset(group) not in known:
                known.add(frozenset(group))
                found.append(tuple(group))
    return tuple(found)


def random_draws_context(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of the page of random draws.

    ``rows`` are the draws made, latest first, ``pairing_seeds`` those of Swiss stages,
    ``next_fingerprint`` that of the announced seed. The queries are those of `draw_origins`.
    """
    origins = draw_origins(facts.event, facts.draws)
    labels = {stage.stage.pk: translate(stage.plan.label) for stage in facts.stages}
    drawn = [draw for draw in facts.draws if draw.state == Draw.State.DRAWN]
    announced = next((d for d in facts.draws if d.state == Draw.State.ANNOUNCED), None)
    return {
        "rows": tuple(
            _draw_row(facts, draw, labels, origins[draw.number]) for draw in reversed(drawn)
        ),
        "pairing_seeds": tuple(
            _pairing_seed(stage.stage, labels) for stage in facts.stages if stage.stage.seed
        ),
        "next_fingerprint": announced.fingerprint if announced else "",
    }


def _pairing_seed(stage: Stage, labels: dict[int, str]) -> dict[str, Any]:
    closed = stage.state == Stage.State.CLOSED
    return {
        "stage": labels[stage.pk],
        "fingerprint": seed_fingerprint(stage.seed),
        "seed": stage.seed if closed else "",
    }


def _draw_row(
    facts: EventFacts, draw: Draw, labels: dict[int, str], origin: DrawOrigin
) -> dict[str, Any]:
    """A past draw; ``seeded`` are the players who came first by their seed position."""
    pairs = [item if isinstance(item, list) else [item, None] for item in draw.entrants]
    return {
        "id": f"draw-{draw.number}",
        "draw": draw,
        "kind": draw_kind_label(draw),
        "stage": labels.get(draw.stage_id or 0, ""),
        "origin": origin,
        "entrants": _entries_of(facts, [number for number, _seed in pairs]),
        "seeded": _entries_of(facts, [number for number, seed in pairs if seed is not None]),
        "order": _entries_of(facts, draw.order),
    }


def _entries_of(facts: EventFacts, numbers: list[int]) -> tuple[AnyEntry, ...]:
    """Return the entries of these numbers, without players removed since."""
    return tuple(facts.entries[number] for number in numbers if number in facts.entries)


def draw_json(draw: Draw) -> dict[str, Any]:
    """Return a random draw as JSON: number, order, seed and origin; three queries."""
    origin = draw_origin(draw)
    drawn = {"number": draw.number, "order": list(draw.order), "seed": draw.seed}
    return drawn | origin.json | {"words": origin.words}
