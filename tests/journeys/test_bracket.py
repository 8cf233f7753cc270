"""Brackets in a browser: followed, corrected, decided by extra matches and second finals."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.counting import COUNT, counted
from tests.journeys.letters import DARK, DESK, SIDEWAYS, WIDTHS, axe_problems, shown
from tests.journeys.steps import catch_up, confirm, follow, hurry, report
from tests.level_players import two_level
from tests.tournaments.corrections.test_follow import corrections, two_groups
from tournaments.core.event_state import load_facts
from tournaments.models import Event, Match, Stage
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)
FOCUSED = "document.activeElement.id"
TAKEN = """(field, name) => {
  field.value = name;
  const how = { inputType: "insertReplacementText", bubbles: true };
  field.dispatchEvent(new InputEvent("input", how));
}"""
INSIDE = "document.activeElement.closest('#followed')?.dataset.number"


@pytest.fixture
def event(by) -> Event:
    found = make.halfway(by, 64, rounds=1, formula="single-elimination")
    make.next_round(found, by)
    return found


def somebody(event: Event) -> Match:
    """Return a match of the second round whose first player shares three letters with others."""
    matches = Match.objects.filter(round__event=event, round__number=2)
    return next(match for match in matches if len(match.players[0].name.split()[0]) > 3)


@pytest.mark.deep
def test_who_looks_for_themselves_on_a_phone_is_followed_until_they_end_it(
    open_page, event, by, axe_finds
) -> None:
    phone = open_page(PHONE)
    phone.context.add_init_script(COUNT)
    match = somebody(event)
    entry = match.players[0]
    letters = entry.name[:3].lower()
    phone.goto(f"/events/{event.slug}/bracket/")
    expect(phone.locator(".bk-fold[open]")).to_have_count(1)
    phone.get_by_role("combobox").tap()
    phone.keyboard.type(letters)
    phone.keyboard.press("Enter")
    hit = phone.locator(f".bk-hits a[href*='?p={entry.number}#']")
    expect(hit).to_be_in_viewport(ratio=1)
    hit.tap()
    who = phone.locator("#followed[data-number]")
    expect(who).to_contain_text(entry.name)
    expect(who).to_be_in_viewport(ratio=1)
    assert counted(phone) == 2, "two taps and three letters"
    assert phone.evaluate(FOCUSED) == "followed", "and not at the top of the page"
    assert phone.url.endswith(f"/bracket/?p={entry.number}")
    now = phone.locator(".bk-road .now")
    expect(now).to_contain_text(match.players[1].name)
    expect(now).to_be_in_viewport(ratio=1)
    lit = phone.locator(".match-tile.lit")
    expect(lit).to_have_count(2)
    expect(phone.locator(".bk-fold[open]")).to_have_attribute("data-own", "")
    expect(lit.last).to_be_visible()
    assert not phone.evaluate(SIDEWAYS)

    lit.last.scroll_into_view_if_needed()
    score = lit.last.bounding_box() or {}
    phone.touchscreen.tap(score["x"] + score["width"] - 10, score["y"] + score["height"] - 10)
    expect(phone).to_have_url(re.compile(rf"/events/{event.slug}/pairings/2/\d+/$"))
    phone.go_back()
    expect(lit).to_have_count(2)

    other = phone.locator(".bk-fold:not([data-own])").first
    other.locator("summary").tap()
    make.play_round(match.round, by)
    hurry(phone)
    expect(phone.locator(".bk-road .won")).to_have_count(2)  # by news, not by a reload
    expect(lit).to_have_count(3)
    expect(phone.locator(".bk-fold[open]")).to_have_count(2)
    catch_up(phone)
    expect(lit).to_have_count(3)
    assert list(axe_problems(phone, axe_finds, (PHONE["viewport"]["width"],))) == []

    phone.keyboard.press("Escape")
    expect(lit).to_have_count(0)
    assert phone.evaluate(FOCUSED) == "follow"
    catch_up(phone)
    expect(phone.locator(".match-tile").first).to_be_attached()
    expect(lit).to_have_count(0)


@pytest.mark.deep
def test_the_whole_is_drawn_on_a_laptop_and_a_name_leads_to_its_path(
    open_page, event, axe_finds
) -> None:
    page = open_page()
    match = somebody(event)
    page.goto(f"/events/{event.slug}/bracket/")
    tiles = page.locator(".bk-tree .match-tile")
    expect(tiles).to_have_count(64)
    assert tiles.evaluate_all("all => all.every(one => one.checkVisibility())")
    assert not page.evaluate(SIDEWAYS)
    field = page.get_by_role("combobox")
    field.focus()
    page.keyboard.type(str(match.players[1].name))
    page.keyboard.press("Enter")
    expect(page.locator("#followed[data-number]")).to_have_count(1)
    assert page.evaluate(INSIDE) == str(match.players[1].number)
    expect(page.locator(".match-tile.lit").last).to_be_in_viewport(ratio=1)
    before = page.evaluate("scrollY")
    page.locator(
        f".side .player[href$='?p={match.players[0].number}']"
    ).last.click()  # a tap on a name
    expect(page.locator(f"#followed[data-number='{match.players[0].number}']")).to_be_visible()
    assert page.url.endswith(f"?p={match.players[0].number}")
    assert abs(page.evaluate("scrollY") - before) < DESK
    page.get_by_role("combobox").evaluate(TAKEN, match.players[1].name)
    expect(page.locator(f"#followed[data-number='{match.players[1].number}']")).to_be_visible()
    for view in ("full", "rounds", "whole"):
        page.locator(f"[data-view={view}]").click()
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".match-tile.lit").last).to_be_visible()
        assert not page.evaluate(SIDEWAYS)
    hurry(page)
    expect(page.locator(".match-tile.lit")).to_have_count(2)
    assert list(axe_problems(page, axe_finds, WIDTHS[1:], ("light", DARK))) == []
    shown(page, WIDTHS[0])
    expect(page.locator(".bk-fold[open]")).to_have_count(1)


@pytest.mark.deep
def test_without_scripts_a_form_finds_players_and_folds_open(open_page, event) -> None:
    page: Page = open_page(PHONE, java_script_enabled=False)
    entry = somebody(event).players[0]
    page.goto(f"/events/{event.slug}/bracket/")
    page.get_by_role("combobox").fill(entry.name[:3])
    page.get_by_role("button", name="Mostra il percorso").tap()
    page.locator(f".bk-hits a[href*='?p={entry.number}#']").tap()
    expect(page.locator("#followed[data-number]")).to_be_in_viewport()
    expect(page.locator(".match-tile.lit").last).to_be_visible()
    page.locator(".bk-fold summary").last.tap()
    expect(page.locator(".bk-centre .match-tile")).to_be_visible()


ROUNDS = (
    ("Upper bracket, semi-finals", {}),
    *(("", {}), ("", {})),  # by the services, as the first one by hand
    ("Grand final", {"wins": "0-2"}),
    ("Grand final, second match", {"wins": "0-2"}),
)


@pytest.fixture
def double_event(by):
    return make.started(by, 4, formula="double-elimination", format="creatures-of-exo")


def play_round(desk: Page, slug: str, name: str, wins: str = "2-0") -> None:
    """Prepare a round, look it over, publish it, and enter a result at each table."""
    desk.goto(f"/events/{slug}/desk/")
    follow(desk.get_by_role("button", name="Prepare round"))
    expect(desk.locator("h1", has_text=name)).to_be_visible()
    follow(desk.get_by_role("button", name="Publish round"))
    desk.goto(f"/events/{slug}/desk/")
    tables = desk.locator(".desk-row[data-table]").count()
    for table in range(1, tables + 1):
        row = desk.locator(f".desk-row[data-table='{table}']")
        row.locator(f".preset[value='{wins}']").click()
        expect(row).to_have_class(re.compile("final"))


def looks_right(page: Page, axe_finds) -> None:
    """Assert that a page fits the phone and that axe finds nothing, by day and by night."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert axe_finds(page, only_colours=scheme == "dark") == []


