"""Withdraw, disqualify and readmit players, and store that one asks to come back."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from django.db.models import QuerySet
from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import RejoinStatus, next_state
from rules.matches.settling import outcome_after_drops
from rules.results import SEAT_WINNERS, MatchEnding
from rules.stages.base import forfeit_outcome
from rules.wording import gettext_noop as _
from tournaments.core.acts import act_by_key
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import absence_marks
from tournaments.core.permissions import Actor
from tournaments.log.services import begin_act, check_allowed, lock_event, record
from tournaments.matches.services import settle_after_absence, settle_match
from tournaments.models import Entry, Event, Match, MatchSeat, Report, Round, Stage, TimeExtension
from tournaments.models.play import matches_with_players
from tournaments.players.acts import (
    DISQUALIFIED,
    LEAVES_LATER,
    LEFT_SAID,
    RE_ENTERED,
    REINSTATED,
    RETURN_ASKED,
    RETURN_REFUSED,
    WITHDRAWN,
)
from tournaments.players.selectors.returns import JoinRequest, find_requested_match, rejoin_state
from tournaments.players.services.entries import promote_waiting_players
from tournaments.players.services.late_entries import (
    LOSS,
    find_stage_to_enter,
    join_match,
    record_missed_rounds,
    seat_late_player,
)
from tournaments.undo.services import LineContent, undoable

TOUCHED = (Round, Entry, Match, MatchSeat, Report, TimeExtension)
"""The tables in which somebody who leaves or comes back changes something."""


@transaction.atomic
def withdraw(*, entry: Entry, reason: str = "", by: Actor) -> Entry:
    """Drop a player at once, and return them; their open matches are forfeited.

    By the staff, or by the player, who then never counts as a no-show. Raises RuleError
    ``event_finished``.
    """
    event = begin_act(entry.event, WITHDRAWN, by=by, entry=entry)
    left = Entry.Left.DROPPED if by.is_entry(entry) else ""
    return _leave(event, entry, "withdraw", MatchEnding.CONCESSION, reason, left=left, by=by)


@transaction.atomic
def drop_after_round(*, entry: Entry, reason: str = "", by: Actor) -> Entry:
    """Mark a player to be dropped once their match is decided; return the player.

    They drop at once if they have no match. By the staff or the player. Raises RuleError
    ``event_finished``.
    """
    event = begin_act(entry.event, LEAVES_LATER, by=by, entry=entry)
    entry = event.entries.get(pk=entry.pk)
    next_state("entry", entry.status, "withdraw")
    if not has_undecided_match(entry):
        return withdraw(entry=entry, reason=reason, by=by)
    if entry.number not in event.leaving:
        after = {"number": entry.number}
        with undoable(
            event, LEAVES_LATER, (Event,), by=by, subject=entry.name, after=after, reason=reason
        ):
            event.leaving = [*event.leaving, entry.number]
            event.save(update_fields=["leaving"])
    return entry


def has_undecided_match(entry: Entry) -> bool:
    """Return whether a player has an undecided match in a published round; one query."""
    return _playing(entry.event).filter(match_seats__entry=entry).exists()


def _playing(event: Event) -> QuerySet[Match]:
    """Return the matches of published rounds that are not decided."""
    published = Match.objects.filter(round__event=event, round__state=Round.State.PUBLISHED)
    return published.exclude(state=Match.State.FINAL)


def drop_leaving_players_if_due(event: Event) -> Event:
    """Drop the players of ``Event.leaving`` whose match is decided, if there are any.

    Return the event, read again if somebody was dropped. No query if nobody waits to leave, two if
    nobody can be dropped yet.
    """
    return drop_leaving_players(event) if event.leaving and _due(event) else event


def _due(event: Event) -> list[Entry]:
    if event.state != Event.State.RUNNING:
        return []
    playing = MatchSeat.objects.filter(match__in=_playing(event)).values("entry")
    return list(event.entries.filter(number__in=event.leaving).exclude(pk__in=playing))


@transaction.atomic
def drop_leaving_players(event: Event) -> Event:
    """Lock the event; drop players of ``Event.leaving`` whose match is decided.

    Return the event read again.
    """
    event = lock_event(event)
    for entry in _due(event):
        event.leaving = [number for number in event.leaving if number != entry.number]
        event.save(update_fields=["leaving"])
        if entry.plays:
            _leave(event, entry, "withdraw", MatchEnding.CONCESSION, "", by=Actor())
    return event


@transaction.atomic
def correct_departure(*, entry: Entry, left: str, by: Actor) -> Entry:
    """Correct whether a dropped player is a no-show; return the player.

    ``left`` is one of ``Entry.Left``. By the staff. Raises RuleError ``not_withdrawn``.
    """
    event = begin_act(entry.event, LEFT_SAID, by=by)
    entry = event.entries.get(pk=entry.pk)
    if entry.status != Entry.Status.WITHDRAWN:
        raise RuleError(
            "not_withdrawn",
            name=entry.name,
        )
    now = load_facts(event).entries[entry.number].departure
    if now == left:
        return entry
    before, after = {"departure": now}, {"number": entry.number, "departure": left}
    before = {key: value for key, value in before.items() if value}
    with undoable(
        event, LEFT_SAID, (Entry,), by=by, subject=entry.name, before=before, after=after
    ):
        entry.left = left
        entry.save(update_fields=["left"])
    return entry


@transaction.atomic
def disqualify(*, entry: Entry, reason: str, by: Actor) -> Entry:
    """Disqualify a player, and return them; their open matches are forfeited.

    By an organiser or head judge. Raises RuleError ``event_finished``, BadInput
    ``reason_missing``.
    """
    event = begin_act(entry.event, DISQUALIFIED, by=by)
    if not reason.strip():
        raise BadInput(
            "reason_missing",
            _("A disqualification needs a reason."),
        )
    return _leave(event, entry, "disqualify", MatchEnding.DISQUALIFICATION, reason, by=by)


@transaction.atomic
def rejoin(*, entry: Entry, reason: str = "", joins: JoinRequest | None = None, by: Actor) -> Entry:
    """Readmit a dropped or disqualified player, and return them.

    Forfeits stay, and missed Swiss rounds count as losses; a player who dropped before the start
    enters late. ``joins`` is the match to join in the round in play. Raises RuleError
    ``event_finished``, ``player_struck``, and those of ``add_late_entry``.
    """
    event = lock_event(entry.event)
    entry = event.entries.get(pk=entry.pk)
    disqualified = entry.status == Entry.Status.DISQUALIFIED
    check_allowed(event, REINSTATED if disqualified else RE_ENTERED, by=by)
    for played in event.stages.filter(state=Stage.State.OPEN):
        check_not_struck(played, entry.pk)
    action = "reinstate" if disqualified else "re_enter"
    status = next_state("entry", entry.status, action)
    facts = load_facts(event)
    opening = find_requested_match(facts, joins, entry) if joins else None
    if stage := find_stage_to_enter(facts, entry, opening):
        return seat_late_player(event, stage, entry, status, LOSS, opening, reason=reason, by=by)
    with _change_status(event, entry, action, reason, by=by) as act:
        missed = record_missed_rounds(event, entry, but=opening, by=by)
        act.after |= {"missed": LOSS, "rounds": missed} if missed else {}
        act.after |= join_match(opening, entry, by=by) if opening else {}
    return entry


DEPARTURES: Mapping[str, Callable[..., Entry]] = {
    "withdraw": withdraw,
    "leaves_later": drop_after_round,
    "disqualify": disqualify,
    "come_back": rejoin,
}
"""What a form can ask for, each with ``entry``, ``reason`` and ``by``."""


def check_not_struck(stage: Stage, *entries: int) -> None:
    """Raise RuleError ``player_struck`` if a player's group results are voided.

    ``entries`` are primary keys of players in the stage; 0 is ignored.
    """
    seats = stage.seats.filter(entry__in=[key for key in entries if key], struck_at__isnull=False)
    seat = seats.select_related("entry").first()
    if seat is not None:
        raise RuleError(
            "player_struck",
            "%(name)s’s group results have been voided. Restore them first.",
            name=str(seat.entry),
        )


def _leave(
    event: Event,
    entry: Entry,
    action: str,
    ended_by: MatchEnding,
    reason: str,
    *,
    left: str = "",
    by: Actor,
) -> Entry:
    entry = event.entries.get(pk=entry.pk)
    was_here = entry.status == Entry.Status.CHECKED_IN
    with _change_status(event, entry, action, reason, left=left, by=by) as act:
        act.after["forfeited"] = _forfeit_open_matches(event, ended_by, by=by)
        if agreed := _ask_fewer_at_tables(event, entry):
            act.after["agreed"] = agreed
        if event.plan is None and not was_here:
            act.then(promote_waiting_players, event, by=by)
    return entry


@contextmanager
def _change_status(
    event: Event, entry: Entry, action: str, reason: str, *, left: str = "", by: Actor
) -> Iterator[LineContent]:
    """Change a player's status by an action of the lifecycle, undoably; ``left`` says how."""
    status = next_state("entry", entry.status, action)
    with undoable(
        event,
        act_by_key(f"entry.{action}"),
        TOUCHED,
        by=by,
        subject=entry.name,
        before={"status": entry.status},
        after={"number": entry.number, "status": status},
        reason=reason,
    ) as act:
        entry.status, entry.left = status, left
        entry.return_asked_at = entry.return_refused_at = None
        entry.save(update_fields=["status", "left", "return_asked_at", "return_refused_at"])
        yield act


