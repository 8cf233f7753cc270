"""What every correction does that is carried through (store who belongs where, or remove rounds),
and
corrections of seats, byes, lots and seeds.
"""

from collections.abc import Collection, Mapping, Sequence

from config import transaction
from decks.decklists.selectors import sentence_to_json
from rules.corrections import CorrectionEffect, MatchChange, SeatChange
from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.names import check_confirmation_name
from tournaments.core.permissions import Actor
from tournaments.core.replays import next_round_ordinal
from tournaments.corrections.acts import FOLLOWED, SEEDS_CORRECTED, SEEDS_TAKEN_BACK, TAKEN_BACK
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    TAKE_BACK,
    Correction,
    draw_correction,
    matches_by_key,
    seat_loss_correction,
)
from tournaments.corrections.selectors.seat import bye_correction, is_still_to_play, replay_tables
from tournaments.corrections.selectors.start import (
    reopened_seat_changes,
    seeds_correction,
    starting_order,
)
from tournaments.log.services import begin_act, check_allowed
from tournaments.lots.services import LOTS_CORRECTED, store_corrected_order
from tournaments.matches.services import (
    PLAYS,
    add_outcome,
    lock_match,
    match_log_subject,
    set_decision,
    settle_match,
)
from tournaments.models import Draw, Entry, Event, Match, MatchSeat, Report, Seat, Stage
from tournaments.models.play import matches_with_players
from tournaments.players.services.late_entries import record_missed_rounds_of_rejoined
from tournaments.players.services.seeds import merge_seeds, store_seeds
from tournaments.rounds.services import delete_round
from tournaments.snapshots.services import take_snapshot
from tournaments.stages.services import reopen_stage, reset_open_stage
from tournaments.undo.services import LineContent, undoable

RESTS = Sentence("Bye awarded by the organiser.")
NOTHING_FOLLOWS = Sentence("Nothing else has to change.")
TOUCHED = (Stage, Seat, Match, MatchSeat, Report)
"""The tables in which a correction that is followed changes something."""


def check_reason(reason: str) -> None:
    """Raise BadInput ``reason_missing`` for an empty reason."""
    if not reason.strip():
        raise BadInput("reason_missing", "Give a reason.")


def check_page_current(found: Correction, shown: str) -> None:
    """Raise RuleError ``stale`` unless ``shown`` is the correction's present mark.

    ``shown``: the mark that the page had.
    """
    if shown != found.mark:
        raise RuleError("stale")


def check_can_follow(found: Correction) -> None:
    """Raise RuleError ``cannot_follow`` with the reason if seats and matches can't follow."""
    if found.why_not is not None or found.follows is None:
        why = found.why_not or NOTHING_FOLLOWS
        raise RuleError("cannot_follow", why.template, **why.values)


def check_can_take_back(found: Correction, shown: str, confirm: str) -> None:
    """Raise an error unless the rounds made from the error may be deleted.

    ``shown``: the mark on the page; ``confirm``: the typed name of the event, needed if results are
    deleted. RuleError ``stale``, ``nothing_to_take_back``; BadInput ``not_confirmed``.
    """
    check_page_current(found, shown)
    if not found.takes_back:
        raise RuleError("nothing_to_take_back", NOTHING_FOLLOWS.template)
    if found.results_gone:
        check_confirmation_name(confirm, found.facts.event.name)


def store_effects(found: Correction, *, reason: str, now: bool, by: Actor) -> None:
    """Store the new places, seats and matches of a correction.

    ``reason``: for matches that become void; ``now``: replay matches at once, not before the next
    round.
    """
    _store_places(found)
    store_starting_places(found)
    if found.target is not None and found.follows is not None:
        _store_seats(found.facts.event, found.target, found.follows.seats)
        store_matches(found.facts, found.target, found.changes, reason=reason, now=now, by=by)


def store_starting_places(found: Correction) -> None:
    """Store in the event's plan which players have other starting places, if any."""
    if found.holders and found.facts.plan is not None:
        event = found.facts.event
        event.plan = found.facts.plan.with_holders(found.holders).to_json()
        event.save(update_fields=["plan"])


def mark_paired_by_hand(found: Correction) -> None:
    """Mark changed matches of a Swiss stage as paired manually."""
    if found.target is None or not found.target.kind.pairs_by_points:
        return
    rows = matches_by_key(found.target)
    for change in found.changes:
        if not change.pairing.missed:
            said = RESTS if len(change.after) == 1 else PLAYS
            Match.objects.filter(pk=rows[change.key].pk).update(
                reason=sentence_to_json(said) | {"by_hand": True}
            )


