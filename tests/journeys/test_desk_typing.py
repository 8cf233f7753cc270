"""Typing at the desk with mistakes: a result is stored for the table it was meant for, or not."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import all_sent, hurry
from tests.journeys.test_desk_budgets import SWISS
from tournaments.models import Event, Match, Report
from tournaments.results.services import results

pytestmark = pytest.mark.django_db(transaction=True)
TYPIST = Path(__file__).with_name("typist.js").read_text()
AT_ONCE, SLOWLY = 1, 0.03
"""The chance that the server answers before the next key."""


UNANSWERED = """() => {
  const send = window.fetch;
  window.fetch = (url, ...more) =>
    String(url).includes("/desk/save/") ? new Promise(() => {}) : send(url, ...more);
}"""
"""Script that leaves each save of the desk on its way, as a line without answer does."""


@pytest.fixture
def event(by) -> Event:
    return make.playing(by, 46, **SWISS)


def press(page: Page, *lines: str) -> None:
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")


def stored(event: Event) -> list[tuple[int, int, int]]:
    """Return the results that count as (table, a, b)."""
    finals = Match.objects.filter(round__event=event, state="final").order_by("table")
    return list(finals.values_list("table", "decision__games_a", "decision__games_b"))


@pytest.mark.parametrize(
    ("seed", "typings", "answered"),
    [
        (7, 800, (AT_ONCE, SLOWLY)),
        pytest.param(7, 2_000, (AT_ONCE, SLOWLY), marks=pytest.mark.deep),
        pytest.param(8, 2_000, (AT_ONCE,), marks=pytest.mark.deep),
        pytest.param(9, 2_000, (SLOWLY,), marks=pytest.mark.deep),
    ],
)
def test_of_many_typings_with_mistyped_tables_none_reaches_another_table(
    at_desk, event, seed, typings, answered
) -> None:
    page = at_desk(event)
    assert page.locator("tr.desk-row").count() == 23
    asked = {"seed": seed, "typings": typings, "mistyped": 0.1, "answered": answered}
    told = page.evaluate(TYPIST, asked)
    assert told["wrong"] == []
    assert told["lost"] == []
    assert told["typings"] >= typings
    for what in ("mistakes", "blind", "stored", "conflicts", "refused"):
        assert told[what] > typings // 100, (what, told)


@pytest.mark.parametrize(
    "mistyped", ["24", *(pytest.param(text, marks=pytest.mark.deep) for text in ("", "7 ", "xy"))]
)
def test_after_a_mistyped_table_nothing_is_taken_until_esc(at_desk, event, mistyped) -> None:
    page = at_desk(event)
    done = event.rounds.get().matches.select_related("round__event").get(table=7)
    results.decide_result(match=done, version=0, claim=Claim(score=(2, 0)), by=make.staff(event))
    hurry(page)
    expect(page.locator(".desk-row.final[data-table='7']")).to_be_visible()
    page.locator("#quick-table").focus()
    press(page, mistyped, "21", "12", "20", "3", "21")
    expect(page.locator("#quick-names")).to_contain_text("Nothing is taken now")
    expect(page.locator("#quick-table")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#quick-names")).to_be_empty()
    press(page, "12", "21")
    expect(page.locator("#quick-status.saved")).to_contain_text("Table 12")
    all_sent(page)
    assert stored(event) == [(7, 2, 0), (12, 2, 1)]


def test_a_table_whose_result_is_on_its_way_is_finished(at_desk, event) -> None:
    page = at_desk(event)
    page.evaluate(UNANSWERED)
    press(page, "7", "21", "7")
    expect(page.locator("#quick-names")).to_contain_text("A result of this table is being saved.")
    press(page, "20", "12")
    kept = page.evaluate("Object.keys(localStorage).filter(key => key.includes('desk')).length")
    assert kept == 1
    assert not Report.objects.filter(match__round__event=event, match__table=20).exists()


@pytest.mark.deep
def test_a_table_that_sits_elsewhere_by_now_takes_no_result(at_desk, event) -> None:
    page = at_desk(event)
    press(page, "7")
    expect(page.locator("#quick-text")).to_be_focused()
    page.evaluate(
        "document.querySelector(`.desk-row[data-table='7']`).dataset.shown = '7:45-46'"
    )  # as news of another desk's act would
    press(page, "21")
    expect(page.locator("#quick-names")).to_contain_text("This table has changed.")
    assert stored(event) == []


def test_on_a_phone_the_right_table_is_taken_by_the_button(at_desk, by) -> None:
    event = make.playing(by, 4, **SWISS)
    page = at_desk(event, PHONE)
    save = page.get_by_role("button", name="Salva", exact=True).first
    page.locator("#quick-table").fill("9.2.1")
    save.tap()
    expect(page.locator("#quick-names")).to_contain_text("Ora non si registra nulla")
    page.locator("#quick-table").fill("2.2.1")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-names")).to_contain_text("Ora non si registra nulla")
    assert stored(event) == []
    save.tap()
    expect(page.locator("#quick-status.saved")).to_be_visible()
    assert stored(event) == [(2, 2, 1)]


def test_points_typed_on_in_the_rows_stay_with_their_table(at_desk, by) -> None:
    event = make.playing(by, 12)
    page = at_desk(event)
    held = []
    page.route("**/desk/save/**", lambda route: held.append(route))
    page.locator(".desk-row[data-table='1'] input.points").first.focus()
    for keys in ("40", "Tab", "22", "Enter", "3"):
        page.keyboard.press(keys) if keys.isalpha() else page.keyboard.type(keys)
    held.pop().continue_()
    page.unroute("**/desk/save/**")
    expect(page.locator(".desk-row.final[data-table='1']")).to_be_visible()
    page.keyboard.type("0")  # the other digit of the next table's points
    expect(page.locator(".desk-row[data-table='2'] input.points").first).to_have_value("30")
