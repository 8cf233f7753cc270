"""Who may be erased, when and by whom, by the services and on the pages."""

import json

import pytest
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import env
from rules.errors import BadInput, RuleError
from tests import browsers, canary
from tests import factories as make
from tests.scenes.base import GROUP
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_account, erase_player
from tournaments.events import services as events
from tournaments.judging import services as announcements
from tournaments.models import Entry, Event, LogLine, StaffRole
from tournaments.players.services import departures, entries
from tournaments.players.services import entries as links
from tournaments.staff import services as staff
from tournaments.undo.selectors import last_act, undo_options
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
OTHERS = ("Ada", "Carlo")


@pytest.fixture
def event(by: Actor) -> Event:
    event = make.open_event(by, **GROUP)
    make.players_more(event, ("Ada", "Zefirino Canarelli", "Carlo"), by)
    return event


@pytest.fixture
def desk(by: Actor) -> Client:
    return browsers.signed_in(by)


def withdrawn(event: Event, by: Actor) -> None:
    departures.withdraw(entry=event.entries.get(number=2), by=by)


def page(event: Event) -> str:
    return reverse("tournaments:manage-player-erase", args=[event.slug, 2])


def test_the_organiser_reads_what_stays_and_types_the_name(event, by, desk) -> None:
    withdrawn(event, by)
    shown = desk.get(page(event)).content.decode()
    assert "This can’t be undone." in shown
    assert "Kept data" in shown
    wrong = desk.post(page(event), {"confirm": "Carlo"})
    assert wrong.status_code == 400
    assert "Type “Zefirino Canarelli” to confirm" in wrong.content.decode()
    right = desk.post(page(event), {"confirm": "zefirino canarelli"}, follow=True)
    assert right.redirect_chain[-1][1] == 302
    assert "Zefirino" not in right.content.decode()
    assert "Giocatore 2" in right.content.decode()


@pytest.mark.django_db(transaction=True)
def test_finished_pages_in_files_are_deleted_with_the_name(event, by, settings, tmp_path) -> None:
    """They would hold the name until somebody asks for the same page again."""
    found = env.caches("NO_REDIS", folder=str(tmp_path / "pages"))
    settings.CACHES = settings.CACHES | {"finished": found["finished"]}
    withdrawn(event, by)
    caches["finished"].set("page", b"Zefirino Canarelli")
    assert len(list((tmp_path / "pages").iterdir())) == 1
    with pytest.raises(BadInput):
        erase_player(event=event, number=2, confirm="Carlo", by=by)
    assert len(list((tmp_path / "pages").iterdir())) == 1
    erase_player(event=event, number=2, confirm="Zefirino Canarelli", by=by)
    assert not list((tmp_path / "pages").iterdir())


def test_who_was_removed_has_a_page_by_number(event, by, desk) -> None:
    assert desk.get(page(event).replace("/2/", "/9/")).status_code == 404
    entries.remove_entry(entry=event.entries.get(number=2), by=by)
    assert "Erase this person: 2" in browsers.text(desk.get(page(event)))
    assert desk.post(page(event), {"confirm": "2"}).status_code == 302
    assert canary.found_in_rows("zefirino") == []
    assert desk.get(page(event)).status_code == 404


def test_reading_the_page_erases_nobody(event, by, desk) -> None:
    withdrawn(event, by)
    desk.get(page(event), {"confirm": "Zefirino Canarelli"})
    assert event.entries.get(number=2).name == "Zefirino Canarelli"


def test_who_plays_is_not_erased_and_the_page_says_what_to_do(event, desk) -> None:
    refused = desk.post(page(event), {"confirm": "Zefirino Canarelli"})
    assert refused.status_code == 409
    assert "first, or wait until it ends." in refused.content.decode()


def test_the_player_page_offers_it_where_there_is_no_account(event, by, desk) -> None:
    user = make.user()
    entries.register(event=event, name="Uno", user=user, by=Actor(user=user))
    offered = {
        number: desk.get(reverse("tournaments:manage-player", args=[event.slug, number]))
        for number in (2, 4)
    }
    assert page(event) in offered[2].content.decode()
    assert "/4/erase/" not in offered[4].content.decode()


def test_a_link_leads_nowhere_afterwards(event, by, desk) -> None:
    withdrawn(event, by)
    token = links.make_link(entry=event.entries.get(number=2), by=by)
    phone = Client()
    phone.get(reverse("tournaments:open-link", args=[token]))
    me = reverse("tournaments:me", args=[event.slug])
    assert phone.get(me).status_code == 200
    desk.post(page(event), {"confirm": "Zefirino Canarelli"})
    assert phone.get(me).status_code != 200
    assert Client().get(reverse("tournaments:open-link", args=[token])).status_code == 404


def signed_in(user: User) -> Client:
    """Return a browser in which somebody has just typed their password."""
    browser = Client(headers={"accept-language": "en"})
    sent = {"login": user.email, "password": "girone-test"}
    browser.post(reverse("account_login"), sent)
    browser.post(reverse("account_reauthenticate"), {"password": "girone-test"})
    return browser


