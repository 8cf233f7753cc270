"""The desk in a real Chromium: keyboard, mouse, phone, mistakes; two desks at once."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.letters import twice_as_large
from tests.journeys.steps import all_sent, follow, hurry, wait_until
from tests.journeys.test_desk_budgets import SWISS
from tournaments.clock import services as clock
from tournaments.models import Entry, Event, Match, Report
from tournaments.players.services.departures import drop_after_round, withdraw
from tournaments.results.services import results

pytestmark = pytest.mark.django_db(transaction=True)


def open_desk(open_as, by, event) -> Page:
    return open_as(by.user, f"/events/{event.slug}/desk/")


@pytest.fixture
def event(by):
    return make.playing(by, 12)


def enter(page: Page, table: str, line: str) -> int:
    """Type a result as at the desk; return how many keys it took."""
    page.keyboard.type(table)
    page.keyboard.press("Enter")
    page.keyboard.type(line)
    page.keyboard.press("Enter")
    return len(table) + len(line) + 2


def test_a_result_takes_eight_keys_and_the_focus_comes_back(open_as, by, event):
    page = open_desk(open_as, by, event)
    expect(page.locator("#quick-table")).to_be_focused()
    assert enter(page, "3", "40 22") <= 8
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    expect(page.locator("#quick-table")).to_be_focused()
    assert Match.objects.get(round__event=event, table=3).state == Match.State.FINAL


COMPARE = """() => {
  window.contradictions = [];
  const look = () => {
    const rows = document.querySelectorAll("tr.desk-row[data-final]").length;
    const told = document.querySelector("#next-step progress").value;
    if (rows !== told) window.contradictions.push([rows, told]);
  };
  const all = { childList: true, subtree: true };
  new MutationObserver(look).observe(document.getElementById("desk"), all);
}"""


@pytest.mark.deep
def test_the_next_step_and_the_rows_say_the_same_at_every_instant(open_as, by, event):
    """With two desks: what another has entered in between comes with the rows, never before."""
    page = open_desk(open_as, by, event)
    page.evaluate(COMPARE)
    progress = page.locator("#next-step .progress-words")
    for done, (here, there) in enumerate([(1, 2), (3, 4), (5, 6)], start=1):
        other = Match.objects.get(round__event=event, table=there)
        claim = Claim(score=(40, 10))
        results.enter_result(match=other, version=0, claim=claim, reason=None, by=by)
        enter(page, str(here), "40 22")
        expect(page.locator(f"#row-{other.pk}")).to_have_attribute("data-final", "")
        expect(progress).to_contain_text(f"{2 * done}/6")
    assert page.evaluate("window.contradictions") == []


def test_without_a_connection_the_entry_waits_and_is_sent_once(open_as, by, event, watch):
    watch.allow.append("ERR_INTERNET_DISCONNECTED")
    page = open_desk(open_as, by, event)
    page.context.set_offline(True)
    enter(page, "2", "40 5")
    expect(page.locator("#quick-status.unsaved")).to_contain_text("Not saved: no connection")
    expect(page.locator("#outbox li")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert Match.objects.get(round__event=event, table=2).reports.count() == 1


@pytest.mark.deep
def test_who_is_signed_out_is_told_while_the_desk_stands_open(open_as, by, event, watch):
    watch.allow += ["status of 403", "status of 409"]
    page = open_desk(open_as, by, event)
    kept = page.context.cookies()
    page.context.clear_cookies()
    hurry(page)
    expect(page.locator("#connection")).to_contain_text("You no longer have access")
    expect(page.locator("tr.desk-row")).to_have_count(6)
    page.context.add_cookies(kept)
    hurry(page)
    expect(page.locator("#connection")).to_be_empty()


@pytest.mark.deep
def test_what_was_refused_at_one_table_is_not_saved_at_the_next(open_as, by, event, watch):
    watch.allow.append("400 (Bad Request)")
    page = open_desk(open_as, by, event)
    enter(page, "1", "40 22 1")
    expect(page.locator("#refused li")).to_contain_text("40 22 1")
    expect(page.locator("#quick-table")).to_be_focused()  # whoever types on types a table
    enter(page, "2", "40 5")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert not Match.objects.get(round__event=event, table=1).reports.exists()
    enter(page, "1", "40 22")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.deep
def test_a_refusal_that_comes_late_changes_nothing_in_the_line(open_as, by, event, watch):
    watch.allow.append("400 (Bad Request)")
    page = open_desk(open_as, by, event)
    held: list[Route] = []
    page.route("**/desk/save/**", lambda route: held.append(route))
    enter(page, "1", "40 22 1")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    wait_until(page, lambda: bool(held))
    held.pop().continue_()
    page.unroute("**/desk/save/**")
    expect(page.locator("#refused li")).to_be_visible()
    expect(page.locator("#quick-text")).to_be_focused()
    page.keyboard.type("40 5")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert Match.objects.get(round__event=event, table=2).decision.score_b == 5


def test_a_different_entry_shows_both_and_a_click_chooses(open_as, by, event, watch):
    watch.allow += ["409 (Conflict)", "ERR_FAILED"]
    page = open_desk(open_as, by, event)
    page.route("**/desk/tables/*", lambda route: route.abort())
    match = Match.objects.select_related("round__event").get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(40, 12)), by=by)
    enter(page, "1", "12 40")
    expect(page.locator(".conflict")).to_be_visible()
    expect(page.locator("#quick-table")).to_be_focused()  # whoever types on types a table
    page.locator(".conflict form button").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("12–40")
    expect(page.locator(".conflict")).to_have_count(0)


@pytest.mark.deep
def test_a_choice_between_two_results_never_takes_the_keyboard(open_as, by, watch):
    watch.allow += ["409 (Conflict)", "ERR_FAILED"]
    event = make.playing(by, 8, format="creatures-of-exo", formula="swiss-cut")
    page = open_desk(open_as, by, event)
    page.route("**/desk/tables/*", lambda route: route.abort())
    match = Match.objects.select_related("round__event").get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(2, 0)), by=by)
    page.locator(".desk-row[data-table='1'] .preset[value='0-2']").click()
    expect(page.locator(".conflict")).to_be_visible()
    expect(page.locator(".conflict :focus")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".conflict")).to_be_visible()
    line = page.locator("#quick-table")
    page.keyboard.press("Escape")  # the result
    page.keyboard.press("Escape")  # the table
    page.keyboard.press("?")
    expect(page.locator("#keys table >> nth=0")).to_be_visible()
    expect(line).to_be_focused()
    page.locator(".conflict form button").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("0–2")
    expect(line).to_be_focused()
    page.keyboard.type("2 o")
    page.keyboard.press("Enter")
    expect(page.locator("#panel[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#panel[open]")).to_have_count(0)
    expect(line).to_be_focused()


def test_a_preset_is_one_click(open_as, by):
    event = make.started(by, 8, format="creatures-of-exo", formula="groups-knockout")
    make.next_round(event, by)
    page = open_desk(open_as, by, event)
    page.locator(".desk-row[data-table='2'] .preset[value='2-1']").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("2–1")


def test_what_another_desk_enters_appears_in_its_place(open_as, by, event):
    page = open_desk(open_as, by, event)
    order = page.locator(".desk-row .no").all_inner_texts()
    match = Match.objects.select_related("round__event").get(round__event=event, table=4)
    make.results.decide_result(
        match=match, version=0, claim=make.a_wins(match), by=make.staff(event)
    )
    expect(page.locator(".desk-row.final[data-table='4']")).to_be_visible()
    assert page.locator(".desk-row .no").all_inner_texts() == order


@pytest.mark.deep
def test_news_from_others_leave_a_question_its_form(open_as, by, event):
    clock.run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    page = open_desk(open_as, by, event)
    page.locator(".clock-more summary").click()
    page.get_by_role("button", name="Reset the timer").click()
    question = page.locator("#confirm-dialog")
    expect(question).to_be_visible()
    match = Match.objects.get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(40, 7)), by=by)
    for _time in range(2):  # the first answer may have been on its way before the result
        with page.expect_response(re.compile("desk/tables/")):
            hurry(page)
    follow(question.get_by_role("button", name="Reset the timer"))
    expect(page.locator("#messages")).to_contain_text("Saved.")


SWISS_IN_USE = {
    "formula": "swiss-cut",
    "format": "creatures-of-exo",
    "options": {"rounds": 4, "cut": 0},
}


def whole_rows(page: Page) -> int:
    """Return the tables that are in view from top to bottom."""
    return page.locator("tr.desk-row").evaluate_all(
        """rows => rows.map((row) => row.getBoundingClientRect())
             .filter((box) => box.height && box.bottom <= innerHeight).length"""
    )


@pytest.mark.deep
def test_sixteen_tables_the_line_and_the_next_step_are_in_view(at_desk, by) -> None:
    event = make.playing(by, 32, **SWISS_IN_USE)
    page = at_desk(event)
    page.set_viewport_size({"width": 1366, "height": 768})
    assert whole_rows(page) == 16
    for place in ("#quick-text", ".next .button", ".staff-head"):
        expect(page.locator(place).first).to_be_in_viewport(ratio=1)
    before = page.locator("tr.desk-row").last.bounding_box()
    page.locator(".desk-row[data-table='2'] .preset[value='2-1']").click()
    expect(page.locator(".desk-row[data-table='2']")).to_have_attribute("data-final", "")
    assert page.locator("tr.desk-row").last.bounding_box() == before, "a row has moved"


CUT = """rows => rows.flatMap((row) => {
  const box = row.getBoundingClientRect();
  return [...row.querySelectorAll(".person, .gone, .result, .preset")].filter((part) => {
    const { height, top, bottom } = part.getBoundingClientRect();
    const outside = top < box.top || bottom > box.bottom;
    return height && (outside || part.scrollHeight > part.clientHeight + 1);
  }).map((part) => part.textContent);
})"""


@pytest.mark.deep
@pytest.mark.parametrize("width", [1366, 900, 390])
def test_nothing_of_a_row_is_cut_where_somebody_drops(at_desk, by, width) -> None:
    event = make.playing(by, 6, **SWISS_IN_USE)
    first, second, third = event.rounds.get().matches.order_by("table")
    first.players[0].name = "Bartolomea Strozzapreti Montalcino"
    first.players[0].save()
    drop_after_round(entry=first.players[0], by=by)
    drop_after_round(entry=second.players[1], by=by)
    withdraw(entry=third.players[0], by=by)
    page = at_desk(event)
    page.set_viewport_size({"width": width, "height": 768})
    expect(page.locator(".desk-row .gone")).to_have_count(3)
    assert page.locator("tr.desk-row").evaluate_all(CUT) == []


@pytest.mark.deep
def test_a_next_step_that_has_the_focus_is_pressed_as_soon_as_it_is_possible(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS_IN_USE)
    page = at_desk(event)
    step = page.get_by_role("button", name="Prepare round 2")
    expect(step).to_have_attribute("aria-disabled", "true")
    step.focus()
    make.play_round(event.rounds.get(), by)  # at another desk
    expect(step).not_to_have_attribute("aria-disabled", "true")
    expect(step).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Publish round 2")).to_be_visible()


@pytest.mark.deep
def test_the_line_knows_who_is_absent_and_who_concedes(at_desk, by) -> None:
    event = make.playing(by, 12)
    page = at_desk(event)
    for table, line, said, ended_by, winner in (
        (3, "a1", "is absent", "no_show", "b"),
        (4, "r2", "concedes", "concession", "a"),
        (5, "a12", "Both absent", "double_loss", "none"),
    ):
        page.keyboard.type(f"{table} {line}")
        expect(page.locator("#quick-names")).to_contain_text(said)
        page.keyboard.press("Enter")
        expect(page.locator(f".desk-row[data-table='{table}']")).to_have_attribute("data-final", "")
        expect(page.locator("#quick-status.saved")).to_be_visible()
        expect(page.locator("#quick-table")).to_be_focused()
        decision = Match.objects.get(round__event=event, table=table).decision
        assert (decision.ended_by, decision.winner) == (ended_by, winner)


@pytest.mark.deep
def test_a_correction_of_points_begins_with_the_first_number_selected(at_desk, by) -> None:
    event = make.playing(by, 12)
    make.play_round(event.rounds.get(), by)
    match = Match.objects.get(round__event=event, table=1)
    page = at_desk(event, path=f"matches/{match.pk}/correct/")
    page.keyboard.type("7")
    expect(page.locator("#id_score_a")).to_have_value("7")


@pytest.mark.deep
def test_the_tiles_of_a_table_exclude_each_other_and_say_what_is_saved(at_desk, by, axe) -> None:
    event = make.playing(by, 8, **SWISS_IN_USE)
    page = at_desk(event)
    match = Match.objects.get(round__event=event, table=2)
    page.locator(f"#row-{match.pk} .tail a").last.click()
    panel = page.locator("#panel")
    save = panel.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_disabled()
    panel.locator(".tile", has_text=f"{match.players[1].name} is absent").click()
    panel.locator("fieldset.side").nth(1).locator(".tile", has_text="2–1").click()
    expect(panel.locator("input[name=pick]:checked")).to_have_count(1)
    expect(panel.locator("[data-outcome]")).to_have_text(f"{match.players[1].name} wins: 2–1")
    panel.locator(".tile", has_text=f"{match.players[1].name} is absent").click()
    panel.get_by_label("Also drop from the event").check()
    axe(page)
    follow(save)
    match.refresh_from_db()
    assert (match.decision.winner, match.decision.ended_by) == ("a", "no_show")
    assert not Entry.objects.get(pk=match.seats[1]).plays


@pytest.mark.deep
def test_an_event_is_run_on_a_phone_alone(at_desk, by, axe) -> None:
    event = make.started(by, 4, **SWISS_IN_USE)
    page = at_desk(event, PHONE)
    follow(page.get_by_role("button", name="Prepara il turno 1"))
    follow(page.get_by_role("button", name="Pubblica il turno 1"))
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.locator(".desk-row[data-table='1'] .a").tap()
    expect(page.locator("#sheet")).to_contain_text("Pareggio 1–1")
    axe(page)
    page.locator("#sheet .who-won").nth(1).get_by_role("button", name="2–1").tap()
    expect(page.locator("#quick-status.saved")).to_be_visible()
    page.locator("#quick-table").fill("2.2.0")
    expect(page.locator("#quick-names")).to_contain_text(": 2–0")
    page.get_by_role("button", name="Salva", exact=True).first.tap()
    expect(page.get_by_role("button", name="Prepara il turno 2")).to_be_enabled()
    winners = event.rounds.get().matches.order_by("table").values_list("decision__winner")
    assert [winner for (winner,) in winners] == ["b", "a"]
    _withdraw_from_a_finished_table(page, event)


def _withdraw_from_a_finished_table(page, event) -> None:
    """Type a table's number alone: its sheet says who may leave, and corrects the result."""
    page.locator("#quick-table").fill("2")
    page.get_by_role("button", name="Salva", exact=True).first.tap()
    sheet = page.locator("#sheet")
    expect(sheet.get_by_role("link", name="Correggi")).to_be_visible()
    leaver = event.rounds.get().matches.get(table=2).players[0].name
    sheet.get_by_role("button", name=f"Ritira {leaver}", exact=True).tap()
    asked = page.get_by_role("dialog", name="Tavolo", exact=True)
    asked.get_by_role("button", name=f"Ritira {leaver}", exact=True).tap()
    expect(page.locator(".desk-row[data-table='2'] .gone")).to_be_visible()
    assert not event.entries.get(name=leaver).plays


