"""Two phones at a table, in Italian, one of them without script: what is told and what counts."""

from functools import partial

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import concede, confirm, follow, hurry, report, report_games
from tournaments.core.permissions import Actor
from tournaments.models import Match, Report
from tournaments.players.services import entries

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
        f"1. {one.name} · 2. patta · 3. {other.name} · 4. {other.name}"
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


def test_a_phone_whose_link_was_replaced_is_told(one_phone, watch):
    watch.allow += ["status of 403"]
    match, first = one_phone(format="creatures-of-exo", formula="single-group")
    entries.make_link(entry=match.players[0], by=Actor(entry=match.players[0]))
    hurry(first)
    expect(first.locator("#connection")).to_contain_text("Apri il tuo link personale, o accedi")
    expect(first.locator(".my-match")).to_contain_text(match.players[1].name)


def test_one_concedes_and_the_other_says_it_was_played(two_phones, axe):
    match, first, second = two_phones(format="creatures-of-exo", formula="single-group")
    slug = match.round.event.slug
    concede(first, slug)
    expect(first.locator(".my-match .notice")).to_contain_text(
        f"{match.players[0].name} si arrende"
    )
    second.goto(f"/events/{slug}/me/")
    follow(second.locator(".my-match a[href$='/report/']"))
    expect(second.locator("main")).to_contain_text(f"{match.players[0].name} si arrende")
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
    expect(first.locator(".sentence")).to_contain_text(
        f"{match.players[1].name} ha battuto {match.players[0].name} 46–40"
    )
    axe(first)
    follow(first.locator("button[name=change]"))
    expect(first.locator("#battle_other")).to_be_checked()
    follow(first.locator("details button.send"))
    follow(first.locator("button[name=sure]"))
    report(second, slug, 46, 40)  # the sum, without looking at what the opponent said
    assert Match.objects.get(pk=match.pk).state == Match.State.FINAL
    assert Report.objects.filter(match=match).count() == 2


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
