"""A player's report: what is told and what counts, kept while there is no connection."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import concede, confirm, follow, hurry, report, report_games, wait_until
from tests.journeys.test_offline import CACHED_PATHS, CONTROLLED
from tests.journeys.test_player_budgets import COUNT, taps
from tests.playing_again import play_again
from tournaments.core.permissions import Actor
from tournaments.models import Match, Report
from tournaments.players.services import entries
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)
NO_SCRIPT = {"java_script_enabled": False}


@pytest.fixture
def two_phones(open_page):
    """Return a function that makes a match and gives it with the phones of its players."""
    return partial(_sit_down, open_page, (PHONE, PHONE | NO_SCRIPT))


@pytest.fixture
def one_phone(open_page):
    """Return a function that makes a match and gives it with the phone of its first player."""
    return partial(_sit_down, open_page, (PHONE,))


def _sit_down(open_page, kinds, **values):
    by = make.organiser()
    event = make.started(by, 4, **values)
    found = make.next_round(event, by).matches.select_related("round__event")
    match = found.order_by("table")[0]
    phones = [open_page(kind) for kind in kinds]
    for phone, entry in zip(phones, match.players, strict=False):
        phone.goto(f"/p/{entries.make_link(entry=entry, by=by)}/")
        expect(phone.get_by_role("heading", level=1)).to_contain_text(entry.name)
    return match, *phones


def narrow(phone) -> None:
    """See that nothing stands out at the side, and everything is as large as a thumb."""
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    heights = phone.locator("main").evaluate(
        """main => [...main.querySelectorAll("button, summary, select, .choices label")]
             .filter(each => each.offsetParent).map(each => each.getBoundingClientRect().height)"""
    )
    assert round(min(heights)) >= 44


@pytest.mark.deep
def test_game_by_game_without_script_then_one_tap(two_phones, axe):
    match, first, second = two_phones(format="creatures-of-exo", formula="single-group")
    one, other = match.players
    slug = match.round.event.slug
    report_games(second, slug, "other", "draw", "own", "own")
    first.goto(f"/events/{slug}/me/")
    expect(first.locator(".my-match")).to_contain_text(
        f"1. {one.name} · 2. pareggio · 3. {other.name} · 4. {other.name}"
    )
    axe(first)
    confirm(first, slug)
    counts = Match.objects.get(pk=match.pk).decision
    assert (counts.winner, counts.games) == ("b", ["a", "draw", "b", "b"])


def test_two_quick_taps_send_once(one_phone):
    match, first = one_phone(format="creatures-of-exo", formula="single-group")
    slug = match.round.event.slug
    asked = []
    first.on("request", lambda request: asked.append(request) if request.method == "POST" else None)
    first.goto(f"/events/{slug}/me/")
    with first.expect_navigation():
        first.locator("button[value='2-1']").dblclick()
    first.wait_for_url(f"**/events/{slug}/me/")
    assert Match.objects.get(pk=match.pk).reports.count() == 1
    assert len(asked) == 1


@pytest.mark.deep
def test_a_phone_whose_link_was_replaced_is_told(one_phone, watch):
    watch.allow += ["status of 403"]
    match, first = one_phone(format="creatures-of-exo", formula="single-group")
    entries.make_link(entry=match.players[0], by=Actor(entry=match.players[0]))
    hurry(first)
    expect(first.locator("#connection")).to_contain_text("Ricarica la pagina.")
    expect(first.locator(".my-match")).to_contain_text(match.players[1].name)
    first.reload()
    expect(first.locator("main").get_by_role("link", name="Cerca il tuo nome")).to_be_visible()


@pytest.mark.deep
def test_one_concedes_and_the_other_says_it_was_played(two_phones, axe):
    match, first, second = two_phones(format="creatures-of-exo", formula="single-group")
    slug = match.round.event.slug
    concede(first, slug)
    expect(first.locator(".my-match .notice")).to_contain_text(f"resa di {match.players[0].name}")
    second.goto(f"/events/{slug}/me/")
    follow(second.locator(".my-match a[href$='/report/']"))
    expect(second.locator("main")).to_contain_text(f"resa di {match.players[0].name}")
    follow(second.locator("button[value='2-1']"))
    expect(second.locator(".my-match")).to_contain_text("Arriva un giudice")
    assert Match.objects.get(pk=match.pk).state == Match.State.DISPUTED
    first.goto(f"/events/{slug}/me/")
    expect(first.locator(".my-match")).to_contain_text("Arriva un giudice")
    axe(first)


@pytest.mark.deep
def test_battle_cards_are_added_and_the_other_types_the_sum(two_phones, axe, axe_finds, watch):
    watch.allow += ["status of 400"]
    match, first, second = two_phones(formula="single-group")
    slug = match.round.event.slug
    follow(first.locator(".my-match p.more a"))
    narrow(first)
    axe(first)
    first.emulate_media(color_scheme="dark")
    assert axe_finds(first, only_colours=True) == []
    first.locator("#own").fill("40")
    first.locator("#other").fill("36")
    first.locator("#battle_other").check()
    follow(first.locator("details button.send"))
    expect(first.get_by_role("alert")).to_contain_text("40–46")
    expect(first.locator("#other")).to_have_value("36")
    axe(first)
    first.locator("#winner").select_option("other")
    follow(first.locator("details button.send"))
    expect(first.locator(".sentence")).to_contain_text(f"vince {match.players[1].name}: 46–40")
    axe(first)
    follow(first.locator("button[name=change]"))
    expect(first.locator("#battle_other")).to_be_checked()
    follow(first.locator("details button.send"))
    follow(first.locator("button[name=sure]"))
    report(second, slug, 46, 40)  # the sum, without looking at what the opponent said
    assert Match.objects.get(pk=match.pk).state == Match.State.FINAL
    assert Report.objects.filter(match=match).count() == 2


@pytest.mark.deep
def test_the_page_of_a_best_of_three_fits_a_phone(one_phone, axe, axe_finds):
    _match, first = one_phone(format="creatures-of-exo", formula="single-group")
    narrow(first)
    follow(first.locator(".my-match p.more a"))
    narrow(first)
    axe(first)
    first.emulate_media(color_scheme="dark")
    assert axe_finds(first, only_colours=True) == []
    first.locator("input[name=game_2][value=draw]").focus()
    first.keyboard.press("ArrowLeft")
    expect(first.locator("input[name=game_2][value=other]")).to_be_checked()
    assert first.locator("details.more").evaluate("each => each.open")
    first.locator("details.more > summary").tap()
    expect(first.locator("button[value=own_concession]")).to_be_hidden()


@pytest.mark.parametrize("game", ["doomtrooper-original", "creatures-of-exo"])
def test_table_and_report_are_in_sight_before_anything_is_scrolled(one_phone, game) -> None:
    match, first = one_phone(format=game, formula="single-group")
    first.set_viewport_size({"width": 360, "height": 740})
    expect(first.locator(".my-table strong")).to_have_text(str(match.table))
    buttons = first.locator(".report .send, .report [name=preset]")
    ends = buttons.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
    assert max(ends) <= 740
    if game == "doomtrooper-original":
        own, other = (first.locator(f"#{name}").bounding_box() for name in ("own", "other"))
        assert own["y"] == other["y"]
        assert own["x"] < other["x"]


KEPT = re.compile("Salvato su questo telefono")


@pytest.fixture
def match(by) -> Match:
    event = make.playing(by, 4)
    found = Match.objects.select_related("round__event")
    return found.get(round__event=event, table=1)


@pytest.fixture
def phone(open_page, match, by, wire, watch) -> Page:
    """Return the first player's phone, over a wire, with a worker that has kept the page."""
    watch.allow += ["ERR_FAILED", "status of 409"]
    page = open_page(PHONE, base_url=wire.url, service_workers="allow")
    page.context.add_init_script(COUNT)
    page.goto(f"/p/{make_link(entry=match.players[0], by=by)}/")
    wait_until(page, lambda: page.evaluate(CONTROLLED))
    here = page.evaluate("location.pathname")
    wait_until(page, lambda: here in page.evaluate(CACHED_PATHS))
    return page