def _forfeit_open_matches(event: Event, ended_by: MatchEnding, *, by: Actor) -> list[int]:
    """Forfeit every open match of a player who has left; return the tables.

    At a multiplayer table two or more play on, and nothing is stored yet.
    Reported matches are left to be confirmed or decided; of tables also by this
    (`_ask_fewer_at_tables`).
    """
    left = {Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED}
    gone = frozenset(event.entries.filter(status__in=left).values_list("pk", flat=True))
    going_on = matches_with_players(
        round__event=event, group__stage__state=Stage.State.OPEN, state=Match.State.OPEN
    )
    tables = []
    for match in going_on:
        if match.size > 2:
            settled = outcome_after_drops(match.size, absence_marks(match))
        else:
            settled = forfeit_outcome(match.seats, gone)
            if settled and settled.winner in SEAT_WINNERS:
                settled = replace(settled, ended_by=ended_by)
        if settled is None:
            continue
        settle_match(match, settled, by=by)
        tables.append(match.table or match.number)
    return tables


def _ask_fewer_at_tables(event: Event, entry: Entry) -> list[int]:
    """Count anew what was said at tables without who has left; return those that are decided by it.

    Source: tables, 7.
    """
    told = Match.objects.of_tables().filter(
        round__event=event,
        group__stage__state=Stage.State.OPEN,
        state__in=(Match.State.REPORTED, Match.State.DISPUTED),
        match_seats__entry=entry,
    )
    return [match.table or match.number for match in told if settle_after_absence(match)]


