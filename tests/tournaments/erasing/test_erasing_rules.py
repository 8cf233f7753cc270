"""Who may be erased, when, and what an erased person does not come back by."""

import pytest
from django.core.exceptions import PermissionDenied

from accounts.models import User
from rules.errors import RuleError
from tests import factories as make
from tests.scenes.base import GROUP
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_account, erase_player
from tournaments.events.services import events
from tournaments.judging import services as announcements
from tournaments.models import Entry, Event, LogLine, StaffRole
from tournaments.players.services import departures, entries
from tournaments.staff import services as staff
from tournaments.undo.selectors import acts_to_offer, last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def going(by: Actor, *names: str) -> Event:
    """Return an event with open registration and these players."""
    event = make.open_event(by, **GROUP)
    make.players_more(event, names, by)
    return event


def gone(event: Event, number: int, by: Actor) -> Entry:
    """Let a player leave."""
    return departures.withdraw(entry=event.entries.get(number=number), by=by)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def refused(code: str, act, **values) -> None:
    """Check that an act is refused and leaves no line in any log."""
    before = LogLine.objects.count()
    with pytest.raises(RuleError) as refusal:
        act(**values)
    assert refusal.value.code == code
    assert LogLine.objects.count() == before


def test_who_still_plays_withdraws_first(by) -> None:
    event = going(by, "Ada", "Bea")
    refused("still_plays", erase_player, event=event, number=1, confirm="Ada", by=by)
    gone(event, 1, by)
    erase_player(event=event, number=1, confirm=" ada ", by=by)
    assert event.entries.get(number=1).name == "Giocatore 1"


def test_the_name_is_typed(by) -> None:
    event = going(by, "Ada", "Bea")
    gone(event, 1, by)
    refused("not_confirmed", erase_player, event=event, number=1, confirm="Bea", by=by)


def test_a_number_that_nobody_had(by) -> None:
    event = going(by, "Ada")
    refused("no_such_player", erase_player, event=event, number=9, confirm="9", by=by)


def test_who_has_an_account_erases_it_alone(by) -> None:
    event, user = going(by, "Ada"), make.user()
    entries.register(event=event, name="Uno", user=user, by=Actor(user=user))
    gone(event, 2, by)
    refused("has_account", erase_player, event=event, number=2, confirm="Uno", by=by)


@pytest.mark.parametrize("role", ["judge", "head_judge", "scorekeeper"])
def test_only_organisers_erase_players(by, role) -> None:
    event = going(by, "Ada")
    gone(event, 1, by)
    with pytest.raises(PermissionDenied):
        erase_player(event=event, number=1, confirm="Ada", by=make.staff(event, role))
    assert event.entries.get(number=1).name == "Ada"


def test_the_organiser_of_another_event_erases_nobody(by) -> None:
    event = going(by, "Ada")
    gone(event, 1, by)
    with pytest.raises(PermissionDenied):
        erase_player(event=event, number=1, confirm="Ada", by=make.organiser())


def test_who_was_removed_from_the_list_goes_from_the_log(by) -> None:
    event = going(by, "Ada", "Bea Verdi")
    entries.remove_entry(entry=event.entries.get(number=2), by=by)
    erase_player(event=event, number=2, confirm="2", by=by)
    lines = [str((line.subject, line.before, line.after)) for line in event.log.all()]
    assert [line for line in lines if "Verdi" in line] == []
    undo(event=fresh(event), expected=last_act(fresh(event)).line.number, by=by)
    assert event.entries.get(number=2).name == "Giocatore 2"


def test_who_has_the_same_name_keeps_it(by) -> None:
    event = going(by, "Marco Rossi", "Bea", "Marco Rossi", "Marco Rossini")
    gone(event, 3, by)
    make_known = {"about": "Con Marco Rossi e Marco Rossini"}
    events.change_event(event=fresh(event), changes=make_known, by=by)
    gone(event, 1, by)
    erase_player(event=event, number=1, confirm="Marco Rossi", by=by)
    names = list(event.entries.order_by("number").values_list("name", flat=True))
    assert names == ["Giocatore 1", "Bea", "Marco Rossi", "Marco Rossini"]
    assert fresh(event).about == "Con Giocatore 1/3 e Marco Rossini"
    left = event.log.filter(action="entry.withdraw").order_by("number")
    assert [line.subject for line in left] == ["Marco Rossi", "Giocatore 1"]
    assert left[0].number
    assert list(verify_event(fresh(event))) == []


def test_an_erasure_is_not_taken_back_and_stands_in_nobodys_way(by) -> None:
    event = going(by, "Ada", "Bea")
    gone(event, 1, by)
    before = last_act(fresh(event)).line.number
    erase_player(event=event, number=1, confirm="Ada", by=by)
    acts = acts_to_offer(fresh(event))
    erased = event.log.get(action="person.erased")
    assert acts.find(erased.number) is None or acts.find(erased.number).why_not
    undo(event=fresh(event), expected=before, by=by)
    assert event.entries.get(number=1).name == "Giocatore 1"


def test_a_code_that_is_called_like_a_player_stays_a_code(by) -> None:
    event = going(by, "registered", "Bea")
    gone(event, 1, by)
    erase_player(event=event, number=1, confirm="registered", by=by)
    line = event.log.get(action="entry.withdraw")
    assert (line.before, line.after["status"]) == ({"status": "registered"}, "withdrawn")


def test_the_only_organiser_finishes_first(by) -> None:
    event = going(by, "Ada")
    refused("last_organiser", erase_account, user=by.user, confirm=by.user.email)
    other = make.user()
    given = {"email": other.email, "role": StaffRole.Role.ORGANISER}
    staff.give_role(event=event, by=by, **given)
    erase_account(user=by.user, confirm=by.user.email)
    assert [role.user for role in event.staff.all()] == [other]
    assert fresh(event).created_by.name == f"Persona {by.user.pk}"


def test_the_only_administrator_stays() -> None:
    chief = make.user(is_superuser=True, is_staff=True)
    refused("last_administrator", erase_account, user=chief, confirm=chief.email)


def test_a_name_in_a_sentence_about_the_judge_goes_with_the_account(by) -> None:
    event = make.playing(by, 4, **GROUP)
    judge = make.user(name="Gino Fischietto")
    staff.give_role(event=event, email=judge.email, role="judge", by=by)
    said = "Chiedete a Gino Fischietto"
    announcements.announce(event=event, text=said, minutes=5, by=Actor(user=judge))
    erase_account(user=judge, confirm=judge.email)
    label = f"Persona {judge.pk}"
    assert fresh(event).announcements.get().text == f"Chiedete a {label}"
    assert str(fresh(event).announcements.get().by) == label
    assert User.objects.get(pk=judge.pk).email.endswith(".invalid")
    assert list(verify_event(fresh(event))) == []
