"""Correct a result from which more was made: keep that, let it follow, or take it back."""

from collections.abc import Collection, Mapping, Sequence

from config import transaction
from rules.corrections.followed import Fate, MatchChange, SeatChange
from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim, Outcome
from rules.results import EndedBy, Winner
from rules.wording import gettext_noop as _
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.core.typed_names import check_typed
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.corrections.selectors.choices import (
    Correction,
    correction_of,
    departure_of,
    matches_by_key,
)
from tournaments.log.services import begin, check_allowed
from tournaments.matches.services import (
    add_outcome,
    locked_match,
    plain_outcome,
    report_for_log,
    seats_of,
    set_decision,
    settle_match,
    subject_of,
)
from tournaments.models import Entry, Event, Match, MatchSeat, Report, Seat, Stage
from tournaments.players.services.late_entries import miss_rounds_closed
from tournaments.results.acts import CORRECTED
from tournaments.results.services.results import (
    checked_correction,
    correct_result,
    store_correction,
)
from tournaments.rounds.services import delete_round
from tournaments.snapshots.services import take_snapshot
from tournaments.stages.services import reopen_stage, unopen_stage
from tournaments.undo.services.row_diff import undoable

TOUCHED = (Stage, Seat, Match, MatchSeat, Report)
"""The tables in which a correction that is followed changes something."""
STALE = _("What would change is not what the page showed. Nothing was stored: look at it again.")


@transaction.atomic
def keep(*, match: Match, version: int, claim: Claim, reason: str, by: Actor) -> Correction:
    """Correct a result and keep what was made from the old one; return what would have followed.

    The line of the log says who holds a place against the standings. Raises as `correct_result`.
    """
    match = locked_match(match)
    found = _checked(match, version, claim, reason=reason, by=by)
    if found.reaches_further:
        take_snapshot(match.round.event, CORRECTED.key, by=by)
    correct_result(match=match, version=version, claim=claim, reason=reason, by=by)
    return found


@transaction.atomic
def follow(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    void: Collection[int] = (),
    by: Actor,
) -> Correction:
    """Correct a result, and give seats and matches to who belongs there; return what was done.

    ``shown`` is the ``mark`` of what the page foretold. Matches that were begun are played again;
    those whose key is in ``void`` count for nothing.

    Raises as `correct_result`, RuleError ``cannot_follow`` with the reason, ``stale``.
    """
    match = locked_match(match)
    event = match.round.event
    check_allowed(event, FOLLOWED, by=by)
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    _check_shown(correction_of(load_facts(event), match, outcome), shown)
    found = correction_of(load_facts(event), match, outcome, void)
    _check_possible(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject=subject_of(match), reason=reason) as act:
        act.before, act.after = _corrected(match, outcome, reason=reason, by=by)
        act.after |= _for_log(found)
        _carry_through(found, reason=reason, by=by)
    return found


@transaction.atomic
def give_away(
    *, entry: Entry, reason: str, shown: str, void: Collection[int] = (), by: Actor
) -> Correction:
    """Give the seat of a player who has left to who comes next in the stage before.

    ``shown`` and ``void`` are as for `follow`. Raises RuleError ``no_seat``, ``cannot_follow``,
    ``stale``, BadInput ``reason_missing``.
    """
    event = begin(entry.event, FOLLOWED, by=by)
    if not reason.strip():
        raise BadInput("reason_missing", "A reason is needed. Nothing was stored: give one.")
    facts = load_facts(event)
    foretold = departure_of(facts, entry.number)
    found = departure_of(facts, entry.number, void)
    if foretold is None or found is None:
        raise RuleError(
            "no_seat",
            "Only a player who has left, with a seat in the stage in progress that came from an "
            "earlier one, can lose it. Nothing was stored.",
        )
    _check_shown(foretold, shown)
    _check_possible(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject=entry.name, reason=reason) as act:
        act.after = _for_log(found)
        _carry_through(found, reason=reason, by=by)
    return found


