"""Reports that the opponent has left unanswered for as long as the event allows, and what a
correction contradicts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Min, QuerySet
from django.utils.translation import gettext as _

from rules.results import Outcome, PlayerId
from rules.stages.base import (
    Met,
    Played,
    StageState,
    is_paired_by_hand,
    paired_matches,
    state_before_round,
)
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.extra_matches import needless_tiebreaker_rounds
from tournaments.core.kept_places import stage_with_place_holders
from tournaments.core.labels import round_label
from tournaments.core.permissions import Actor, can_enter_results, can_rule
from tournaments.core.rows import AnyMatch, RoundRow
from tournaments.matches.words import seat_names
from tournaments.models import Event, Match, Report, Round, Stage
from tournaments.rounds.selectors.discards import is_paired_elsewhere


def self_confirmation_time(event: Event, report: Report) -> datetime | None:
    """Return when an unanswered report becomes final by itself, None for never."""
    if not event.confirm_after:
        return None
    return report.at + timedelta(minutes=event.confirm_after)


def due_reports(event: Event, now: datetime) -> QuerySet[Report]:
    """Return the unanswered reports whose time limit is over, by match.

    No query if the event has no time limit or is not running.
    """
    due = _unanswered(event).filter(at__lte=now - timedelta(minutes=event.confirm_after))
    related = due.select_related("match__round")
    return related.order_by("match__round", "match__number")


def next_confirmation_time(event: Event) -> datetime | None:
    """Return when the next unanswered report becomes final by itself, None without one.

    One query, none if the event has no time limit or is not running.
    """
    if not event.confirms_reports:
        return None
    first: datetime | None = _unanswered(event).aggregate(at=Min("at"))["at"]
    return first and first + timedelta(minutes=event.confirm_after)


def _unanswered(event: Event) -> QuerySet[Report]:
    if not event.confirms_reports:
        return Report.objects.none()
    return Report.objects.filter(
        match__round__event=event,
        match__state=Match.State.REPORTED,
        version=F("match__version"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """A place in a later stage whose holder changes; None for nobody yet.

    ``before`` is the stored holder of a closed stage, else the one by present results.
    """

    place: str
    before: PlayerId | None
    after: PlayerId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictedRound:
    """A round whose pairings would differ: matches ``gone``, and matches ``instead``.

    Of a round changed by hand, the proposal is compared. Both are empty if the same
    players meet at other tables or elsewhere in a bracket.
    """

    round: RoundRow
    gone: tuple[Met, ...]
    instead: tuple[Met, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """The effects of changing a result: changed ranks and places, contradicted rounds.

    ``rounds`` and ``stages`` are contradicted, unplayed tiebreaker rounds of players no longer tied
    included; ``idle`` are played ones, which stay without effect. ``repairings`` are the changed
    pairings of the other rounds.
    """

    moves: tuple[dict[str, Any], ...]
    places: tuple[PlaceChange, ...]
    rounds: tuple[RoundRow, ...]
    stages: tuple[Stage, ...]
    idle: tuple[RoundRow, ...] = ()
    repairings: tuple[ContradictedRound, ...] = ()

    @property
    def reaches_further(self) -> bool:
        """Return whether any round or stage made from the old result is contradicted."""
        return bool(self.rounds or self.stages)

    @property
    def kept(self) -> list[dict[str, object]]:
        """Return who holds a place against the standings, as data for the log."""
        return [
            {"place": each.place, "holds": each.before, "belongs": each.after}
            for each in self.places
        ]


def correction_effects(facts: EventFacts, match: AnyMatch, outcome: Outcome) -> Effects:
    """Return the effects that another outcome of a match would have; no query."""
    stage = next(s for s in facts.stages if any(g.pk == match.group_id for g in s.groups))
    changed = replace(stage, state=state_with_outcome(stage, match, outcome))
    return stage_change_effects(facts, stage, changed)


def stage_change_effects(facts: EventFacts, stage: StageFacts, changed: StageFacts) -> Effects:
    """Return the effects of changing a stage's results or random draws; no query.

    ``stage`` is from before the change, ``changed`` from after it.
    """
    stage, changed = stage_with_place_holders(stage), stage_with_place_holders(changed)
    before = stage.outcome
    after = changed.outcome
    places = _place_changes(before.places, after.places, stage.used)
    if places:  # compare with the stored holders: an earlier correction may have kept them
        places = _place_changes(stage.advanced.places, after.places, stage.used)
    later_stages = tuple(
        s.stage
        for s in facts.stages
        if s.stage.number > stage.stage.number and s.stage.state != Stage.State.PENDING
    )
    empty, idle = needless_tiebreaker_rounds(stage, before, after)
    repairings = _contradicted_rounds(stage, changed)
    return Effects(
        moves=_moves(before.standings, after.standings),
        places=places,
        rounds=(*(each.round for each in repairings), *empty),
        stages=later_stages if places and stage.stage.state == Stage.State.CLOSED else (),
        idle=idle,
        repairings=repairings,
    )


def state_with_outcome(stage: StageFacts, match: AnyMatch, outcome: Outcome) -> StageState:
    """Return the state of a stage in which a match would have another outcome."""

    def changed(round_: RoundRow, played: Played) -> Played:
        if round_.pk != match.round_id:
            return played
        return tuple(
            (
                pairing,
                replace(result, outcome=outcome) if pairing.number == match.number else result,
            )
            for pairing, result in played
        )

    return stage.state_with(changed)


def _contradicted_rounds(stage: StageFacts, changed: StageFacts) -> tuple[ContradictedRound, ...]:
    """Return the stage's later rounds that the changed state would pair differently.

    For a round changed by hand the rules' proposals are compared; one that was paired elsewhere
    follows from none. A round whose pairings an earlier correction contradicts, and this one no
    further, is none of them.
    """
    found = []
    for index, item in enumerate(stage.regular_rounds):
        if is_paired_elsewhere(stage, item):
            continue
        by_hand = is_paired_by_hand(stage.state, index, draft=item.state == Round.State.DRAFT)
        made = _proposed_meetings(stage, index) if by_hand else paired_matches(stage.state, index)
        would = _proposed_meetings(changed, index)
        if would not in (made, _proposed_meetings(stage, index)):
            gone, instead = _meetings_not_in(made, would), _meetings_not_in(would, made)
            found.append(ContradictedRound(round=item, gone=gone, instead=instead))
    return tuple(found)


def _meetings_not_in(meetings: Iterable[Met], others: Iterable[Met]) -> tuple[Met, ...]:
    there = {frozenset(players) for _group, _number, players in others}
    found = (met for met in meetings if frozenset(met[2]) not in there)
    return tuple(sorted(found, key=lambda met: met[:2]))


def _proposed_meetings(stage: StageFacts, index: int) -> frozenset[Met]:
    """Return the meetings that the rules pair for one of the stage's rounds."""
    pairings = stage.kind.next_round(state_before_round(stage.state, index))
    return frozenset((p.group, p.number, p.seats) for p in pairings)


