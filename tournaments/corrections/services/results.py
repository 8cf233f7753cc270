"""Correct a result from which more was made (keep that, let it follow, or take it back), or who
takes part.
"""

from collections.abc import Collection
from typing import Any

from config import transaction
from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import Outcome
from tournaments.core.acts import Act
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.mapping import outcome_from_report
from tournaments.core.permissions import Actor
from tournaments.core.rows import EntryRow
from tournaments.corrections.acts import FOLLOWED, LEFT_IN, PLAYER_TAKEN_BACK, REPLACED, TAKEN_BACK
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
    result_correction,
)
from tournaments.corrections.selectors.start import (
    new_player_row,
    player_correction,
    replacement_candidates,
)
from tournaments.corrections.services.carrying import (
    TOUCHED,
    check_can_follow,
    check_can_take_back,
    check_page_current,
    check_reason,
    correction_log_json,
    delete_wrong_rounds,
    mark_paired_by_hand,
    store_effects,
)
from tournaments.log.services import begin_act, check_allowed, record
from tournaments.matches.services import (
    lock_match,
    match_log_subject,
    outcome_log_json,
    report_log_json,
)
from tournaments.models import Entry, Event, Match
from tournaments.players.acts import WITHDRAWN
from tournaments.players.selectors.returns import has_seat
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import clean_person, create_checked_in_entry
from tournaments.results.acts import CORRECTED
from tournaments.results.services.results import (
    checked_correction,
    correct_result,
    store_correction,
)
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services import undoable