def type_points(page: Page, own: int, other: int) -> None:
    page.locator("input[name=own]").fill(str(own))
    page.locator("input[name=other]").fill(str(other))


def scores(match: Match) -> list[tuple[int, int]]:
    return [(each.score_a, each.score_b) for each in match.reports.order_by("version")]


def waits(page: Page) -> int:
    reading_in = "typeof keptHere === 'undefined'"
    return page.evaluate(f"{reading_in} ? -1 : keptHere.all().then(all => all.length)")


@pytest.mark.deep
def test_a_report_without_connection_is_sent_by_itself(phone, match, wire, axe):
    type_points(phone, 41, 22)
    wire.cut()
    phone.get_by_role("button", name="Comunica: hai vinto 41–22").tap()
    notice = phone.locator(".kept-notice.is-kept")
    expect(notice).to_contain_text(f"hai vinto 41–22 contro {match.players[1].name}")
    expect(notice).to_contain_text(KEPT)
    axe(phone)
    notice.get_by_role("button", name="Annulla").tap()
    expect(notice).to_have_count(0)
    assert waits(phone) == 0

    type_points(phone, 40, 22)
    phone.get_by_role("button", name="Comunica: hai vinto 40–22").tap()
    expect(notice).to_contain_text("hai vinto 40–22")
    before = taps(phone)
    phone.reload()  # the page that was kept
    expect(phone.locator(".stand")).to_be_visible()
    expect(notice).to_contain_text(KEPT)
    expect(phone.locator("form.report")).to_be_hidden()
    expect(phone.locator("[data-clock-goes]")).to_be_hidden()  # it was not started: no end to tell
    wire.mend()
    expect(phone.locator(".my-match[data-state=told]")).to_be_visible()
    assert taps(phone) == before
    assert scores(match) == [(40, 22)]
    assert waits(phone) == 0