def _moves(
    before: Mapping[str, Standings], after: Mapping[str, Standings]
) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"group": group, "number": row.player, "before": ranks[row.player], "after": row.rank}
        for group, table in after.items()
        for ranks in [{row.player: row.rank for row in before[group].rows}]
        for row in table.rows
        if ranks[row.player] != row.rank
    )


def _place_changes(
    before: Mapping[str, PlayerId], after: Mapping[str, PlayerId], used: frozenset[str]
) -> tuple[PlaceChange, ...]:
    return tuple(
        PlaceChange(place=name, before=before.get(name), after=after.get(name))
        for name in sorted(used & (set(before) | set(after)))
        if before.get(name) != after.get(name)
    )


MOST_OPEN = 8
"""Pairings of a round that the page lists at most without folding."""


def may_correct(actor: Actor, match: Match) -> bool:
    """Return whether the actor may correct a match's result.

    Organisers and head judges may; other staff only in the latest round of an open stage. At most
    one query.
    """
    event = match.round.event
    if can_rule(actor, event):
        return True
    if match.group.stage.state == Stage.State.CLOSED or not can_enter_results(actor, event):
        return False
    return match.round.ordinal == event.rounds.aggregate(last=Max("ordinal"))["last"]


def contradicted_rounds(facts: EventFacts, stage: StageFacts, effects: Effects) -> dict[str, Any]:
    """Return the rounds that a correction contradicts, as labels for the page; no query.

    Keys: ``pairings``: rounds that would have been paired differently, each as a dict with its
    label and its pairings before and after; ``others_meet``: whether different players would have
    met; ``idle``: labels of tiebreaker rounds that would no longer count.
    """
    pairings = tuple(_pairings(facts, stage, each) for each in effects.repairings)
    return {
        "pairings": pairings,
        "others_meet": any(each["made"] or each["instead"] for each in pairings),
        "idle": tuple(_extra(stage, item) for item in effects.idle),
    }


def _round(stage: StageFacts, round_: RoundRow) -> str:
    """Return the name of a contradicted round, marked if some of it was paired by hand."""
    words = round_label(stage, round_)
    if any(match.reason.get("by_hand") for match in stage.matches_of(round_)):
        return _("%(round)s (paired manually)") % {"round": words}
    return words


def _pairings(facts: EventFacts, stage: StageFacts, changed: ContradictedRound) -> dict[str, Any]:
    """Return the differing pairings of a round, with names; ``is_short``: not folded."""

    def named(meetings: tuple[Met, ...]) -> tuple[tuple[str, ...], ...]:
        every = ([facts.entries[p].display_name for p in players] for _g, _n, players in meetings)
        return tuple(map(seat_names, every))

    made, instead = named(changed.gone), named(changed.instead)
    return {
        "round": _round(stage, changed.round),
        "made": made,
        "instead": instead,
        "is_short": max(len(made), len(instead)) <= MOST_OPEN,
    }


def _extra(stage: StageFacts, round_: RoundRow) -> str:
    number = _("Round %(number)s") % {"number": round_.ordinal}
    return ": ".join((number, round_label(stage, round_)))