@pytest.mark.deep
def test_two_helpers_see_each_other_and_a_row_in_hand_stays(at_desk, by) -> None:
    event = make.playing(by, 12)
    page = at_desk(event)
    row = page.locator(".desk-row[data-table='4']")
    row.locator("input.points").first.fill("31")
    expect(page.locator("#quick-table")).to_be_visible()
    took: list[float] = []
    for table in (4, 5, 6, 1, 2, 3):
        match = Match.objects.select_related("round__event").get(round__event=event, table=table)
        begun = time.monotonic()
        results.decide_result(match=match, version=0, claim=Claim(score=(40, 7)), by=by)
        if table != 4:
            expect(page.locator(f".desk-row.final[data-table='{table}']")).to_be_visible()
            took.append(time.monotonic() - begun)
            if took[-1] < 4:
                break
    assert min(took) < 4, "news every 1.6 seconds, on a busy machine"
    expect(row.locator("input.points").first).to_have_value("31")
    expect(row.locator(".changed-by")).to_contain_text(f"Changed by {by.user}: 40–7")
    row.get_by_role("button", name="Show").click()
    expect(row).to_have_attribute("data-final", "")


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
def typed_event(by) -> Event:
    return make.playing(by, 46, **SWISS)


def press(page: Page, *lines: str) -> None:
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")