@transaction.atomic
def take_back(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Correct a result and take back every round and stage made from it, results included.

    ``confirm`` is the event's name, typed where results go. Raises as `correct_result`, RuleError
    ``stale``, ``nothing_to_take_back``, BadInput ``not_confirmed``.
    """
    match = locked_match(match)
    event = match.round.event
    check_allowed(event, TAKEN_BACK, by=by)
    found = _checked(match, version, claim, reason=reason, by=by)
    _check_shown(found, shown)
    if not found.reaches_further:
        raise RuleError(
            "nothing_to_take_back",
            "Nothing was made from the old result, so nothing was taken back or stored.",
        )
    if found.results_gone:
        check_typed(confirm, event.name)
    take_snapshot(event, TAKEN_BACK.key, by=by)
    with undoable(event, TAKEN_BACK, by=by, subject=subject_of(match), reason=reason) as act:
        outcome = checked_correction(match, version, claim, reason=reason, by=by)
        before, after = _corrected(match, outcome, reason=reason, by=by)
        gone = [item.ordinal for item in found.goes[::-1]]
        act.before = before | {"rounds": gone, "results": len(found.results_gone)}
        act.after = after | {"open": found.stage.stage.key}
        for item in event.rounds.filter(ordinal__in=gone).order_by("-ordinal"):
            delete_round(item)
        _reopen(event, found.stage.stage.number)
        act.after |= miss_rounds_closed(event, by=by)
    return found


def _checked(match: Match, version: int, claim: Claim, *, reason: str, by: Actor) -> Correction:
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    return correction_of(load_facts(match.round.event), match, outcome)


def _check_shown(found: Correction, shown: str) -> None:
    """Raise RuleError ``stale`` unless the page foretold this."""
    if shown != found.mark:
        raise RuleError("stale", STALE)


def _check_possible(found: Correction) -> None:
    """Raise RuleError ``cannot_follow`` with the reason if nothing can follow."""
    if found.why_not is not None or found.follows is None:
        why = found.why_not or _("nothing was made from the old result.")
        raise RuleError(
            "cannot_follow", "Nothing was stored, as nothing can follow here: %(why)s", why=why
        )


def _carry_through(found: Correction, *, reason: str, by: Actor) -> None:
    """Store places, seats and matches as they follow."""
    _store_places(found)
    if found.target is not None and found.follows is not None:
        _store_seats(found.facts, found.target, found.follows.seats)
        _store_matches(found.facts, found.target, found.changes, reason=reason, by=by)


def _corrected(
    match: Match, outcome: Outcome, *, reason: str, by: Actor
) -> tuple[dict[str, object], dict[str, object]]:
    """Store the corrected result; return it before and after, as data for the log."""
    before = plain_outcome(outcome_of(match.decision)) if match.decision else {}
    report = store_correction(match, outcome, reason=reason, by=by)
    return before, {"round": match.round.ordinal} | report_for_log(match, report)


def _for_log(found: Correction) -> dict[str, object]:
    """Return who changed seats and matches, as data for the log."""
    if found.follows is None or found.target is None:
        return {}
    rounds = [item.ordinal for item in found.target.regular_rounds]
    return {
        "places_of": found.stage.stage.key if found.places else None,
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
    if found.places:
        stage = found.facts.event.stages.get(pk=found.stage.stage.pk)
        stage.places = dict(found.places)
        stage.save(update_fields=["places"])


def _store_seats(facts: EventFacts, stage: StageFacts, changes: Sequence[SeatChange]) -> None:
    """Seat other players: the seats are made anew, so that two can be exchanged."""
    groups = {group.name: group.pk for group in stage.groups}
    for change in changes:
        Seat.objects.filter(group=groups[change.group], number=change.seat).delete()
    Seat.objects.bulk_create(
        Seat(
            stage_id=stage.stage.pk,
            group_id=groups[change.group],
            number=change.seat,
            entry_id=None if change.after is None else facts.entries[change.after].pk,
        )
        for change in changes
    )


def _store_matches(
    facts: EventFacts,
    stage: StageFacts,
    changes: Sequence[MatchChange],
    *,
    reason: str,
    by: Actor,
) -> None:
    """Give matches to other players, with what becomes of their results."""
    rows = matches_by_key(stage)
    keys = [rows[change.key].pk for change in changes]
    stored = Match.objects.select_related("a", "b").in_bulk(keys)
    players: Mapping[int, Entry] = {e.number: e for e in facts.event.entries.all()}
    matches = [stored[key] for key in keys]
    MatchSeat.objects.filter(match__in=keys).delete()
    for match, change in zip(matches, changes, strict=True):
        match.give_to([players[int(number)] for number in change.after])
        match.decision, match.state = None, Match.State.OPEN
        match.save()
    MatchSeat.objects.bulk_create(seat for match in matches for seat in seats_of(match))
    for match, change in zip(matches, changes, strict=True):
        result = change.result
        if change.fate is Fate.VOID:
            void = Outcome(
                winner=Winner.VOID, score=None, games=(), games_won=None, ended_by=EndedBy.VOID
            )
            report = add_outcome(match, Report.Kind.DECISION, void, by=by, note=reason)
            set_decision(match, report, Match.State.FINAL)
        elif result.winner is not None:
            settle_match(match, result.winner, result.ended_by, by=by)


def _reopen(event: Event, number: int) -> None:
    """Reopen the stage with this number; those after it, which have no rounds, are to come."""
    if load_facts(event).open_stage is None:
        reopen_stage(event, event.stages.order_by("number")[event.stages.count() - 1])
    while (current := load_facts(event).open_stage) is not None and current.stage.number > number:
        unopen_stage(current.stage)
        reopen_stage(event, event.stages.get(number=current.stage.number - 1))