@transaction.atomic
def request_rejoin(*, entry: Entry, by: Actor) -> Entry:
    """Store a dropped player's request to rejoin, and return the player.

    Asking again changes nothing. Raises RuleError ``event_finished``, ``entry_not_withdrawn``,
    ``return_refused``, ``return_not_possible`` if no match is left.
    """
    event = begin_act(entry.event, RETURN_ASKED, by=by, entry=entry)
    entry = event.entries.get(pk=entry.pk)
    next_state("entry", entry.status, "re_enter")
    found = rejoin_state(load_facts(event, for_staff=False), entry)
    if found is RejoinStatus.ASKED:
        return entry
    if found is RejoinStatus.REFUSED:
        raise RuleError(
            "return_refused",
            "You can’t rejoin from this page. Ask at the desk.",
        )
    if found is not RejoinStatus.MAY_ASK:
        raise RuleError(
            "return_not_possible",
            "You can’t rejoin from this page. Ask at the desk.",
        )
    entry.return_asked_at = timezone.now()
    entry.save(update_fields=["return_asked_at"])
    record(event, RETURN_ASKED, by=by, subject=entry.name)
    return entry


@transaction.atomic
def refuse_rejoin(*, entry: Entry, by: Actor) -> Entry:
    """Refuse a dropped player's request to rejoin, and return the player.

    `rejoin` accepts a request. Raises RuleError ``event_finished``, ``return_not_asked``.
    """
    event = begin_act(entry.event, RETURN_REFUSED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if not entry.asks_back:
        raise RuleError(
            "return_not_asked",
        )
    with undoable(event, RETURN_REFUSED, (Entry,), by=by, subject=entry.name) as act:
        entry.return_refused_at = timezone.now()
        entry.save(update_fields=["return_refused_at"])
        act.after = {"number": entry.number}
    return entry
