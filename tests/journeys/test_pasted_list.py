"""A table of players that is looked over: each change is shown at once, where it was made."""

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import COUNT_TAPS, taps
from tests.tournaments.players.test_people_files import workbook

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
ROWS = [
    ["Giocatore", "Club", "E-mail", "Player ID", "Taglia maglietta"],
    ["Antonio De Luca", "La Torre", "a.deluca@example.org", "0123 4567 89", "M"],
    ["Marco Rossi", "Drago Verde", "m.rossi88@example.org", "0162", "S"],
    ["Sara Monti", "La Torre", "sara.monti@example", "0128", "XL"],
    ["Rossi Carlo", "", "", "", ""],
]


def look_over(page: Page) -> None:
    """Give the table to the page of players."""
    page.get_by_text("Add many players at once").click()
    file = {"name": "iscritti.xlsx", "mimeType": "application/octet-stream"}
    page.locator("input[type=file]").set_input_files(file | {"buffer": workbook(ROWS)})
    page.get_by_role("button", name="Preview").click()


@pytest.mark.parametrize("device", [DESK, PHONE | {"locale": "en-GB"}], ids=["desk", "phone"])
def test_what_is_changed_is_shown_at_once_and_added(by, open_as, axe, watch, device) -> None:
    watch.allow = ["400 (Bad Request)"]  # two columns that hold the same
    event = make.open_event(by)
    make.players_more(event, ["Marco Rossi"], by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/", device)
    look_over(page)
    expect(page.get_by_role("heading", name="Players: 4")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Rossi", exact=True).last.click()
    expect(page.locator("input[name='surname:Rossi Carlo']")).to_have_value("Rossi")
    expect(page.locator("#word-4-0")).to_be_focused()
    page.get_by_label("Another person").check()
    expect(page.get_by_text("Shown as “Marco Rossi (Drago Verde)”")).to_be_visible()
    page.locator(".mend summary").click()
    page.get_by_label("Change", exact=True).fill("sara.monti@example.org")
    page.keyboard.press("Enter")
    expect(page.locator(".mend")).to_have_count(0)
    page.get_by_role("button", name="Namesakes 1").click()
    expect(page.locator("#pasted-people tbody tr:visible")).to_have_count(1)
    page.get_by_label("“Taglia maglietta”").select_option(label="Club")
    expect(page.get_by_role("alert")).to_contain_text(
        "Two columns have the same meaning. Change one of them."
    )
    page.get_by_role("button", name="Add (4)").click()
    expect(page.locator("#messages")).to_contain_text("Players added: 4")
    surnames = dict(event.entries.values_list("name", "surname"))
    assert surnames["Rossi Carlo"] == "Rossi"


def test_a_column_is_chosen_and_rows_are_left_out(by, open_as, axe, watch) -> None:
    watch.allow = ["400 (Bad Request)"]  # until everything is clear
    rows = [
        ["Nome", "Squadra", "Club", "Byes"],
        ["Anna Rossi", "Rossa", "Drago; 2; 3", "1,0"],
        ["", "", "Lupo", ""],
        ["Ugo Bo", "Blu", "", "due"],
    ]
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/", DESK)
    page.locator("details:has(input[type=file])").evaluate("one => { one.open = true; }")
    file = {"name": "iscritti.xlsx", "mimeType": "application/octet-stream"}
    page.locator("input[type=file]").set_input_files(file | {"buffer": workbook(rows)})
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Row 3: A name needs at least one letter or digit.")).to_be_visible()
    expect(page.get_by_text("Choose what column Squadra contains.")).to_be_visible()
    expect(page.locator("button[name=sure]")).to_have_count(0)
    axe(page)
    page.get_by_label("“Squadra”").select_option(label="Not used")
    expect(page.get_by_text("Choose what column")).to_have_count(0)
    expect(page.get_by_role("heading", name="Players: 1")).to_be_visible()
    page.get_by_role("button", name="Add (1)").click()
    expect(page.locator("#messages")).to_contain_text("Players added: 1")
    assert list(event.entries.values_list("name", "club", "byes")) == [
        ("Anna Rossi", "Drago; 2; 3", 1)
    ]


FROM_A_CHAT = """Draft di venerdì 🃏
1) Rossi, Anna - pagato
2) Ugo Bo 👍
3) Lia Neri (forse)
4)
[21:04, 27/11/2026] Beppe Longo: 5) Marco Neri
6 - Zoe Blu
#7 Dino Re
8️⃣ Elia Sala +1
• Franco Po
10: Gina Lodi
11. Ivo Mori
12. Leo Galli?
13. Mia Riva
14. Nino Villa ✅
15. Olga Testa
16. Pia Conti
17. Rosa Serra
18. Sara Fabbri"""


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_seventeen_names_from_a_chat_are_entered_in_two_clicks(
    by, open_as, axe, watch, device
) -> None:
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/", device | {"locale": "en-GB"})
    page.add_init_script(COUNT_TAPS)
    page.reload()
    page.get_by_label("Players, one per line").fill(FROM_A_CHAT)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Players: 18")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Add Draft di venerdì")).not_to_be_checked()
    expect(page.get_by_text("Left out: pagato")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Add (17)").click()
    expect(page.locator("#messages")).to_contain_text("Players added: 17")
    assert event.entries.filter(name="Anna Rossi").exists()
    assert taps(page) == 2


def test_a_row_is_unticked_where_it_stands(by, open_as, watch) -> None:
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/", DESK)
    page.get_by_label("Players, one per line").fill("Ada Po\nBea Po\nUgo Po")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("checkbox", name="Add Bea Po").uncheck()
    page.get_by_role("button", name="Add (2)").click()
    expect(page.locator("#messages")).to_contain_text("Players added: 2")
    assert not event.entries.filter(name="Bea Po").exists()