def delete_wrong_rounds(done: LineContent, found: Correction, *, by: Actor) -> None:
    """Delete the rounds made from an error, and reopen its stage with the right seats.

    Adds to ``done``, the content of the log line, which rounds were deleted and which stage is
    open.
    """
    event = found.facts.event
    gone = [item.ordinal for item in found.goes[::-1]]
    for item in event.rounds.filter(ordinal__in=gone).order_by("-ordinal"):
        delete_round(item)
    _reopen(event, found.reopened.stage.number)
    done.before |= {"rounds": gone, "results": len(found.results_gone)}
    done.after |= {
        "open": found.reopened.stage.key,
        **record_missed_rounds_of_rejoined(event, by=by),
    }
    if found.holders:
        store_starting_places(found)
        _store_seats(event, found.reopened, reopened_seat_changes(found))


def correction_log_json(found: Correction) -> dict[str, object]:
    """Return the seats and matches that changed, as JSON values for the log."""
    if found.follows is None or found.target is None:
        return {}
    rounds = [item.ordinal for item in found.target.regular_rounds]
    return {
        "places_of": found.stage.stage.key if found.places is not None else None,
        "stage": found.target.stage.key,
        "rounds": rounds,
        "seats": [
            {"group": each.group, "seat": each.seat, "out": each.before, "in": each.after}
            for each in found.follows.seats
        ],
        "matches": [
            {"round": rounds[each.round], "match": each.pairing.number, "fate": str(each.fate)}
            for each in found.changes
        ],
    }


def _store_places(found: Correction) -> None:
    if found.places is not None:
        stage = found.facts.event.stages.get(pk=found.stage.stage.pk)
        stage.places = dict(found.places)
        stage.save(update_fields=["places"])


def _store_seats(event: Event, stage: StageFacts, changes: Sequence[SeatChange]) -> None:
    """Seat other players: the seats are made anew, so that two can be exchanged."""
    entries = dict(event.entries.values_list("number", "pk"))
    groups = {group.name: group.pk for group in stage.groups}
    for change in changes:
        Seat.objects.filter(group=groups[change.group], number=change.seat).delete()
    Seat.objects.bulk_create(
        Seat(
            stage_id=stage.stage.pk,
            group_id=groups[change.group],
            number=change.seat,
            entry_id=None if change.after is None else entries[int(change.after)],
        )
        for change in changes
    )


def store_matches(
    facts: EventFacts,
    stage: StageFacts,
    changes: Sequence[MatchChange],
    *,
    reason: str,
    now: bool,
    by: Actor,
) -> None:
    """Give matches to other players, and settle, void or replay them.

    ``now``: replay at once, else before the next round if there is one. Replays of earlier rounds
    get tables of their own beside the latest round. ``reason``: stored with void matches.
    """
    before = 0 if now else next_round_ordinal(stage)
    beside = replay_tables(facts, stage, changes)
    rows = matches_by_key(stage)
    keys = [rows[change.key].pk for change in changes]
    stored = {match.pk: match for match in matches_with_players(pk__in=keys)}
    players: Mapping[int, Entry] = {e.number: e for e in facts.event.entries.all()}
    matches = [stored[key] for key in keys]
    for match, change in zip(matches, changes, strict=True):
        match.give_to([players[int(number)] for number in change.after])
        match.decision, match.state = None, Match.State.OPEN
        stay = change.after if change.fate is CorrectionEffect.PASSES else ()
        match.absent = [number for number in match.absent if number in stay]
        again, place = rows[change.key].again, beside.get(change.key, {})
        if change.fate is CorrectionEffect.AGAIN or (again is None and place):
            again = before
        if again is not None and is_still_to_play(change):
            match.earlier[-1] |= {"again": again, **place}
    MatchSeat.objects.filter(match__in=keys).delete()
    for match in matches:
        match.save()
    MatchSeat.objects.bulk_create(seat for match in matches for seat in match.seated)
    for match, change in zip(matches, changes, strict=True):
        outcome = change.result.outcome
        if outcome is None:
            continue
        if change.fate is CorrectionEffect.VOID:
            report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=reason)
            set_decision(match, report, Match.State.FINAL)
        else:
            settle_match(match, outcome, by=by)