def test_an_account_is_erased_by_its_owner_and_the_session_ends() -> None:
    user = make.user(canary.ADDRESS, name=canary.ACCOUNT)
    browser, other = signed_in(user), signed_in(user)
    at = reverse("tournaments:erase-me")
    assert browser.post(at, {"confirm": "me"}).status_code == 400
    assert User.objects.get(pk=user.pk).is_active
    done = browser.post(at, {"confirm": canary.ADDRESS}, follow=True)
    assert "Account erased" in done.content.decode()
    for session in (browser, other):
        assert session.get(reverse("profile")).status_code == 302
    sent = {"login": canary.ADDRESS, "password": "girone-test"}
    assert Client().post(reverse("account_login"), sent).status_code == 200  # the form again
    assert canary.found_in_rows(*canary.WORDS) == []


def test_the_password_is_asked_for_before_an_account_is_erased() -> None:
    user = make.user(canary.ADDRESS)
    browser = Client()
    browser.force_login(user)
    asked = browser.post(reverse("tournaments:erase-me"), {"confirm": canary.ADDRESS})
    assert asked.status_code == 302
    assert asked.url.startswith(reverse("account_reauthenticate"))
    assert User.objects.get(pk=user.pk).is_active


def test_who_still_plays_reads_so_before_the_password_and_can_leave(event, by) -> None:
    user = make.user(canary.ADDRESS)
    entries.register(event=event, name="Uno", user=user, by=Actor(user=user))
    browser = browsers.signed_in(Actor(user=user))
    at = reverse("tournaments:erase-me")
    told = browser.get(at)
    leave = reverse("tournaments:my-drop", args=[event.slug])
    assert (told.status_code, "You are still in" in told.content.decode()) == (200, True)
    assert event.name in told.content.decode()
    assert f'href="{leave}"' in told.content.decode()
    assert 'name="confirm"' not in told.content.decode()
    browser.post(leave)
    assert browser.get(at).url.startswith(reverse("account_reauthenticate"))


def test_the_only_organiser_reads_so_before_the_password(event, by, desk) -> None:
    told = desk.get(reverse("tournaments:erase-me"))
    assert "Nobody else organises “Trofeo di prova”" in told.content.decode()
    assert "You are still in" not in told.content.decode()


@pytest.mark.deep
def test_my_data_holds_what_is_mine_and_nothing_of_others(by) -> None:
    """Safety notes, T56."""
    user = canary.person()
    event = canary.whole_event(by, user)
    answer = signed_in(user).get(reverse("tournaments:my-data"))
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "attachment" in answer.headers["Content-Disposition"]
    text = answer.content.decode()
    told = json.loads(text)
    assert told["account"]["email"] == canary.ADDRESS
    (played,) = told["events"]
    assert played["event"]["slug"] == event.slug
    assert played["player"]["name"] == canary.NAME
    assert len(played["decklists"]) == 2
    assert [report["note"] for report in played["reports"]] == [f"Da {canary.SURNAME}"]
    assert canary.FORMER in str(played["log"])
    assert played["begun_list"]
    assert played["matches"]
    assert played["penalties"]
    others = [*event.entries.exclude(number=2), by.user]
    assert [str(one) for one in others if f'"{one}"' in text] == []
    assert by.user.email not in text
    assert "Parlato con" not in text  # the staff's note


def test_a_player_by_link_takes_the_data_of_one_event(event, by) -> None:
    phone = browsers.by_link(event.entries.get(number=2), by)
    told = phone.get(reverse("tournaments:my-data-here", args=[event.slug])).json()
    assert told["player"]["name"] == "Zefirino Canarelli"
    assert [name for name in OTHERS if name in json.dumps(told)] == []


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


def test_who_still_plays_withdraws_first_and_the_name_is_typed(by) -> None:
    event = going(by, "Ada", "Bea")
    refused("still_plays", erase_player, event=event, number=1, confirm="Ada", by=by)
    refused("no_such_player", erase_player, event=event, number=9, confirm="9", by=by)
    gone(event, 1, by)
    refused("not_confirmed", erase_player, event=event, number=1, confirm="Bea", by=by)
    erase_player(event=event, number=1, confirm=" ada ", by=by)
    assert event.entries.get(number=1).name == "Giocatore 1"


def test_who_has_an_account_erases_it_alone(by) -> None:
    event, user = going(by, "Ada"), make.user()
    entries.register(event=event, name="Uno", user=user, by=Actor(user=user))
    gone(event, 2, by)
    refused("has_account", erase_player, event=event, number=2, confirm="Uno", by=by)


def test_only_its_organisers_erase_players(by) -> None:
    event = going(by, "Ada")
    gone(event, 1, by)
    of_staff = [make.staff(event, role) for role in ("judge", "head_judge", "scorekeeper")]
    for actor in (*of_staff, make.organiser()):
        with pytest.raises(PermissionDenied):
            erase_player(event=event, number=1, confirm="Ada", by=actor)
    assert event.entries.get(number=1).name == "Ada"


@pytest.mark.deep
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
    acts = undo_options(fresh(event))
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


@pytest.mark.deep
def test_a_name_in_a_sentence_about_the_judge_goes_with_the_account(by) -> None:
    event = make.playing(by, 4, **GROUP)
    judge = make.user(name="Gino Fischietto")
    staff.give_role(event=event, email=judge.email, role="judge", by=by)
    said = "Chiedete a Gino Fischietto"
    announcements.create_announcement(event=event, text=said, minutes=5, by=Actor(user=judge))
    erase_account(user=judge, confirm=judge.email)
    label = f"Persona {judge.pk}"
    assert fresh(event).announcements.get().text == f"Chiedete a {label}"
    assert str(fresh(event).announcements.get().by) == label
    assert User.objects.get(pk=judge.pk).email.endswith(".invalid")
    assert list(verify_event(fresh(event))) == []
