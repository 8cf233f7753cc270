"""By keyboard only: pages of the staff keep what is needed next in view and within few keys."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import ADD, follow
from tests.reporting import report
from tournaments.models import Entry, Match
from tournaments.models.tables import clear_row_marks
from tournaments.players.services.departures import withdraw

pytestmark = pytest.mark.django_db(transaction=True)
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}
LAPTOP = {"width": 1366, "height": 768}


@pytest.fixture
def staff_page(open_as, by) -> Callable[..., Page]:
    """Return a function that opens a page of an event as its organiser, on a laptop."""

    def opened(event, path: str) -> Page:
        page = open_as(by.user)
        page.set_viewport_size(LAPTOP)
        page.goto(f"/events/{event.slug}/{path}")
        return page

    return opened


def next_step(page: Page) -> None:
    """Press what the page names as its next step, which leads to another page."""
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")


def seats(event) -> list[tuple[str, str]]:
    """Return the players of the tables of the last round, in the order of the tables."""
    found = Match.objects.filter(round__event=event).order_by("round__ordinal", "table")
    return [(match.players[0].name, match.players[1].name) for match in found]


@pytest.mark.deep
def test_two_players_and_two_tables_are_swapped_by_one_line(by, staff_page, axe) -> None:
    event = make.started(by, 8, **SWISS)
    page = staff_page(event, "desk/")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    before = seats(event)
    line = page.locator("#draft-line")
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport(ratio=1)
    page.keyboard.type("1a 4b")
    said = page.locator("#draft-line-said")
    expect(said).to_have_text(f"Swap {before[0][0]} and {before[3][1]}: ✓ Free swap")
    axe(page)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    swapped = [(before[3][1], before[0][1]), *before[1:3], (before[3][0], before[0][0])]
    assert seats(event) == swapped
    expect(line).to_be_focused()
    page.keyboard.type("2 9")
    expect(said).to_have_text("No such table or seat.")
    page.keyboard.press("Enter")
    expect(line).to_be_focused()
    page.keyboard.type("1 2")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert seats(event) == [swapped[1], swapped[0], *swapped[2:]]


def test_a_player_is_found_by_name_and_the_row_is_entered_by_keys(by, staff_page) -> None:
    event = make.playing(by, 8, **SWISS)
    page = staff_page(event, "desk/")
    match = Match.objects.get(round__event=event, table=3)
    page.get_by_role("button", name="Start the timer").focus()
    page.keyboard.press("/")
    expect(page.locator("#quick-table")).to_be_focused()
    page.keyboard.type(match.players[1].name)
    expect(page.locator("#quick-names")).to_have_text(f"3: {match.players[0]} – {match.players[1]}")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-table")).to_have_value("3")
    expect(page.locator("#quick-text")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"#row-{match.pk} .no a")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#quick-table")).to_be_focused()
    page.keyboard.type(
        "/" + match.players[0].name
    )  # the number that still stands there is replaced
    expect(page.locator("#quick-names")).to_have_text(f"3: {match.players[0]} – {match.players[1]}")


@pytest.mark.deep
def test_the_line_says_the_whole_sentence_and_a_finished_table_opens_as_a_page(
    by, staff_page
) -> None:
    event = make.started(by, 4, **SWISS)
    for number, name in ((1, "Massimiliano Buonarroti"), (2, "Mariantonietta Serristori")):
        event.entries.filter(number=number).update(name=name)
    page = staff_page(event, "desk/")
    follow(page.get_by_role("button", name="Prepare round 1"))
    follow(page.get_by_role("button", name="Publish round 1"))
    said = page.locator("#quick-status")
    expect(said).to_have_text("Published: Round 1.")  # not above the list, which would move
    for key in ("1 2 1", "2 2 1"):
        page.keyboard.type(key)
        expect(page.locator("#quick-names")).to_contain_text("wins")
        assert page.locator("#quick-names").evaluate(
            "words => words.scrollHeight <= words.clientHeight + 1"
        ), "the sentence is cut"
        page.keyboard.press("Enter")
        expect(said).to_contain_text("Saved")
    page.keyboard.type("1 o")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("link", name="Correct the result")).to_be_visible()


@pytest.mark.deep
def test_what_is_next_is_in_view_where_many_names_are_added_and_seated(by, staff_page) -> None:
    event = make.open_event(by, **SWISS)
    page = staff_page(event, "manage/players/")
    assert page.evaluate("scrollY") == 0, "the strip of the lists has scrolled the page"
    names = [f"Nome{number} Cognome{number}" for number in range(33)]
    page.get_by_label("Name", exact=True).fill("Zita")
    page.keyboard.press("Control+Enter")  # a name is being typed elsewhere: nothing is lost
    expect(page.get_by_label("Name", exact=True)).to_have_value("Zita")
    page.get_by_label("Players, one per line").fill("\n".join(names))
    next_step(page)
    expect(page.get_by_role("button", name=ADD)).to_be_in_viewport(ratio=1)
    next_step(page)
    page.goto(f"/events/{event.slug}/manage/arrivals/")
    page.keyboard.type("cognome1")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#door-said")).to_contain_text("Nome1 Cognome1")
    page.keyboard.press("Enter")
    expect(page.locator("#player-2.here")).to_be_visible()
    next_step(page)  # what was looked for still stands there: a search loses nothing
    expect(page.locator("#absent")).to_contain_text("Not marked as present: 32")
    expect(page.get_by_role("button", name="Pair round 1")).to_be_in_viewport(ratio=1)
    next_step(page)
    expect(page.get_by_role("button", name="Publish round 1")).to_be_in_viewport(ratio=1)


@pytest.mark.deep
def test_a_penalty_is_given_without_scrolling(by, staff_page) -> None:
    event = make.playing(by, 4, **SWISS)
    page = staff_page(event, "penalties/?player=1")
    expect(page.get_by_role("button", name="Give the penalty")).to_be_in_viewport(ratio=1)
    page.set_viewport_size(PHONE["viewport"])
    expect(page.get_by_role("button", name="Give the penalty")).to_be_in_viewport(ratio=1)


@pytest.mark.deep
def test_on_a_phone_rows_keep_whole_names_and_pasted_names_their_button(by, staff_page) -> None:
    event = make.started(by, 4, **SWISS)
    make.next_round(event, by)
    match = Match.objects.select_related("round__event").get(table=1)
    Entry.objects.filter(pk=match.seats[0]).update(name="Massimiliano Buonarroti")
    clear_row_marks()
    report(match, match.players[0], 2, 0)
    report(match, match.players[1], 0, 2)
    page = staff_page(event, "desk/")
    page.set_viewport_size(PHONE["viewport"])
    row = page.locator(f"#row-{match.pk}")
    expect(row.locator(".st")).to_be_visible()
    assert row.locator(".decide").inner_text().strip() == "Decide"
    whole = "each => each.scrollWidth <= each.clientWidth"
    assert row.locator(".a .person").evaluate(whole)
    withdraw(entry=match.players[0], by=by)
    page.reload()
    assert row.locator(".a .person").evaluate(whole), "the word beside it shortens the name"
    assert row.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
    page = staff_page(make.open_event(by, **SWISS), "manage/players/")
    page.set_viewport_size(PHONE["viewport"])
    expect(page.get_by_role("button", name="Preview")).to_be_in_viewport(ratio=1)
