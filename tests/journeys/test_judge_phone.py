"""A judge with a phone: checks, ticks, minutes and penalties, with and without connection."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import COUNT_TAPS, taps
from tests.journeys.steps import all_sent, follow, hurry, unsent, wait_until
from tournaments.checks import services as checks
from tournaments.core.permissions import Actor
from tournaments.judging.services import call_judge
from tournaments.models import DeckCheck, JudgeCall, Match, Penalty, TimeExtension
from tournaments.players.services import entries
from tournaments.results.services import reports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


@pytest.fixture
def hall(open_as, event) -> Callable[[], Page]:
    """Return a function that opens the tables on a judge's phone, where taps are counted."""

    def opened() -> Page:
        page = open_as(make.staff(event).user, settings=PHONE)
        page.context.add_init_script(COUNT_TAPS)
        page.goto(f"/events/{event.slug}/floor/")
        return page

    return opened


def narrow(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), page.url


@pytest.mark.deep
def test_j21_a_deck_check_at_random_in_three_taps(hall, event, axe):
    page = hall()
    follow(page.get_by_role("link", name="Mazzi"))
    follow(page.get_by_role("button", name="Sorteggia un tavolo"))
    expect(page.locator("#ticks")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"\d:\d\d"))
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name=re.compile(r"^Tutto in regola: concludi, \+\d+ min")))
    assert taps(page) == 3
    done = DeckCheck.objects.get(finished_at__isnull=False)
    assert (done.outcome, TimeExtension.objects.get().match) == ("clean", done.match)
    expect(page.locator("#ticks")).to_be_visible()  # the other player of the table
    assert DeckCheck.objects.get(finished_at=None).match == done.match


@pytest.mark.deep
def test_j22_extra_time_in_two_taps_and_back_in_one(hall, event, axe):
    page = hall()
    axe(page)
    page.locator(".tile").nth(4).tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name="+5"))
    assert taps(page) == 2
    given = TimeExtension.objects.get()
    assert (given.minutes, given.match.table, given.reason) == (5, 5, "Decisione")
    expect(page.locator(".tile").nth(4)).to_contain_text("+5")
    follow(page.get_by_role("button", name="Annulla"))
    assert taps(page) == 3
    assert not TimeExtension.objects.exists()
    expect(page.locator(".tile").nth(4)).to_contain_text("In gioco")


def test_j22_a_penalty_in_four_taps(hall, event, axe):
    match = Match.objects.get(round__event=event, table=5)
    page = hall()
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    expect(page.locator("#said-penalty")).to_have_text(
        f"Richiamo · {match.players[1].name} · Ritardo"
    )
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name="Dai la penalità"))
    assert taps(page) == 4
    given = Penalty.objects.get()
    assert (given.entry, given.level, given.infraction) == (match.players[1], "caution", "Ritardo")
    # The next time the next step is proposed, and a fifth tap takes another one.
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    expect(page.locator("#said-penalty")).to_contain_text("Ammonizione")
    page.locator("label", has_text="Partita persa").tap()
    expect(page.locator("#said-penalty")).to_contain_text("Partita persa")


@pytest.mark.deep
def test_j13_two_different_reports_are_settled_in_two_taps(hall, event, axe):
    match = Match.objects.select_related("round__event").get(round__event=event, table=4)
    for entry, index in ((match.players[0], 0), (match.players[1], 5)):
        claim = make.a_wins(match, index)
        reports.report_result(match=match, claim=claim, by=Actor(entry=entry))
    page = hall()
    page.locator(".floor-calls").get_by_role("link", name="Decidi").tap()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="Accetta questo risultato")).to_have_count(2)
    axe(page)
    narrow(page)
    follow(sheet.get_by_role("button", name="Accetta questo risultato").first)
    assert taps(page) == 2
    expect(page.locator(".tile").nth(3)).to_have_class(re.compile("final"))
    match.refresh_from_db()
    assert match.decision.score_b == 10


