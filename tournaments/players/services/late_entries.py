"""Late entries and players who return to Swiss rounds: the rounds they missed, and the match of the
round in play that they join.

Source: tournament rules, Registration (late entry) and Points (withdrawn players).
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from config import transaction
from decks.decklists.selectors import sentence_to_json
from rules import results
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.results import Outcome, PlayerId
from rules.stages.base import paired_matches, state_before_round
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.formulas import allows_half_byes
from tournaments.core.mapping import seating_cost_json, stored_plan
from tournaments.core.permissions import Actor
from tournaments.core.rows import AnyEntry, RoundRow
from tournaments.log.services import begin_act
from tournaments.matches.services import PLAYS, settle_match
from tournaments.models import Entry, Event, Match, MatchSeat, Round, Seat, TimeExtension
from tournaments.players.acts import ADDED_LATE
from tournaments.players.selectors.returns import (
    JoinableMatch,
    JoinRequest,
    find_requested_match,
    has_place,
)
from tournaments.players.services.entries import (
    clean_person,
    create_checked_in_entry,
    entry_values_for_log,
)
from tournaments.undo.services import undoable

LOSS, BYE, HALF_BYE = "loss", "bye", "half_bye"
MISSED: Mapping[str, Outcome] = {
    LOSS: results.MISSED,
    BYE: results.BYE,
    HALF_BYE: results.HALF_BYE,
}
"""What a missed round can count as: nobody won it, or it is a bye, or half of one."""
MOVED = ("status", "waiting_since", "left", "return_asked_at", "return_refused_at")


@transaction.atomic
def add_late_entry(
    *,
    event: Event,
    name: str,
    surname: str = "",
    club: str = "",
    missed: str,
    joins: JoinRequest | None = None,
    by: Actor,
) -> Entry:
    """Enter a new player into the Swiss rounds in progress, and return them.

    They are paired from the next round on. ``missed`` is what each earlier round counts as:
    "loss", "bye", or "half_bye" if `allows_half_byes`. ``joins`` is a match of the present round to
    join. Capacity and waiting list don't apply. Raises RuleError ``event_not_running``,
    ``late_entry_not_possible``, ``rounds_over``, ``no_bye``, ``no_seat``, ``too_few_tables``;
    BadInput ``bad_missed``.
    """
    event = begin_act(event, ADDED_LATE, by=by)
    facts = load_facts(event)
    opening = find_requested_match(facts, joins) if joins else None
    stage = _stage_that_admits(facts, missed, opening)
    with undoable(event, ADDED_LATE, by=by) as act:
        entry = create_checked_in_entry(event, clean_person(name, surname, club))
        act.subject = entry.name
        act.after = _seat_and_log(event, stage, entry, missed, opening, by=by)
    return entry


@transaction.atomic
def enter_late(
    *, entry: Entry, missed: str = LOSS, joins: JoinRequest | None = None, by: Actor
) -> Entry:
    """Enter a waiting player into the Swiss rounds in progress, and return them.

    They keep number, link, decklist and answers. Arguments and errors are those of
    ``add_late_entry``, and RuleError ``event_finished``, ``entry_not_waiting``.
    """
    event = begin_act(entry.event, ADDED_LATE, by=by)
    next_state("event", event.state, "move_player")
    entry = event.entries.get(pk=entry.pk)
    status = next_state("entry", next_state("entry", entry.status, "promote"), "check_in")
    facts = load_facts(event)
    opening = find_requested_match(facts, joins) if joins else None
    stage = _stage_that_admits(facts, missed, opening)
    return seat_late_player(event, stage, entry, status, missed, opening, by=by)


def seat_late_player(
    event: Event,
    stage: StageFacts,
    entry: Entry,
    status: str,
    missed: str,
    opening: JoinableMatch | None = None,
    *,
    reason: str = "",
    by: Actor,
) -> Entry:
    """Seat an entry without a seat into a running stage, and return it.

    ``status`` is its new status, ``missed`` that of ``add_late_entry``. In a transaction with the
    event locked.
    """
    before = {"status": entry.status}
    with undoable(
        event, ADDED_LATE, by=by, subject=entry.name, before=before, reason=reason
    ) as act:
        entry.status, entry.waiting_since, entry.left = status, None, ""
        entry.return_asked_at = entry.return_refused_at = None
        entry.save(update_fields=MOVED)
        act.after = _seat_and_log(event, stage, entry, missed, opening, by=by)
    return entry


def find_stage_to_enter(
    facts: EventFacts, entry: Entry, opening: JoinableMatch | None = None
) -> StageFacts | None:
    """Return the stage that a returning player enters late, None if they had a place.

    None also before the start. ``opening`` is the match that they join. Raises as
    ``add_late_entry``.
    """
    if facts.plan is None:
        return None
    if has_place(facts, entry.number):
        return None
    return _stage_that_admits(facts, LOSS, opening)


def _stage_that_admits(
    facts: EventFacts, missed: str, opening: JoinableMatch | None = None
) -> StageFacts:
    """Return the stage that a late entry joins; raises as ``add_late_entry``."""
    next_state("event", facts.event.state, "play")
    if missed not in MISSED or (missed == HALF_BYE and not allows_half_byes(facts.event)):
        raise BadInput(
            "bad_missed",
            "Choose one of the options.",
        )
    stage = facts.open_stage
    if stage is None or not stage.kind.admits_late:
        raise RuleError(
            "late_entry_not_possible",
            "Players can no longer join the event.",
        )
    if opening is None and len(stage.regular_rounds) >= max(stage.plan.rounds, stage.total_rounds):
        raise RuleError(
            "rounds_over",
            "Players can no longer join the event.",
        )
    return stage


def _seat_and_log(
    event: Event,
    stage: StageFacts,
    entry: Entry,
    missed: str,
    opening: JoinableMatch | None,
    *,
    by: Actor,
) -> dict[str, Any]:
    """Seat a player in a stage, store the rounds missed, and return the facts for the log."""
    at = stage.stage.number - 1
    event.plan = stored_plan(event).with_late_entry(at, entry.number, entry.byes).to_json()
    event.save(update_fields=["plan"])
    (group,) = stage.groups
    seats = len(stage.state.seats[group.name])
    Seat.objects.create(stage=stage.stage, group_id=group.pk, number=seats + 1, entry=entry)
    rounds = store_missed_rounds(stage, entry, missed, but=opening, by=by)
    told = join_match(opening, entry, by=by) if opening else {}
    return entry_values_for_log(entry) | {"missed": missed, "rounds": rounds} | told


def join_match(opening: JoinableMatch, entry: Entry, *, by: Actor) -> dict[str, Any]:
    """Give a player a seat in a match, and return the values for the log.

    A bye's report stays on record; the match is open again. In a transaction with the event locked.
    Raises RuleError ``too_few_tables``.
    """
    match = Match.objects.get(pk=opening.match.pk)
    match.give_to([*match.players, entry])
    match.table = opening.table_with(entry.number, entry.fixed_table)
    match.decision, match.state, match.missed = None, Match.State.OPEN, False
    match.reason = sentence_to_json(PLAYS) | {"by_hand": True}
    match.save()
    match.seated[-1].save()
    if opening.round.cost is not None:
        _count_cost(opening)
    minutes = opening.minutes if opening.extend else 0
    if minutes:
        TimeExtension.objects.create(match=match, minutes=minutes, by=by.user)
    met = {"bye_of": opening.numbers[0]} if opening.is_bye else {"joins": list(opening.numbers)}
    return {
        "round": opening.round.ordinal,
        "match": match.number,
        "table": match.table,
        **met,
        **({"minutes": minutes} if minutes else {}),
    }


def _count_cost(opening: JoinableMatch) -> None:
    """Store what the tables of a round cost now that somebody joined one."""
    facts = load_facts(Event.objects.get(pk=opening.facts.event.pk))
    stage = facts.stages[opening.stage.stage.number - 1]
    index = len(stage.regular_rounds) - 1
    tables = [seats for _group, _number, seats in paired_matches(stage.state, index)]
    before = state_before_round(stage.state, index)
    cost = seating_cost_json(before, tables, by_rules=False)
    Round.objects.filter(pk=opening.round.pk).update(cost=cost)


def record_missed_rounds(
    event: Event, entry: Entry, *, but: JoinableMatch | None = None, by: Actor
) -> list[int]:
    """Record as losses the rounds that a returning player missed.

    Return the rounds' ordinals, none without a seat in an open Swiss stage. ``but`` is the match
    that they join. In a transaction with the event locked.
    """
    stage = load_facts(event).open_stage
    seated = stage is not None and entry.number in stage.state.players
    if stage is None or not stage.kind.admits_late or not seated:
        return []
    return store_missed_rounds(stage, entry, LOSS, but=but, by=by)


def record_missed_rounds_of_rejoined(event: Event, *, by: Actor) -> Mapping[str, object]:
    """Record missed rounds as losses for players who rejoined a closed stage.

    Return {"missed", "players", "rounds"} for the log, empty if there are none. In a transaction
    with the event locked, after the Swiss stage was reopened.
    """
    facts = load_facts(event)
    stage = facts.open_stage
    if stage is None or not stage.kind.admits_late:
        return {}
    lost: dict[PlayerId, list[int]] = {}
    for player in stage.state.players:
        if player not in stage.state.withdrawn:
            lost[player] = store_missed_rounds(stage, facts.entries[player], LOSS, by=by)
    players = sorted((player for player, rounds in lost.items() if rounds), key=int)
    rounds = sorted({ordinal for ordinals in lost.values() for ordinal in ordinals})
    return {"missed": LOSS, "players": players, "rounds": rounds} if players else {}


def store_missed_rounds(
    stage: StageFacts,
    entry: AnyEntry,
    missed: str,
    *,
    but: JoinableMatch | None = None,
    by: Actor,
) -> list[int]:
    """Store a missed round for each round in which an entry has no match.

    ``missed`` is "loss", "bye" or "half_bye"; the round of the match ``but``, which they join, is
    left out. Return the rounds' ordinals.
    """
    found = []
    for item in stage.regular_rounds:
        taken = but is not None and item.pk == but.round.pk
        if taken or any(entry.pk in match.seats for match in stage.matches_of(item)):
            continue
        settle_match(_without_opponent(stage, item, entry), MISSED[missed], by=by)
        found.append(item.ordinal)
    return found


def _without_opponent(stage: StageFacts, round_: RoundRow, entry: AnyEntry) -> Match:
    """Store a match numbered after the others of the round."""
    last: int | None = Match.objects.filter(round=round_.pk).aggregate(last=Max("number"))["last"]
    match = Match.objects.create(
        round_id=round_.pk,
        group_id=stage.groups[0].pk,
        number=(last or 0) + 1,
        best_of=stage.plan.best_of[0],
        missed=True,
    )
    MatchSeat.objects.create(match=match, round_id=round_.pk, entry_id=entry.pk)
    return match
