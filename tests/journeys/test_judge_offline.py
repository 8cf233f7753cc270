"""A judge's phone whose connection comes and goes: acts are kept, and are sent once each."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import all_sent, follow, unsent
from tournaments.judging.services import call_judge
from tournaments.models import JudgeCall, Match, Penalty, TimeExtension

pytestmark = pytest.mark.django_db(transaction=True)
UNSENT = "Non salvato: manca la connessione"


@pytest.fixture
def wire(wire, watch):
    watch.allow += ["Failed to load resource", "htmx:"]
    return wire


@pytest.fixture
def event(by):
    return make.playing(by, 12)


def table(event, number):
    return Match.objects.get(round__event=event, table=number)


def again(page):
    page.evaluate("window.dispatchEvent(new Event('online'))")


def test_acts_without_connection_survive_a_reload_and_arrive_once(open_as, event, wire, axe):
    judge, match = make.staff(event), table(event, 3)
    call_judge(match=match, entry=None, by=judge)
    page = open_as(judge.user, f"/events/{event.slug}/floor/", PHONE, base_url=wire.url)
    wire.cut()
    page.get_by_role("button", name="Vado io").tap()
    expect(page.locator("#kept-status.unsaved")).to_contain_text(UNSENT)
    page.locator(".tile").nth(
        4
    ).tap()  # the site can't tell of the table: minutes need nothing of it
    expect(page.get_by_role("dialog")).to_contain_text("Non c’è connessione")
    axe(page)
    page.get_by_role("button", name="+5").tap()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#outbox li")).to_have_text(["Tavolo 3 · Vado io", "Tavolo 5 · +5"])
    axe(page)
    assert unsent(page) == 2
    assert not TimeExtension.objects.exists()

    wire.mend()
    wire.lose_answers(2)  # the second act is stored, and its answer lost: it is sent again
    page.goto(f"/events/{event.slug}/floor/")
    expect(page.locator("#kept-status.saved")).to_contain_text("+5")
    expect(page.locator(".tile").nth(4)).to_contain_text("+5")
    assert wire.lost
    all_sent(page)
    assert [given.match.table for given in TimeExtension.objects.all()] == [5]
    assert JudgeCall.objects.get().taken_by == judge.user


@pytest.mark.deep
def test_a_penalty_waits_while_the_judge_goes_on_and_a_refusal_is_told(
    open_as, event, wire, axe, watch
):
    watch.allow += ["status of 409"]
    judge, match = make.staff(event), table(event, 5)
    call = call_judge(match=match, entry=None, by=judge)
    page = open_as(judge.user, f"/events/{event.slug}/floor/", PHONE, base_url=wire.url)
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    wire.cut()
    page.get_by_role("button", name="Assegna").tap()
    expect(page.locator("#outbox li")).to_have_text(
        f"Tavolo 5 · Richiamo · {match.players[1].name} · Ritardo"
    )
    expect(page.locator("#penalty")).to_be_hidden()
    axe(page)
    wire.mend()
    again(page)
    expect(page.locator("#kept-status.saved")).to_contain_text(match.players[1].name)
    follow(page.locator("#kept").get_by_role("link", name="Torna ai tavoli"))
    assert Penalty.objects.get().entry == match.players[1]

    wire.cut()
    page.get_by_role("button", name="Vado io").tap()
    expect(page.locator("#outbox li")).to_have_count(1)
    JudgeCall.objects.filter(pk=call.pk).delete()
    wire.mend()
    again(page)
    expect(page.locator("#refused li")).to_contain_text("già chiusa")
    page.get_by_role("button", name="Ho letto").tap()
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.deep
def test_minutes_of_the_desk_are_kept_like_its_results(open_as, by, event, wire, watch):
    page = open_as(by.user, f"/events/{event.slug}/desk/", base_url=wire.url)
    expect(page.locator("#quick-table")).to_be_focused()
    watch.allow.append("ERR_FAILED")
    page.route("**/desk/tables/*", lambda route: route.abort())
    wire.cut()
    for line in ("2 +5", "1 40 22"):
        page.locator("#quick-table").fill(line)
        page.keyboard.press("Enter")
    expect(page.locator("#outbox li")).to_have_count(2)
    assert not TimeExtension.objects.exists()
    wire.mend()
    again(page)
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    # The way back is that of the last entry, though the desk gets no news.
    expect(page.locator(".undo-offer")).to_contain_text("Result entered – ")
    expect(page.locator(".undo-offer")).to_contain_text("table 1")
    assert [given.match.table for given in TimeExtension.objects.all()] == [2]
    assert table(event, 1).state == "final"
