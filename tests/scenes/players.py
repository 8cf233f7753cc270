"""Acts on players, on pairs kept apart and on single decklists."""

from datetime import timedelta

from django.utils import timezone

from tests import factories as make
from tests.scenes.base import GROUP, SCENES, SWISS, entry, first_match, full, going, scene
from tournaments.arrivals import services as arrivals
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_locks
from tournaments.joining import services as joining
from tournaments.keeping_apart import services as apart
from tournaments.models import Event
from tournaments.players.services import departures, entries, late_entries, seeds
from tournaments.players.services import departures as returns
from tournaments.players.services import entries as waiting_list
from tournaments.strikes import services as strikes


@scene("entry.added")
def _(by):
    event = full(by)
    return event, lambda: entries.add_entry(event=event, name="Zita", club="C", seed=2, by=by)


@scene("entry.pasted")
def _(by):
    event = make.open_event(by, capacity=4, **GROUP)
    return event, lambda: make.players(event, 6, by)


@scene("entry.registered")
def _(by):
    event = make.open_event(by)
    return event, lambda: entries.register(event=event, name="Zita", user=None, by=Actor())


@scene("entry.changed")
def _(by):
    event = full(by)
    changes = {"name": "Altra", "club": "Club", "fixed_table": 3, "seed": 1}
    return event, lambda: entries.change_entry(entry=entry(event, 2), changes=changes, by=by)


@scene("entry.seeds")
def _(by):
    event = full(by)
    seeds.change_seeds(event=event, seeds={1: "1", 2: "2"}, by=by)
    swapped = {1: "2", 2: "1", 3: "3"}
    return event, lambda: seeds.change_seeds(event=event, seeds=swapped, by=by)


@scene("entry.removed")
def _(by):
    event = full(by)
    return event, lambda: entries.remove_entry(entry=entry(event, 2), by=by)


@scene("entry.check_in")
def _(by):
    event = full(by)
    return event, lambda: entries.check_in(entry=entry(event, 1), by=by)


@scene("entry.checked_in_many")
def _(by):
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    return event, lambda: arrivals.check_in_many(event=event, numbers={1, 2, 3}, by=by)


@scene("entry.withdrawn_many")
def _(by):
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    return event, lambda: arrivals.drop_absent_players(event=event, numbers={1, 2, 3}, by=by)


@scene("entry.let_in")
def _(by):
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    departures.withdraw(entry=entry(event, 2), by=by)
    return event, lambda: waiting_list.admit_waiting_player(entry=entry(event, 6), by=by)


@scene("entry.asked_later")
def _(by):
    event = full(by)
    return event, lambda: waiting_list.move_to_waiting_list_end(entry=entry(event, 5), by=by)


@scene("fee.paid")
def _(by):
    event = full(by)
    return event, lambda: arrivals.record_fee_payment(entry=entry(event, 1), paid=True, by=by)


@scene("fee.taken_back")
def _(by):
    event = full(by)
    arrivals.record_fee_payment(entry=entry(event, 1), paid=True, by=by)
    return event, lambda: arrivals.record_fee_payment(entry=entry(event, 1), paid=False, by=by)


@scene("entry.undo_check_in")
def _(by):
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    return event, lambda: entries.check_in(entry=entry(event, 1), action="undo_check_in", by=by)


@scene("entry.left")
def _(by):
    event = make.started(by, 4, **GROUP)
    departures.withdraw(entry=entry(event, 2), by=by)
    return event, lambda: departures.correct_departure(entry=entry(event, 2), left="dropped", by=by)


@scene("entry.added_late")
def _(by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    return event, lambda: late_entries.add_late_entry(event=event, name="Zita", missed="bye", by=by)


@scene("entry.withdraw")
def _(by):
    event = full(by)
    return event, lambda: departures.withdraw(entry=entry(event, 1), by=by)


@scene("entry.leaves_later")
def _(by):
    event = going(by)
    player = first_match(event).players[0]
    return event, lambda: departures.drop_after_round(entry=player, by=by)


@scene("entry.disqualify")
def _(by):
    event = going(by)
    player = first_match(event).players[0]
    return event, lambda: departures.disqualify(entry=player, reason="Barava", by=by)


@scene("entry.re_enter")
def _(by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    departures.withdraw(entry=entry(event, 3), by=by)
    make.play_round(make.next_round(event, by), by)
    return event, lambda: departures.rejoin(entry=entry(event, 3), by=by)


@scene("entry.return_refused")
def _(by):
    event = make.halfway(by, 6, **SWISS)
    player = departures.withdraw(entry=entry(event, 3), by=by)
    returns.request_rejoin(entry=player, by=Actor(entry=player))
    return event, lambda: returns.refuse_rejoin(entry=entry(event, 3), by=by)


@scene("entry.reinstate")
def _(by):
    event = going(by)
    departures.disqualify(entry=entry(event, 3), reason="Barava", by=by)
    return event, lambda: departures.rejoin(entry=entry(event, 3), by=by)


@scene("entry.struck")
def _(by):
    event = going(by)
    make.play_round(event.rounds.get(), by)
    departures.withdraw(entry=entry(event, 3), by=by)
    return event, lambda: strikes.strike(entry=entry(event, 3), reason="Voto", by=by)


@scene("entry.strike_lifted")
def _(by):
    event, act = SCENES["entry.struck"](by)
    act()
    return event, lambda: strikes.lift_strike(entry=entry(event, 3), reason="Voto", by=by)


@scene("apart.kept")
def _(by):
    event = full(by)
    return event, lambda: apart.add_separated_pair(event=event, numbers=(1, 2), by=by)


@scene("apart.ended")
def _(by):
    event = full(by)
    pair = apart.add_separated_pair(event=event, numbers=(1, 2), by=by)
    apart.add_separated_pair(event=event, numbers=(3, 4), by=by)
    return event, lambda: apart.remove_separated_pair(event=event, pair_id=pair.pk, by=by)


@scene("deck.opened")
def _(by):
    event = make.open_event(by, decklists=Event.Decklists.OPTIONAL)
    make.players(event, 3, by)
    until = timezone.now() + timedelta(hours=1)
    return event, lambda: deck_locks.unlock_decklist(
        entry=entry(event, 1), until=until, reason="Errore", by=by
    )


@scene("deck.closed")
def _(by):
    event = make.started(by, 3, decklists=Event.Decklists.OPTIONAL)
    until = timezone.now() + timedelta(hours=1)
    deck_locks.unlock_decklist(entry=entry(event, 1), until=until, reason="Errore", by=by)
    return event, lambda: deck_locks.lock_decklist(entry=entry(event, 1), by=by)


@scene("join.confirmed")
def _(by):
    event = full(by)
    claim, _secret = joining.request_sign_in(event=event, number=1)
    return event, lambda: joining.confirm_request(event=event, claim_id=claim.pk, by=by)