def test_a_call_is_one_tap_for_the_player_and_one_for_the_judge(
    hall, event, by, open_page, live_server
):
    match = Match.objects.get(round__event=event, table=3)
    page = hall()
    mine = open_page(PHONE)
    mine.goto(f"{live_server.url}/p/{entries.make_link(entry=match.players[0], by=by)}/")
    follow(mine.get_by_role("button", name="Chiama un giudice"))
    expect(mine.locator("main")).to_contain_text("Giudice chiamato:")
    made = JudgeCall.objects.get()
    page.reload()
    before = page.locator(".floor-calls").bounding_box()
    expect(page.locator(".floor-calls")).to_contain_text(match.players[0].name)
    follow(page.get_by_role("button", name="Vado io"))
    assert taps(page) == 1
    made.refresh_from_db()
    assert made.taken_at is not None
    assert page.locator(".floor-calls").bounding_box() == before
    mine.reload()
    expect(mine.locator("main")).to_contain_text("Arriva un giudice")
    follow(page.get_by_role("button", name="Risolta"))
    assert taps(page) == 2
    assert page.locator(".floor-calls").bounding_box() == before  # empty or full


UNSENT = "Non salvato: manca la connessione"


@pytest.fixture
def wire(wire, watch):
    watch.allow += ["Failed to load resource", "htmx:"]
    return wire


@pytest.fixture
def event_offline(by):
    return make.playing(by, 12)


def table(event_offline, number):
    return Match.objects.get(round__event=event_offline, table=number)


def again(page):
    page.evaluate("window.dispatchEvent(new Event('online'))")


@pytest.mark.deep
def test_acts_without_connection_survive_a_reload_and_arrive_once(
    open_as, event_offline, wire, axe
):
    judge, match = make.staff(event_offline), table(event_offline, 3)
    call_judge(match=match, entry=None, by=judge)
    page = open_as(judge.user, f"/events/{event_offline.slug}/floor/", PHONE, base_url=wire.url)
    wire.cut()
    page.get_by_role("button", name="Vado io").tap()
    expect(page.locator("#kept-status.unsaved")).to_contain_text(UNSENT)
    page.locator(".tile").nth(
        4
    ).tap()  # the site can't tell of the table: minutes need nothing of it
    expect(page.get_by_role("dialog")).to_contain_text("Nessuna connessione: il tempo addizionale")
    axe(page)
    page.get_by_role("button", name="+5").tap()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#outbox li")).to_have_text(["Tavolo 3 · Vado io", "Tavolo 5 · +5"])
    axe(page)
    assert unsent(page) == 2
    assert not TimeExtension.objects.exists()

    wire.mend()
    wire.lose_answers(2)  # the second act is stored, and its answer lost: it is sent again
    page.goto(f"/events/{event_offline.slug}/floor/")
    expect(page.locator("#kept-status.saved")).to_contain_text("+5")
    expect(page.locator(".tile").nth(4)).to_contain_text("+5")
    assert wire.lost
    all_sent(page)
    assert [given.match.table for given in TimeExtension.objects.all()] == [5]
    assert JudgeCall.objects.get().taken_by == judge.user


@pytest.mark.deep
def test_a_penalty_waits_while_the_judge_goes_on_and_a_refusal_is_told(
    open_as, event_offline, wire, axe, watch
):
    watch.allow += ["status of 409"]
    judge, match = make.staff(event_offline), table(event_offline, 5)
    call = call_judge(match=match, entry=None, by=judge)
    page = open_as(judge.user, f"/events/{event_offline.slug}/floor/", PHONE, base_url=wire.url)
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    wire.cut()
    page.get_by_role("button", name="Dai la penalità").tap()
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
    expect(page.locator("#refused li")).to_contain_text("Non è più possibile.")
    page.get_by_role("button", name="Ho capito").tap()
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.deep
def test_minutes_of_the_desk_are_kept_like_its_results(open_as, by, event_offline, wire, watch):
    page = open_as(by.user, f"/events/{event_offline.slug}/desk/", base_url=wire.url)
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
    expect(page.locator(".undo-offer")).to_contain_text("Table 1")
    assert [given.match.table for given in TimeExtension.objects.all()] == [2]
    assert table(event_offline, 1).state == "final"