@pytest.mark.deep  # the pages are those of every bracket, the steps those of every stage
def test_from_the_first_round_to_the_second_final(
    open_as, open_page, by, double_event, phone, axe_finds
):
    token = make_link(entry=double_event.entries.get(number=1), by=by)
    desk = open_as(by.user, f"/events/{double_event.slug}/desk/")
    phone.goto(f"/events/{double_event.slug}/formula/")
    expect(phone.get_by_role("heading", name="Tabellone perdenti – Finale")).to_be_visible()
    player = open_page(PHONE)
    player.goto(f"/p/{token}/")
    for number, (name, how) in enumerate(ROUNDS, start=1):
        if not name:
            make.play_round(make.next_round(double_event, by), by)
            continue
        play_round(desk, double_event.slug, name, **how)
        if number == 1:
            phone.goto(f"/events/{double_event.slug}/bracket/")
            expect(phone.get_by_role("heading", name="Tabellone perdenti")).to_be_visible()
            final = phone.get_by_role("group", name="Finale", exact=True).first
            expect(final.locator("li")).to_have_count(1)
            looks_right(phone, axe_finds)
            player.goto(f"/events/{double_event.slug}/me/")
            expect(player.locator(".ahead")).to_contain_text("Prossimo incontro")
            looks_right(player, axe_finds)
    expect(desk.get_by_role("button", name="Finish the event")).to_be_visible()
    phone.goto(f"/events/{double_event.slug}/bracket/")
    expect(phone.get_by_role("link", name="Finalissima, secondo incontro")).to_be_visible()
    looks_right(phone, axe_finds)