def carry_out_correction(
    *,
    way: str,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str = "",
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Correct a result by the chosen option, and return the correction.

    ``way``: ``follow`` calls `correct_and_reseat`, ``take_back`` `correct_and_delete_rounds`,
    anything else `correct_result_only`. ``version``: of the match on the page; ``shown``: the
    correction's mark on the page. ``void`` and ``now`` are for `correct_and_reseat`, ``confirm``
    for `correct_and_delete_rounds`.
    """
    result: Any = {"match": match, "version": version, "claim": claim, "reason": reason, "by": by}
    if way == FOLLOW:
        return correct_and_reseat(**result, shown=shown, void=void, now=now)
    if way == TAKE_BACK:
        return correct_and_delete_rounds(**result, shown=shown, confirm=confirm)
    return correct_result_only(**result)


@transaction.atomic
def correct_result_only(
    *, match: Match, version: int, claim: Claim, reason: str, by: Actor
) -> Correction:
    """Correct a result, leave the rounds made from the old one, return the correction.

    ``version``: of the match on the page; ``claim``: the right result. Raises StaleError; RuleError
    ``match_gone``, ``no_opponent``; BadInput ``reason_missing``, ``impossible_result``.
    """
    match = lock_match(match)
    found = _checked(match, version, claim, reason=reason, by=by)
    if found.reaches_further:
        take_snapshot(match.round.event, CORRECTED.key, by=by)
    correct_result(match=match, version=version, claim=claim, reason=reason, by=by)
    return found


@transaction.atomic
def correct_and_reseat(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    void: Collection[int] = (),
    now: bool = False,
    by: Actor,
) -> Correction:
    """Correct a result, give seats and matches to the right players, return the correction.

    ``version``: of the match on the page; ``claim``: the right result; ``shown``: the correction's
    mark on the page. Matches begun by the wrong players are replayed, ``now`` or before the next
    round, except those in ``void`` (primary keys).

    Raises StaleError; RuleError ``match_gone``, ``no_opponent``, ``stale``, ``cannot_follow`` with
    the reason; BadInput ``reason_missing``, ``impossible_result``.
    """
    match = lock_match(match)
    event = match.round.event
    check_allowed(event, FOLLOWED, by=by)
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    check_page_current(result_correction(load_facts(event), match, outcome), shown)
    found = result_correction(load_facts(event), match, outcome, void)
    check_can_follow(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(
        event, FOLLOWED, TOUCHED, by=by, subject=match_log_subject(match), reason=reason
    ) as act:
        act.before, act.after = _corrected(match, outcome, reason=reason, by=by)
        act.after |= correction_log_json(found)
        store_effects(found, reason=reason, now=now, by=by)
    return found


@transaction.atomic
def correct_and_delete_rounds(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Correct a result, delete all rounds and stages made from it, return the correction.

    ``version``: of the match on the page; ``claim``: the right result; ``shown``: the correction's
    mark on the page; ``confirm``: the typed name of the event, needed if results are deleted.
    Raises StaleError; RuleError ``match_gone``, ``no_opponent``, ``stale``,
    ``nothing_to_take_back``; BadInput ``reason_missing``, ``impossible_result``, ``not_confirmed``.
    """
    match = lock_match(match)
    event = match.round.event
    check_allowed(event, TAKEN_BACK, by=by)
    found = _checked(match, version, claim, reason=reason, by=by)
    check_can_take_back(found, shown, confirm)
    take_snapshot(event, TAKEN_BACK.key, by=by)
    with undoable(event, TAKEN_BACK, by=by, subject=match_log_subject(match), reason=reason) as act:
        outcome = checked_correction(match, version, claim, reason=reason, by=by)
        act.before, act.after = _corrected(match, outcome, reason=reason, by=by)
        delete_wrong_rounds(act, found, by=by)
    return found


def _checked(match: Match, version: int, claim: Claim, *, reason: str, by: Actor) -> Correction:
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    return result_correction(load_facts(match.round.event), match, outcome)


def _corrected(
    match: Match, outcome: Outcome, *, reason: str, by: Actor
) -> tuple[dict[str, object], dict[str, object]]:
    before = (
        outcome_log_json(outcome_from_report(match.decision, match.size)) if match.decision else {}
    )
    report = store_correction(match, outcome, reason=reason, by=by)
    return before, {"round": match.round.ordinal} | report_log_json(match, report)


ACTS: dict[str, Act] = {
    KEEP: LEFT_IN,
    TAKE_OUT: WITHDRAWN,
    FOLLOW: REPLACED,
    TAKE_BACK: PLAYER_TAKEN_BACK,
}


@transaction.atomic
def correct_player(
    *,
    entry: Entry,
    way: str,
    shown: str,
    reason: str,
    comes: int | None = None,
    name: str = "",
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Remove or replace a player who should not have taken part; return the correction.

    ``way``: ``keep`` only logs it; ``take_out`` drops the player from now on; ``follow`` gives the
    seat to ``comes`` (number on the waiting list), a new player with this ``name``, or the next in
    line; ``take_back`` also deletes the rounds since. ``shown``: the mark on the page. Matches
    begun are replayed, ``now`` or before the next round, except those in ``void`` (primary keys).
    ``confirm``: the typed name of the event, needed if results are deleted.

    Raises RuleError ``not_in``, ``stale``, ``cannot_follow``, ``nothing_to_take_back``,
    ``event_finished``; BadInput ``reason_missing``, ``unknown_player``, ``bad_name``,
    ``not_confirmed``.
    """
    event = begin_act(entry.event, LEFT_IN, by=by)
    check_allowed(event, ACTS[way], by=by)
    check_reason(reason)
    entry = event.entries.get(pk=entry.pk)
    facts = load_facts(event)
    check_has_seat(facts, entry)
    if way == TAKE_OUT and not entry.plays:
        raise RuleError("not_in")
    new = find_replacement(facts, comes, name)
    found = player_correction(facts, entry.number, new)
    check_page_current(found, shown)
    if way in (KEEP, TAKE_OUT):
        take_snapshot(event, ACTS[way].key, by=by)
    if way == KEEP:
        record(
            event, LEFT_IN, by=by, subject=entry.name, after={"number": entry.number}, reason=reason
        )
    elif way == TAKE_OUT:
        withdraw(entry=entry, reason=reason, by=by)
    else:
        if way == FOLLOW:
            found = player_correction(facts, entry.number, new, void)
            check_can_follow(found)
        else:
            check_can_take_back(found, shown, confirm)
        take_snapshot(event, ACTS[way].key, by=by)
        _exchange(found, way, entry, new, reason=reason, now=now, by=by)
    return found


def check_has_seat(facts: EventFacts, entry: Entry) -> None:
    """Raise RuleError ``not_in`` unless the entry has a seat in a stage that has begun."""
    if not has_seat(facts, entry.number):
        raise RuleError("not_in", "This player has no seat in the current stage.")


def find_replacement(facts: EventFacts, comes: int | None, name: str) -> EntryRow | None:
    """Return a removed player's replacement, None if neither number nor name is given.

    ``comes``: the number of a player on the waiting list, else ``name``: of a new one, who is not
    saved. Raises BadInput ``unknown_player``, ``bad_name``.
    """
    if comes is not None:
        known = {entry.number: entry for entry in replacement_candidates(facts)}
        if comes not in known:
            raise BadInput("unknown_player", "Choose one of the options.")
        return known[comes]
    return new_player_row(facts, clean_person(name, "", "").name) if name.strip() else None


def _exchange(
    found: Correction,
    way: str,
    entry: Entry,
    new: EntryRow | None,
    *,
    reason: str,
    now: bool,
    by: Actor,
) -> None:
    """Take a player out, let another in, and give away the seat or take the rounds back."""
    event: Event = found.facts.event
    with undoable(event, ACTS[way], by=by, subject=entry.name, reason=reason) as done:
        done.before = {"status": entry.status}
        _take_out(entry)
        done.after = {"number": entry.number, "status": str(entry.status)}
        if new is not None:
            done.after["comes"] = _let_in(event, new).number
        if way == FOLLOW:
            done.after |= correction_log_json(found)
            store_effects(found, reason=reason, now=now, by=by)
            if found.holders:
                mark_paired_by_hand(found)
        else:
            delete_wrong_rounds(done, found, by=by)


def _take_out(entry: Entry) -> None:
    if entry.status in (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN):
        entry.status, entry.left = Entry.Status.WITHDRAWN, ""
    entry.return_asked_at = entry.return_refused_at = None
    entry.save(update_fields=["status", "left", "return_asked_at", "return_refused_at"])


def _let_in(event: Event, new: EntryRow) -> Entry:
    if not new.pk:
        return create_checked_in_entry(event, clean_person(new.name, "", ""))
    entry = event.entries.get(pk=new.pk)
    entry.status, entry.waiting_since = Entry.Status.CHECKED_IN, None
    entry.save(update_fields=["status", "waiting_since"])
    return entry