A4 = {"width": 718, "height": 1032}  # CSS pixels inside the margins


@pytest.fixture
def checked_event(by):
    return make.playing(by, 12, decklists="required")


def opened(open_as, actor, path: str, settings=PHONE) -> Page:
    page = open_as(actor.user, settings=settings, locale="en-GB")
    page.context.add_init_script(COUNT_TAPS)
    page.goto(path)
    return page


@pytest.mark.deep
def test_a_check_at_random_in_three_taps(open_as, checked_event, axe):
    judge = make.staff(checked_event)
    page = opened(open_as, judge, f"/events/{checked_event.slug}/desk/")
    page.locator(".event-menu summary").tap()
    follow(page.get_by_role("link", name="Deck checks"))
    follow(page.get_by_role("button", name="Pick a table at random"))
    assert taps(page) == 3
    expect(page.locator("#ticks")).to_be_visible()
    assert DeckCheck.objects.filter(finished_at=None, by=judge.user).count() == 2
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    axe(page)


@pytest.mark.deep
def test_ticks_stay_and_a_second_device_goes_on(open_as, checked_event):
    judge = make.staff(checked_event)
    check = checks.begin_player_check(entry=checked_event.entries.get(number=1), by=judge)
    path = f"/events/{checked_event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    boxes = page.locator("input[name=line]")
    for at in range(4):
        boxes.nth(at).tap()
    expect(page.locator(".stored")).to_contain_text("Saved")
    expect(page.locator("input[name=version]")).not_to_have_value("0")
    expect(page.locator("#tick-state")).to_contain_text("Cards found: 20 /")
    kept = DeckCheck.objects.get(pk=check.pk)
    assert kept.ticked == [0, 1, 2, 3]
    other = opened(open_as, judge, path, DESK)
    expect(other.locator("input[name=line]:checked")).to_have_count(4)
    other.locator("input[name=line]").nth(4).check()
    expect(other.locator(".stored")).to_contain_text("Saved")
    boxes.nth(8).tap()  # this page has not seen the fifth line
    expect(page.locator("input[name=line]:checked")).to_have_count(6)
    expect(page.locator("#tick-state")).to_contain_text("Cards found: 30 /")
    assert DeckCheck.objects.get(pk=check.pk).ticked == [0, 1, 2, 3, 4, 8]


@pytest.mark.deep
def test_each_tick_has_room_for_a_thumb(open_as, checked_event):
    judge = make.staff(checked_event)
    check = checks.begin_player_check(entry=checked_event.entries.get(number=1), by=judge)
    path = f"/events/{checked_event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    heights = page.locator(".tick-list label").evaluate_all(
        "labels => labels.map(label => label.getBoundingClientRect().height)"
    )
    assert len(heights) > 15
    assert min(heights) >= 44


@pytest.mark.deep
def test_finishing_gives_the_table_its_time(open_as, checked_event):
    judge = make.staff(checked_event)
    check = checks.begin_player_check(entry=checked_event.entries.get(number=1), by=judge)
    path = f"/events/{checked_event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    page.get_by_label("In order").check()
    follow(page.get_by_role("button", name="Finish the check"))
    expect(page.locator("#messages")).to_contain_text("Saved.")
    minutes = TimeExtension.objects.get().minutes
    assert minutes >= 2  # one begun, and one to sit down again
    page.goto(f"/events/{checked_event.slug}/pairings/")
    expect(page.locator("#by-table")).to_contain_text(f"+{minutes} min")


@pytest.mark.deep
def test_extra_time_in_four_taps(open_as, checked_event):
    judge = make.staff(checked_event)
    page = opened(open_as, judge, f"/events/{checked_event.slug}/desk/")
    page.locator("tr[data-table='3'] th a").tap()
    follow(page.locator("#sheet").get_by_role("link", name="Judge", exact=True))
    page.get_by_label("Reason").first.tap()
    page.keyboard.type("Chiamata lunga")
    follow(page.get_by_role("button", name="Extra time"))
    assert taps(page) == 4
    expect(page.locator("#extra-time")).to_contain_text("+5 min")