def test_the_right_player_gets_the_seat_in_six_taps(at_desk, by) -> None:
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    page = at_desk(event)
    follow(page.get_by_role("link", name=f"Round {match.round.ordinal}", exact=True))
    row = page.locator("tr", has=page.get_by_text(match.players[0].name, exact=True))
    follow(row.get_by_role("link", name="Correct"))
    before = match.decision
    page.locator("[name=score_a]").fill(str(before.score_b))
    page.locator("[name=score_b]").fill(str(before.score_a))
    follow(page.get_by_role("button", name="Preview"))
    moved = re.compile(r"Group \w+: .+ → ")
    expect(page.get_by_role("heading", level=2).first).to_contain_text(moved)
    follow(page.locator("button[name=later][value=follow]"))
    page.get_by_label("Reason").fill("Typed the wrong way round")
    follow(page.locator("button[name=confirm][value=follow]"))
    assert counted(page) <= 6
    event.refresh_from_db()
    stage = event.stages.get(number=2)
    given = [change.after for change in shown.follows.seats]
    assert set(given) <= set(stage.seats.values_list("entry__number", flat=True))
    again = Match.objects.filter(round__stage=stage).exclude(earlier=[])
    assert {each.state for each in again} == {Match.State.OPEN}


@pytest.fixture
def tied_event(by):
    return two_level(by)


@pytest.mark.deep
def test_an_extra_match_from_the_tie_to_the_final(open_as, open_page, by, tied_event, axe) -> None:
    tied = load_facts(tied_event).open_stage.outcome.lots_needed[0]
    links = {n: make_link(entry=tied_event.entries.get(number=n), by=by) for n in tied}
    desk = open_as(by.user, f"/events/{tied_event.slug}/desk/")
    follow(desk.locator("#next").get_by_role("link", name="Decide between tied players"))
    axe(desk)
    follow(desk.get_by_role("button", name="Prepare tiebreaker round 1 of 1"))
    expect(desk.get_by_role("heading", name="Tiebreaker matches: Places 2–3")).to_be_visible()
    follow(desk.get_by_role("button", name="Publish “Tiebreaker matches: Places 2–3”"))
    expect(desk.get_by_role("heading", name="Tiebreaker matches: Places 2–3")).to_be_visible()
    desk.goto(f"/events/{tied_event.slug}/lots/")
    expect(desk.get_by_text("In progress:")).to_be_visible()

    winner, loser = max(tied), min(tied)
    first, second = open_page(PHONE), open_page(PHONE)
    for phone, number in ((first, winner), (second, loser)):
        phone.goto(f"/p/{links[number].rpartition('/p/')[2].strip('/')}/")
        phone.goto(f"/events/{tied_event.slug}/me/")
        expect(
            phone.get_by_role("heading", name="Incontri di spareggio: Posti 2–3")
        ).to_be_visible()
        expect(
            phone.get_by_text("Questo incontro di spareggio non può finire in pareggio.")
        ).to_be_visible()
    axe(first)
    report(first, tied_event.slug, 40, 25)
    confirm(second, tied_event.slug)

    spectator = open_page()
    spectator.goto(f"/events/{tied_event.slug}/pairings/")
    expect(spectator.get_by_role("heading", name="Tiebreaker matches: Places 2–3")).to_be_visible()
    spectator.goto(f"/events/{tied_event.slug}/standings/")
    row = spectator.locator(f"#player-{loser}")
    row.locator("details").evaluate("details => { details.open = true; }")
    expect(row).to_contain_text("Tiebreaker match: 0")

    desk.goto(f"/events/{tied_event.slug}/desk/")
    follow(desk.locator("#next").get_by_role("link", name="Who advances"))
    desk.get_by_role("button", name="Close ").click()
    expect(desk.locator("#messages .good")).to_be_visible()
    facts = load_facts(tied_event)
    assert facts.stages[0].stage.state == Stage.State.CLOSED
    assert winner in facts.open_stage.state.players
    assert loser not in facts.open_stage.state.players
