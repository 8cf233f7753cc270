"""What every correction does that is carried through: store who belongs where, or take back."""

from collections.abc import Mapping, Sequence

from decks.decklists.mapping import sentence_to_json
from rules.corrections.fates import Fate, MatchChange
from rules.corrections.followed import SeatChange
from rules.errors import BadInput, RuleError
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.permissions import Actor
from tournaments.core.replays import round_to_come
from tournaments.core.typed_names import check_typed
from tournaments.corrections.selectors.choices import Correction, matches_by_key
from tournaments.corrections.selectors.put_up import is_to_play, places_beside
from tournaments.corrections.selectors.start import seats_taken_back
from tournaments.matches.services import (
    add_outcome,
    set_decision,
    settle_match,
)
from tournaments.models import Entry, Event, Match, MatchSeat, Report, Seat, Stage
from tournaments.models.match import matches_with_players
from tournaments.players.services.late_entries import miss_rounds_closed
from tournaments.rounds.services import delete_round
from tournaments.stages.services import reopen_stage, unopen_stage
from tournaments.undo.services.row_diff import LineContent

RESTS = Sentence("Bye given by hand by the organiser.")
PLAYS = Sentence("Paired by hand by the organiser.")
TOUCHED = (Stage, Seat, Match, MatchSeat, Report)
"""The tables in which a correction that is followed changes something."""
STALE = _("What would change is not what the page showed. Nothing was stored: look at it again.")


def check_reason(reason: str) -> None:
    """Raise BadInput ``reason_missing`` without a reason."""
    if not reason.strip():
        raise BadInput("reason_missing", "A reason is needed. Nothing was stored: give one.")


def check_shown(found: Correction, shown: str) -> None:
    """Raise RuleError ``stale`` unless the page foretold this."""
    if shown != found.mark:
        raise RuleError("stale", STALE)


def check_possible(found: Correction) -> None:
    """Raise RuleError ``cannot_follow`` with the reason if nothing can follow."""
    if found.why_not is not None or found.follows is None:
        why = found.why_not or _("nothing was made from what was wrong.")
        raise RuleError(
            "cannot_follow", "Nothing was stored, as nothing can follow here: %(why)s", why=why
        )


def check_taken_back(found: Correction, shown: str, confirm: str) -> None:
    """Raise RuleError unless rounds made from what was wrong may be taken back.

    Raises RuleError ``stale``, ``nothing_to_take_back``; BadInput ``not_confirmed`` unless the
    event's name is typed where results go.
    """
    check_shown(found, shown)
    if not found.takes_back:
        raise RuleError(
            "nothing_to_take_back",
            "Nothing was made from what was wrong, so nothing was taken back or stored.",
        )
    if found.results_gone:
        check_typed(confirm, found.facts.event.name)


def carry_through(found: Correction, *, reason: str, now: bool, by: Actor) -> None:
    """Store places, seats and matches as they follow."""
    _store_places(found)
    store_holders(found)
    if found.target is not None and found.follows is not None:
        _store_seats(found.facts.event, found.target, found.follows.seats)
        store_matches(found.facts, found.target, found.changes, reason=reason, now=now, by=by)


def store_holders(found: Correction) -> None:
    """Store who holds places of the start."""
    if found.holders and found.facts.plan is not None:
        event = found.facts.event
        event.plan = found.facts.plan.with_holders(found.holders).to_json()
        event.save(update_fields=["plan"])


def mark_by_hand(found: Correction) -> None:
    """Say of the matches that change hands in rounds paired by points that people made them."""
    if found.target is None or not found.target.kind.pairs_by_points:
        return
    rows = matches_by_key(found.target)
    for change in found.changes:
        if not change.pairing.missed:
            said = RESTS if len(change.after) == 1 else PLAYS
            Match.objects.filter(pk=rows[change.key].pk).update(
                reason=sentence_to_json(said) | {"by_hand": True}
            )


def take_rounds_back(done: LineContent, found: Correction, *, by: Actor) -> None:
    """Delete the rounds made from what was wrong, reopen its stage, and seat its players anew.

    What was there, and what is there now, is added to what the log is told.
    """
    event = found.facts.event
    gone = [item.ordinal for item in found.goes[::-1]]
    for item in event.rounds.filter(ordinal__in=gone).order_by("-ordinal"):
        delete_round(item)
    _reopen(event, found.reopened.stage.number)
    done.before |= {"rounds": gone, "results": len(found.results_gone)}
    done.after |= {"open": found.reopened.stage.key, **miss_rounds_closed(event, by=by)}
    if found.holders:
        store_holders(found)
        _store_seats(event, found.reopened, seats_taken_back(found))


def data_for_log(found: Correction) -> dict[str, object]:
    """Return who changed seats and matches, as data for the log."""
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
    """Give matches to other players, with what becomes of their results.

    What is played again is played ``now``, or before the round to come, if there is one; what was
    not begun in an earlier round, too. Both stand beside the latest round, at tables of their own.
    """
    before = 0 if now else round_to_come(stage)
    beside = places_beside(facts, stage, changes)
    rows = matches_by_key(stage)
    keys = [rows[change.key].pk for change in changes]
    stored = {match.pk: match for match in matches_with_players(pk__in=keys)}
    players: Mapping[int, Entry] = {e.number: e for e in facts.event.entries.all()}
    matches = [stored[key] for key in keys]
    for match, change in zip(matches, changes, strict=True):
        match.give_to([players[int(number)] for number in change.after])
        match.decision, match.state = None, Match.State.OPEN
        stay = change.after if change.fate is Fate.PASSES else ()
        match.absent = [number for number in match.absent if number in stay]
        again, place = rows[change.key].again, beside.get(change.key, {})
        if change.fate is Fate.AGAIN or (again is None and place):
            again = before
        if again is not None and is_to_play(change):
            match.earlier[-1] |= {"again": again, **place}
    MatchSeat.objects.filter(match__in=keys).delete()
    for match in matches:
        match.save()
    MatchSeat.objects.bulk_create(seat for match in matches for seat in match.seated)
    for match, change in zip(matches, changes, strict=True):
        outcome = change.result.outcome
        if outcome is None:
            continue
        if change.fate is Fate.VOID:
            report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=reason)
            set_decision(match, report, Match.State.FINAL)
        else:
            settle_match(match, outcome, by=by)


def _reopen(event: Event, number: int) -> None:
    """Reopen the stage with this number; those after it, which have no rounds, are to come."""
    if load_facts(event).open_stage is None:
        reopen_stage(event, event.stages.order_by("number")[event.stages.count() - 1])
    while (current := load_facts(event).open_stage) is not None and current.stage.number > number:
        unopen_stage(current.stage)
        reopen_stage(event, event.stages.get(number=current.stage.number - 1))
