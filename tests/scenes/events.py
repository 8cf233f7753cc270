"""Acts on an event itself, its staff, its announcements and its published lists."""

from tests import factories as make
from tests.scenes.base import ACCEPTED, GROUP, full, going, over, scene
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists import services as published_lists
from tournaments.events import services as events
from tournaments.events.services import confirm_separate_rooms
from tournaments.judging import services as announcements
from tournaments.lots import services as drawing
from tournaments.models import Event
from tournaments.players.services import entries
from tournaments.prizes import services as prizes
from tournaments.prizes.selectors import event_winners
from tournaments.rounds.services import draft_round
from tournaments.staff import services as staff
from tournaments.starting import services as starting


@scene("event.open_registration")
def _(by):
    event = make.event(by)
    return event, lambda: events.change_event_state(event=event, action="open_registration", by=by)


@scene("event.close_registration")
def _(by):
    event = make.open_event(by)
    return event, lambda: events.change_event_state(event=event, action="close_registration", by=by)


@scene("event.changed")
def _(by):
    event = full(by)
    return event, lambda: events.change_event(event=event, changes={"capacity": 5}, by=by)


@scene("round.tables_moved")
def _(by):
    event = make.started(by, 4, **GROUP)
    events.change_event(event=event, changes={"tables": "1-4"}, by=by)
    entries.change_entry(entry=event.entries.get(number=1), changes={"fixed_table": 2}, by=by)
    draft_round(event=event, expected_round=1, by=by)
    return event, lambda: events.change_event(event=event, changes={"tables": "11-14"}, by=by)


@scene("event.other_rooms")
def _(by):
    event = make.event(by, venue="Circolo La Torre", **GROUP)
    make.event(by, venue="Circolo La Torre", starts_at=event.starts_at, **GROUP)
    return event, lambda: confirm_separate_rooms(event=event, by=by)


TABLE = {"by": "place", "rows": [{"from": 1, "to": 2, "prize": "Coppa", "value": "10"}]}


@scene("prizes.changed")
def _(by):
    event = full(by)
    return event, lambda: prizes.set_prizes(event=event, table=TABLE, by=by)


def with_prizes(by: Actor) -> Event:
    """Return a finished event with prizes."""
    event = over(by)
    prizes.set_prizes(event=event, table=TABLE, by=by)
    return events.change_event_state(event=event, action="finish", by=by)


def first_winner(event: Event) -> int:
    """Return the number of the player who won."""
    return event_winners(load_facts(event))[0].player


@scene("prize.given")
def _(by):
    event = with_prizes(by)
    number = first_winner(event)
    return event, lambda: prizes.mark_prize_handed_out(
        event=event, number=number, given=True, by=by
    )


@scene("prize.taken_back")
def _(by):
    event = with_prizes(by)
    number = first_winner(event)
    prizes.mark_prize_handed_out(event=event, number=number, given=True, by=by)
    return event, lambda: prizes.mark_prize_handed_out(
        event=event, number=number, given=False, by=by
    )


@scene("event.start")
def _(by):
    event = make.open_event(by, **GROUP)
    make.players(event, 4, by)
    draw = drawing.draw_start_order(event=event, seed="s", by=by)
    return event, lambda: starting.start_event(event=event, draw_number=draw.number, by=by)


@scene("event.finish")
def _(by):
    event = over(by)
    return event, lambda: events.change_event_state(event=event, action="finish", by=by)


@scene("event.reopen")
def _(by):
    event = over(by)
    events.change_event_state(event=event, action="finish", by=by)
    return event, lambda: events.change_event_state(event=event, action="reopen", by=by)


def with_lists(by: Actor) -> Event:
    """Return a finished event with lists, which may be published."""
    event = over(by)
    Event.objects.filter(pk=event.pk).update(decklists=Event.Decklists.OPTIONAL)
    return events.change_event_state(event=event, action="finish", by=by)


@scene("lists.published")
def _(by):
    event = with_lists(by)
    return event, lambda: published_lists.publish_decklists(event=event, by=by)


@scene("lists.hidden")
def _(by):
    event = with_lists(by)
    published_lists.publish_decklists(event=event, by=by)
    return event, lambda: published_lists.hide_decklists(event=event, by=by)


@scene("staff.given")
def _(by):
    event, person = full(by), make.user()
    return event, lambda: staff.give_role(event=event, email=person.email, role="judge", by=by)


@scene("staff.taken")
def _(by):
    event, person = full(by), make.user()
    given = staff.give_role(event=event, email=person.email, role="judge", by=by)
    return event, lambda: staff.remove_role(event=event, role_id=given.pk, by=by)


@scene("staff.invited")
def _(by):
    event = full(by)
    return event, lambda: staff.offer_role(
        event=event, email="nora@example.org", role="judge", by=by
    )


@scene("staff.accepted")
def _(by):
    event = full(by)
    staff.offer_role(event=event, email=ACCEPTED, role="judge", by=by)
    invitation, person = event.invitations.get(), Actor(user=make.user())
    return event, lambda: staff.accept_invitation(invitation=invitation, by=person)


@scene("announcement.ended")
def _(by):
    event = going(by)
    made = announcements.create_announcement(event=event, text="Pausa", minutes=10, by=by)
    return event, lambda: announcements.end_announcement(
        event=event, announcement_id=made.pk, by=by
    )