def stored(typed_event: Event) -> list[tuple[int, int, int]]:
    """Return the results that count as (table, a, b)."""
    finals = Match.objects.filter(round__event=typed_event, state="final").order_by("table")
    return list(finals.values_list("table", "decision__games_a", "decision__games_b"))


@pytest.mark.deep
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
    at_desk, typed_event, seed, typings, answered
) -> None:
    page = at_desk(typed_event)
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
def test_after_a_mistyped_table_nothing_is_taken_until_esc(at_desk, typed_event, mistyped) -> None:
    page = at_desk(typed_event)
    done = typed_event.rounds.get().matches.select_related("round__event").get(table=7)
    results.decide_result(
        match=done, version=0, claim=Claim(score=(2, 0)), by=make.staff(typed_event)
    )
    hurry(page)
    expect(page.locator(".desk-row.final[data-table='7']")).to_be_visible()
    page.locator("#quick-table").focus()
    press(page, mistyped, "21", "12", "20", "3", "21")
    expect(page.locator("#quick-names")).to_contain_text("Press Esc")
    expect(page.locator("#quick-table")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#quick-names")).to_be_empty()
    press(page, "12", "21")
    expect(page.locator("#quick-status.saved")).to_contain_text("Table 12")
    all_sent(page)
    assert stored(typed_event) == [(7, 2, 0), (12, 2, 1)]


@pytest.mark.deep
def test_a_table_whose_result_is_on_its_way_is_finished(at_desk, typed_event) -> None:
    page = at_desk(typed_event)
    page.evaluate(UNANSWERED)
    press(page, "7", "21", "7")
    expect(page.locator("#quick-names")).to_contain_text("Saving …")
    press(page, "20", "12")
    kept = page.evaluate("Object.keys(localStorage).filter(key => key.includes('desk')).length")
    assert kept == 1
    assert not Report.objects.filter(match__round__event=typed_event, match__table=20).exists()


@pytest.mark.deep
def test_a_table_that_sits_elsewhere_by_now_takes_no_result(at_desk, typed_event) -> None:
    page = at_desk(typed_event)
    press(page, "7")
    expect(page.locator("#quick-text")).to_be_focused()
    page.evaluate(
        "document.querySelector(`.desk-row[data-table='7']`).dataset.shown = '7:45-46'"
    )  # as news of another desk's act would
    press(page, "21")
    expect(page.locator("#quick-names")).to_contain_text("This table has changed.")
    assert stored(typed_event) == []


@pytest.mark.deep
def test_on_a_phone_the_right_table_is_taken_by_the_button(at_desk, by) -> None:
    typed_event = make.playing(by, 4, **SWISS)
    page = at_desk(typed_event, PHONE)
    save = page.get_by_role("button", name="Salva", exact=True).first
    page.locator("#quick-table").fill("9.2.1")
    save.tap()
    expect(page.locator("#quick-names")).to_contain_text("Premi Esc")
    page.locator("#quick-table").fill("2.2.1")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-names")).to_contain_text("Premi Esc")
    assert stored(typed_event) == []
    save.tap()
    expect(page.locator("#quick-status.saved")).to_be_visible()
    assert stored(typed_event) == [(2, 2, 1)]


@pytest.mark.deep
def test_points_typed_on_in_the_rows_stay_with_their_table(at_desk, by) -> None:
    typed_event = make.playing(by, 12)
    page = at_desk(typed_event)
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


ROWS_IN_SIGHT = """() => {
  const top = document.querySelector(".desk-bar").getBoundingClientRect().bottom;
  const foot = document.getElementById("quick").getBoundingClientRect();
  const bottom = foot.top > innerHeight / 2 ? foot.top : innerHeight;
  return [...document.querySelectorAll(".desk-row")].map((row) => row.getBoundingClientRect())
    .filter((row) => row.top > top - 2 && row.bottom < bottom + 2).length;
}"""


@pytest.mark.deep
def test_four_tables_are_in_sight_with_letters_twice_as_large(at_desk, by) -> None:
    page = at_desk(make.playing(by, 16, **SWISS))
    assert page.viewport_size == {"width": 1366, "height": 768}
    expect(page.locator("#quick-table")).to_be_focused()
    usual = page.evaluate(ROWS_IN_SIGHT)
    assert usual == 8
    with twice_as_large(page):
        assert page.evaluate(ROWS_IN_SIGHT) >= 4
        assert page.evaluate("document.documentElement.scrollWidth") <= 1366
        enter(page, "1", "2 0")
        expect(page.locator("tr.desk-row[data-final]")).to_have_count(1)
    assert page.evaluate(ROWS_IN_SIGHT) == usual