def pages_of(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.fixture
def long_list() -> str:
    """Return sixty different cards with long names, and a reserve."""
    deck = [f"1 Una carta dal nome molto lungo {at} (DT) {{Guerriero}}" for at in range(60)]
    reserve = [f"5 Riserva {at} (DT) {{Speciale}}" for at in range(5)]
    return "\n".join(["Lingua: it", "Mazzo da combattimento", *deck, "Riserve", *reserve])


@pytest.mark.deep
def test_sheets_fit_their_paper(open_as, checked_event, by, long_list):
    make.decklists.submit_decklist(
        entry=checked_event.entries.get(number=1), text=long_list, reason="Prova", by=by
    )
    path = f"/events/{checked_event.slug}/sheets/"
    page = opened(open_as, by, path, DESK)
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 12
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    outside = page.locator(".sheet *").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().right > innerWidth + 1).length"
    )
    assert outside == 0
    page.goto(f"{path}1/")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1


@pytest.mark.deep
@pytest.mark.parametrize("slug", ["creatures-of-exo", "doomtrooper-original", "yugioh-2009"])
def test_an_empty_sheet_is_one_page(open_page, live_server, slug):
    page = open_page()
    page.goto(f"/formats/{slug}/sheet/")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1


APART = 50

# Ticks some lines one after another, each as a finger does.
TAP = """async ([lines, apart]) => {
  for (const line of lines) {
    document.querySelector(`input[name=line][value="${line}"]`).click();
    await new Promise(resolve => setTimeout(resolve, apart));
  }
}"""


@pytest.fixture
def check(by) -> DeckCheck:
    event = make.playing(by, 4, decklists="required")
    return checks.begin_player_check(entry=event.entries.get(number=1), by=by)


@pytest.fixture
def judge(open_as, by, check, wire, watch) -> Page:
    watch.allow += ["Failed to load resource", "htmx:"]
    path = f"/events/{check.event.slug}/checks/{check.pk}/"
    page = open_as(by.user, path, PHONE, base_url=wire.url)
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def stored(check: DeckCheck) -> set[int]:
    return set(DeckCheck.objects.get(pk=check.pk).ticked)


@pytest.mark.deep
@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.deep)])
def test_no_tick_is_lost_while_the_line_comes_and_goes(judge, check, wire, rounds):
    draw = random.Random("ticks")
    lines = [
        int(each)
        for each in judge.locator("input[name=line]").evaluate_all(
            "all => all.map(one => one.value)"
        )
    ]
    wanted: set[int] = set()
    for _round in range(rounds):
        chosen = draw.sample(lines, 6)
        wanted ^= set(chosen)
        judge.evaluate(f"args => {{ window.ticking = ({TAP})(args); }}", [chosen, APART])
        judge.wait_for_timeout(draw.randrange(6 * APART))
        wire.cut()
        judge.evaluate("window.ticking")
        wire.mend()
        hurry(judge)
        wait_until(judge, lambda wanted=wanted: stored(check) == wanted)
    assert judge.locator("input[name=line]:checked").count() == len(wanted)


@pytest.mark.deep
def test_ticks_that_wait_are_sent_from_the_judges_tables(judge, check, wire):
    boxes = judge.locator("input[name=line]")
    wire.cut()
    for at in range(3):
        boxes.nth(at).tap()
    expect(judge.locator(".stored.unsaved")).to_contain_text("non ancora salvate")
    wire.mend()
    judge.goto(f"/events/{check.event.slug}/checks/")
    assert stored(check) == set()  # no page of judges' acts
    judge.goto(f"/events/{check.event.slug}/floor/")
    wait_until(judge, lambda: stored(check) == {0, 1, 2})