def _reopen(event: Event, number: int) -> None:
    """Reopen the stage with this number; those after it, which have no rounds, are to come."""
    if load_facts(event).open_stage is None:
        reopen_stage(event, event.stages.order_by("number")[event.stages.count() - 1])
    while (current := load_facts(event).open_stage) is not None and current.stage.number > number:
        reset_open_stage(current.stage)
        reopen_stage(event, event.stages.get(number=current.stage.number - 1))


@transaction.atomic
def give_seat_to_next(
    *,
    entry: Entry,
    reason: str,
    shown: str,
    void: Collection[int] = (),
    now: bool = False,
    by: Actor,
) -> Correction:
    """Give a dropped player's seat to the next in line of the stage where it was earned.

    ``entry``: the dropped player. ``shown``: the mark on the page. Matches begun are replayed,
    ``now`` or before the next round, except those in ``void`` (primary keys). Raises RuleError
    ``no_seat``, ``cannot_follow``, ``stale``; BadInput ``reason_missing``.
    """
    event = begin_act(entry.event, FOLLOWED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    foretold = seat_loss_correction(facts, entry.number)
    found = seat_loss_correction(facts, entry.number, void)
    if foretold is None or found is None:
        raise RuleError(
            "no_seat", "You can only give away the seat of a player who qualified and then dropped."
        )
    check_page_current(foretold, shown)
    check_can_follow(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject=entry.name, reason=reason) as act:
        act.after = correction_log_json(found)
        store_effects(found, reason=reason, now=now, by=by)
    return found


@transaction.atomic
def move_bye(
    *,
    match: Match,
    player: int,
    way: str,
    shown: str,
    reason: str,
    void: bool = False,
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Give the bye of ``match`` to another player, or delete the round; return the correction.

    ``way``: ``follow``, or ``take_back`` to delete the round. ``player``: the number of the player
    who gets the bye; ``void``: their own match becomes void, else it is replayed, ``now`` or
    before the next round. ``shown``: the ``mark`` of the correction that the page showed.
    ``confirm``: the typed name of the event, needed if results are deleted.

    Raises RuleError ``match_gone``, ``stale``, ``cannot_follow`` with the reason; BadInput
    ``unknown_player``, ``reason_missing``, ``not_confirmed``.
    """
    match = lock_match(match)
    event = match.round.event
    act = TAKEN_BACK if way == TAKE_BACK else FOLLOWED
    check_allowed(event, act, by=by)
    facts = load_facts(event)
    if way != TAKE_BACK:
        check_reason(reason)
    if player not in facts.entries:
        raise BadInput("unknown_player", "Not found. Reload the page.")
    found = bye_correction(facts, match, player)
    if way == TAKE_BACK:
        check_can_take_back(found, shown, confirm)
    else:
        check_page_current(found, shown)
        found = bye_correction(facts, match, player, void=void)
        check_can_follow(found)
    take_snapshot(event, act.key, by=by)
    tables = () if way == TAKE_BACK else TOUCHED
    with undoable(
        event, act, tables, by=by, subject=match_log_subject(match), reason=reason
    ) as done:
        if way == TAKE_BACK:
            delete_wrong_rounds(done, found, by=by)
        else:
            done.after = correction_log_json(found) | {"rounds": [match.round.ordinal]}
            store_effects(found, reason=reason, now=now, by=by)
            mark_paired_by_hand(found)
    return found


@transaction.atomic
def correct_random_draw(
    *,
    event: Event,
    number: int,
    order: Sequence[int],
    way: str,
    shown: str,
    reason: str,
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Record the right order of random draw ``number``, and return the correction.

    ``order``: player numbers. ``way``: ``follow`` gives seats and matches to the right players,
    ``take_back`` deletes the rounds made from the wrong order, anything else leaves them.
    ``shown``: the mark on the page. Matches begun are replayed, ``now`` or before the next round,
    except those in ``void`` (primary keys). ``confirm``: the typed name of the event, needed if
    results are deleted. The order itself can't be undone.

    Raises RuleError ``lots_stay``, ``stale``, ``cannot_follow``, ``nothing_to_take_back``; BadInput
    ``bad_order``, ``same_order``, ``reason_missing``, ``not_confirmed``.
    """
    event = begin_act(event, LOTS_CORRECTED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    draw = next((each for each in facts.draws if each.number == number), None)
    if draw is None:
        raise RuleError("lots_stay", "Not found. Reload the page.")
    found = draw_correction(facts, draw, order)
    check_page_current(found, shown)
    if way == FOLLOW:
        check_allowed(event, FOLLOWED, by=by)
        found = draw_correction(facts, draw, order, void)
        check_can_follow(found)
    elif way == TAKE_BACK:
        check_allowed(event, TAKEN_BACK, by=by)
        check_can_take_back(found, shown, confirm)
    if found.reaches_further:
        take_snapshot(event, LOTS_CORRECTED.key, by=by)
    stays = found.effects.kept if way not in (FOLLOW, TAKE_BACK) else []
    made = store_corrected_order(event, draw, order, reason=reason, kept=stays, by=by)
    _go_on(found, way, made, reason=reason, now=now, by=by)
    return found


def _go_on(found: Correction, way: str, made: Draw, *, reason: str, now: bool, by: Actor) -> None:
    """Bring what was made from the wrong order in line with the right one, or take it back."""
    event, subject = found.facts.event, str(made.number)
    if way == FOLLOW:
        with undoable(event, FOLLOWED, TOUCHED, by=by, subject=subject, reason=reason) as act:
            act.after = correction_log_json(found)
            store_effects(found, reason=reason, now=now, by=by)
    elif way == TAKE_BACK:
        with undoable(event, TAKEN_BACK, by=by, subject=subject, reason=reason) as act:
            delete_wrong_rounds(act, found, by=by)


def corrected_seeds(
    facts: EventFacts, seeds: Mapping[PlayerId, int | None]
) -> dict[PlayerId, int | None]:
    """Return {player: seed or None} of all players, with ``seeds`` changed.

    Players without a starting place lose a seed given to another player. Raises BadInput
    ``bad_seed`` for other duplicates.
    """
    seated, given = {*starting_order(facts)}, {*seeds.values()}
    now = {
        player: None if entry.seed in given and player not in seated else entry.seed
        for player, entry in facts.entries.items()
    }
    return merge_seeds(now, seeds)


@transaction.atomic
def correct_seeds(
    *,
    event: Event,
    seeds: Mapping[PlayerId, int | None],
    order: Sequence[int] = (),
    way: str,
    shown: str,
    reason: str,
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Record the right seeds and return the correction.

    ``seeds``: {player: seed or None} of those that change; ``order``: all players in order, if the
    start was drawn by hand. ``way``: ``follow`` gives seats and matches to the right players,
    ``take_back`` deletes all rounds, anything else leaves them. ``shown``: the mark on the page.
    Matches begun are replayed, ``now`` or before the next round, except those in ``void`` (primary
    keys). ``confirm``: the typed name of the event, needed if results are deleted.

    Raises RuleError ``no_start``, ``stale``, ``cannot_follow``, ``nothing_to_take_back``; BadInput
    ``bad_seed``, ``bad_order``, ``same_seeds``, ``reason_missing``, ``not_confirmed``.
    """
    act = SEEDS_TAKEN_BACK if way == TAKE_BACK else SEEDS_CORRECTED
    event = begin_act(event, SEEDS_CORRECTED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    wanted = corrected_seeds(facts, seeds)
    found = seeds_correction(facts, wanted, order)
    check_page_current(found, shown)
    if way == FOLLOW:
        found = seeds_correction(facts, wanted, order, void)
        check_can_follow(found)
    elif way == TAKE_BACK:
        check_allowed(event, act, by=by)
        check_can_take_back(found, shown, confirm)
    if found.reaches_further:
        take_snapshot(event, act.key, by=by)
    changed = [entry for entry in event.entries.all() if entry.seed != wanted[entry.number]]
    names = str(len(changed))
    with undoable(event, act, by=by, subject=names, reason=reason) as done:
        done.before = {"seeds": {str(entry.number): entry.seed for entry in changed}}
        done.after = {"seeds": {str(entry.number): wanted[entry.number] for entry in changed}}
        store_seeds(changed, wanted)
        if way == FOLLOW:
            done.after |= correction_log_json(found)
            store_effects(found, reason=reason, now=now, by=by)
        elif way == TAKE_BACK:
            delete_wrong_rounds(done, found, by=by)
        elif not found.reaches_further:
            store_starting_places(found)
    return found