@pytest.mark.deep
def test_the_worker_sends_with_the_page_closed(phone, match, wire, open_page):
    type_points(phone, 40, 22)
    wire.cut()
    phone.locator("form.report button.send").tap()
    expect(phone.locator(".kept-notice.is-kept")).to_contain_text(KEPT)
    line = phone.context.new_cdp_session(phone)
    found: dict[str, str] = {}
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.update(
            {each["scopeURL"]: each["registrationId"] for each in told["registrations"]}
        ),
    )
    line.send("ServiceWorker.enable")
    wait_until(phone, lambda: bool(found))
    phone.evaluate("location.assign('about:blank')")
    phone.wait_for_url("about:blank")
    wire.mend()
    (scope,) = found
    line.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": scope.rstrip("/"),
            "registrationId": found[scope],
            "tag": "girone-kept",
            "lastChance": False,
        },
    )
    wait_until(phone, lambda: match.reports.exists())
    assert scores(match) == [(40, 22)]


@pytest.mark.deep
def test_one_tap_stores_it_and_one_button_changes_it(phone, match, open_page, by):
    type_points(phone, 40, 22)
    follow(phone.get_by_role("button", name="Comunica: hai vinto 40–22"))
    change = phone.get_by_role("link", name="Cambia")
    expect(change).to_be_visible()
    assert taps(phone) == 1
    assert scores(match) == [(40, 22)]
    follow(change)
    expect(phone.locator("#own")).to_have_value("40")
    type_points(phone, 22, 40)
    follow(phone.get_by_role("button", name="Comunica: hai perso 22–40"))
    expect(phone.locator(".my-match[data-state=told]")).to_be_visible()
    assert scores(match) == [(40, 22), (22, 40)]
    expect(change).to_have_count(1)


@pytest.mark.deep
def test_a_refusal_stays_with_its_reason(phone, match, wire):
    type_points(phone, 40, 22)
    wire.cut()
    phone.locator("form.report button.send").tap()
    expect(phone.locator(".kept-notice.is-kept")).to_be_visible()
    staff = make.staff(match.round.event)
    claim = make.a_wins(match)
    make.results.decide_result(match=match, version=0, claim=claim, by=staff)
    match.refresh_from_db()
    wire.mend()
    hurry(phone)
    notice = phone.locator(".kept-notice.is-refused")
    expect(notice).to_contain_text("hai vinto 40–22")
    expect(notice).not_to_contain_text(KEPT)
    phone.reload()
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Ho capito").tap()
    expect(notice).to_have_count(0)
    assert waits(phone) == 0


@pytest.mark.deep
def test_of_two_matches_to_play_each_report_waits_at_its_own(phone, match, by, wire, axe):
    make.play_round(match.round, by)
    make.next_round(match.round.event, by)
    play_again(match.round.event, Match.objects.get(pk=match.pk), by)
    phone.reload()
    first, again = phone.locator(".my-match").all()
    expect(again).to_contain_text("Tavolo 3")
    for section, points in ((first, "40"), (again, "38")):
        section.locator("input[name=own]").fill(points)
        section.locator("input[name=other]").fill("20")
    expect(again.get_by_role("button", name="Comunica: hai vinto 38–20")).to_be_visible()
    wire.cut()
    again.locator("form.report button.send").tap()
    expect(again.locator(".kept-notice.is-kept")).to_contain_text("hai vinto 38–20")
    expect(again.locator("form.report")).to_be_hidden()
    expect(first.locator("form.report")).to_be_visible()
    first.locator("form.report button.send").tap()
    expect(first.locator(".kept-notice.is-kept")).to_contain_text("hai vinto 40–20")
    axe(phone)
    wire.mend()
    expect(phone.locator(".my-match[data-state=told]")).to_have_count(2)  # each leads there anew
    wait_until(phone, lambda: waits(phone) == 0)
    assert scores(match)[-1] == (38, 20)
