"""A list on a phone: pasted, mended, kept as a draft, handed in, handed in again, locked.

Use notes, J17; axe and the size of what a thumb hits at every stop.
"""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from decks.cards.services import load_cards
from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.decks.cards.files import sample_catalogue
from tests.journeys.counting import COUNT_TAPS
from tests.journeys.steps import follow
from tournaments.core.permissions import Actor
from tournaments.models import DeckDraft, Entry, Event
from tournaments.players.services import entries

EXO = "creatures-of-exo"
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
SMALL = """() => [...document.querySelectorAll(
  'main :is(button, summary, textarea, a.button, a[data-line], label:has(input[type=radio]), ' +
  'input:not([type=hidden], [type=radio]))')]
  .filter((item) => item.checkVisibility())
  .map((item) => [item.textContent.trim().slice(0, 30) || item.name, item.getBoundingClientRect()])
  .filter(([, box]) => Math.round(box.height) < 44 || Math.round(box.width) < 44)
  .map(([name, box]) => `${name} ${box.width}×${box.height}`)"""


@pytest.fixture
def entry(transactional_db):
    """Return a player of an event whose organiser has loaded a card catalogue."""
    by = make.organiser()
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    until = timezone.now() + timedelta(hours=3, seconds=30)
    event = make.open_event(by, format=EXO, decklists="required", decklist_deadline=until)
    return make.players(event, 1, by)[0]


@pytest.fixture
def look(axe):
    """Return a function that looks at a page: axe, no sideways scroll, targets of 44 px."""

    def at(page):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # nothing is under the bar
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(SMALL) == []

    return at


def spoilt(text):
    """Return a list without its last card and with a name misspelt, and that name."""
    lines = text.strip().splitlines()
    at = next(n for n, line in enumerate(lines) if "{Creatura}" in line)
    name = lines[at][2:].partition(" {")[0]
    lines[at] = f"2 {name.replace(' ', '  ', 1)[:-1]}k"
    gone = next(n for n, line in enumerate(lines) if "{Tattica}" in line)
    missing = lines.pop(gone)
    return "\n".join(lines), name, missing


def open_link(phone, entry):
    """Open the player's page by a new personal link."""
    token = entries.make_link(entry=entry, by=Actor(entry=entry))
    phone.goto(reverse("tournaments:open-link", args=[token]))


def open_editor(phone, entry):
    """Open the page on which the player hands in a list."""
    open_link(phone, entry)
    phone.goto(reverse("tournaments:my-deck", args=[entry.event.slug]))


def show(phone, view):
    """Show the list as its cards, as text, or what reads a file."""
    phone.locator(f"label[for=view-{view}]").tap()


def text_file(text):
    """Return a list as a file that is chosen."""
    return [{"name": "lista.txt", "mimeType": "text/plain", "buffer": text.encode()}]


@pytest.mark.deep
def test_from_the_paste_to_the_lock(phone, entry, look, watch):
    watch.allow += ["status of 409"]
    text, name, missing = spoilt(sample_deck(EXO, 7))
    open_link(phone, entry)
    follow(phone.get_by_role("link", name="Consegna la tua lista"))
    expect(phone.get_by_text(re.compile("restano (3|2) ore"))).to_be_visible()
    look(phone)
    _paste_and_mend(phone, text, name, look)
    _keep_a_draft(phone, entry, name, look)
    _hand_in_and_again(phone, entry, missing, look)
    _in_english(phone)
    _locked_out(phone, entry, look)


@pytest.mark.deep
def test_a_file_is_read_into_the_editor_and_kept(phone, entry, look, watch):
    watch.allow += ["status of 400"]
    open_editor(phone, entry)
    editor, chooser = phone.locator("#id_text"), phone.locator("#id_file")
    editor.fill("1 Scritta a mano")
    show(phone, "file")
    broken = {"name": "lista.xlsx", "mimeType": "", "buffer": b"PK\x03\x04 nothing"}
    chooser.set_input_files([broken])
    expect(phone.locator("#editor").get_by_role("alert")).to_be_visible()
    expect(editor).to_have_value("1 Scritta a mano")
    look(phone)
    text = sample_deck(EXO, 7)
    chooser.set_input_files(text_file(text))
    expect(editor).to_have_value(re.compile("Leader"))
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    expect(phone.locator("#receipt .badge")).to_have_text("valida")
    handed = Entry.objects.get(pk=entry.pk).submission.decklist
    assert bytes(handed.upload) == text.encode()
    phone.locator("summary", has_text="Scarica").tap()
    with phone.expect_download() as download:
        phone.get_by_role("link", name="File originale").tap()
    assert download.value.suggested_filename == "lista.txt"


@pytest.mark.deep
def test_what_was_typed_before_a_file_is_not_checked_after_it(phone, entry, watch):
    watch.allow += ["htmx:afterRequest", "htmx:sendAbort"]  # htmx says so of what it gives up
    open_editor(phone, entry)
    held = []
    phone.route("**/check/", lambda route: held.append(route), times=1)
    with phone.expect_request("**/check/"):
        phone.locator("#id_text").fill("1 Scritta a mano")
    text = sample_deck(EXO, 7)
    phone.locator("#id_file").set_input_files(text_file(text))
    expect(phone.locator("#id_text")).to_have_value(re.compile("Leader"))
    held[0].fallback()
    phone.wait_for_load_state("networkidle")
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")
    expect(phone.locator("#id_text")).to_be_enabled()


@pytest.mark.deep
def test_what_was_typed_while_a_file_is_read_does_not_stop_it(phone, entry):
    phone.clock.install(time=NOON)
    phone.clock.pause_at(NOON + timedelta(seconds=1))  # only the test lets time pass
    open_editor(phone, entry)
    held = []
    phone.route("**/check/", lambda route: held.append(route), times=1)
    phone.locator("#id_text").fill("1 Scritta a mano")  # is checked 400 ms later
    text = sample_deck(EXO, 7)
    with phone.expect_request("**/check/"):
        phone.locator("#id_file").set_input_files(text_file(text))
    phone.clock.run_for(800)  # the file is on its way while the check would begin
    held[0].fallback()
    phone.clock.resume()
    expect(phone.locator("#id_text")).to_have_value(re.compile("Leader"))
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")


def test_j17_a_pasted_list_in_four_taps(phone, entry, axe):
    """The link, the field, the paste of the phone's own menu, and the button."""
    phone.context.add_init_script(COUNT_TAPS)
    open_link(phone, entry)
    follow(phone.get_by_role("link", name="Consegna la tua lista"))
    expect(phone.locator("#handed")).to_contain_text("Non consegnata")
    editor = phone.locator("#id_text")
    editor.tap()
    phone.keyboard.insert_text(sample_deck(EXO, 7))
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")
    expect(phone.locator("#check")).not_to_have_class("stale")
    axe(phone)
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    pasting = 1  # the phone's own menu is no part of the page
    assert int(phone.evaluate("localStorage.getItem('taps')")) + pasting <= 4
    expect(phone.locator("#handed .yes")).to_be_visible()
    assert Entry.objects.get(pk=entry.pk).submission.decklist.legal


@pytest.mark.deep
def test_what_was_typed_outlives_a_change_of_language_until_it_is_handed_in(phone, entry):
    open_editor(phone, entry)
    phone.locator("#id_text").fill("3 Lupo grigio")
    with phone.expect_navigation():
        phone.get_by_role("link", name="English").tap()
    expect(phone.locator("#id_text")).to_have_value("3 Lupo grigio")
    expect(phone.locator("#kept")).to_contain_text("Unsaved text")
    expect(phone.locator("#check .totals")).to_contain_text("3")
    phone.reload()
    expect(phone.locator("#id_text")).to_have_value("3 Lupo grigio")
    phone.locator("#kept button").tap()
    expect(phone.locator("#id_text")).to_have_value("")
    phone.locator("#id_text").fill("2 Lupo bianco")
    follow(phone.get_by_role("button", name="Submit", exact=True))
    expect(phone.locator("#handed .yes")).to_be_visible()
    phone.reload()
    expect(phone.locator("#id_text")).to_have_value("2 Lupo bianco")
    expect(phone.locator("#kept")).to_be_hidden()


@pytest.mark.deep
def test_who_comes_back_to_the_open_page_sees_that_the_list_is_closed(phone, entry):
    make.hand_in(entry)
    open_editor(phone, entry)
    state, back = (
        phone.locator(".deck-state"),
        "document.dispatchEvent(new Event('visibilitychange'))",
    )
    expect(state).to_contain_text("Aperta fino a")
    show(phone, "text")
    written = phone.locator("#id_text").input_value()
    phone.locator("#id_text").fill("1 Troppo tardi")
    past = timezone.now() - timedelta(seconds=1)
    Event.objects.filter(pk=entry.event_id).update(decklist_deadline=past)
    phone.evaluate(back)
    expect(state).to_contain_text("bloccate")
    expect(phone.locator("#id_text")).to_have_value("1 Troppo tardi")
    phone.locator("#id_text").fill(written)
    phone.evaluate(back)
    expect(phone.locator("textarea")).to_have_count(0)
    expect(state).to_contain_text("bloccate")


@pytest.mark.deep
def test_a_paste_of_another_program_becomes_a_list(phone, entry, axe):
    open_editor(phone, entry)
    phone.locator("#id_text").fill(
        '<cockatrice_deck version="1"><zone name="main"><card number="3" name="Lupo"/></zone>'
        '<zone name="side"><card number="1" name="Volpe"/></zone></cockatrice_deck>'
    )
    expect(phone.locator("#id_text")).to_have_value(
        re.compile(r"^\S.*\n3 Lupo\n\n\S+\n1 Volpe\s*$")
    )
    held = []
    phone.route("**/me/deck/check/", lambda route: held.append(route))
    phone.locator("#id_text").fill("3 Lupo\n2 Orso\n\n1 Volpe")
    expect(phone.locator("#check")).to_have_class("stale")  # it is not of this text
    axe(phone)
    expect(phone.locator("#handed .yes")).to_be_hidden()
    while not held:
        phone.wait_for_timeout(50)
    held[-1].continue_()
    expect(phone.locator("#check")).not_to_have_class("stale")
    phone.get_by_role("button", name="Mazzo principale 5 · Side 1").tap()
    expect(phone.locator("#id_text")).to_have_value(
        re.compile(r"^\S.*\n3 Lupo\n2 Orso\n\n\S.*\n1 Volpe$")
    )
    expect(phone.locator(".parts")).to_have_count(0)


def _paste_and_mend(phone, text, name, look):
    """See the problems while typing, and take a suggestion by one tap."""
    editor, check = phone.locator("#id_text"), phone.locator("#check")
    editor.fill(text)
    expect(check.locator(".totals .misfits")).to_contain_text("28")
    look(phone)
    problem = phone.locator("#others .violation-warning")
    expect(problem).to_have_count(1)
    problem.locator("a[data-line]").tap()
    chosen = "id_text.value.slice(id_text.selectionStart, id_text.selectionEnd)"
    assert phone.evaluate(chosen).endswith("k")
    problem.get_by_role("button", name=name).tap()
    expect(editor).to_have_value(re.compile(re.escape(name)))
    expect(phone.locator(".violation-warning")).to_have_count(0)
    expect(phone.locator("#verdict")).to_contain_text("1 errore")


def _keep_a_draft(phone, entry, name, look):
    """Keep the list as a draft, and find it again."""
    follow(phone.get_by_role("button", name="Salva la bozza"))
    expect(phone.locator(".deck-state")).to_contain_text("Bozza, non consegnata")
    phone.goto(phone.url)
    expect(phone.locator("#id_text")).to_have_value(re.compile(re.escape(name)))
    assert DeckDraft.objects.filter(entry=entry).count() == 1
    look(phone)


def _hand_in_and_again(phone, entry, missing, look):
    """Hand the list in illegal, then legal; the receipt says which, and the versions differ."""
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    expect(phone.locator("#receipt")).to_contain_text("non valida")
    show(phone, "text")
    editor = phone.locator("#id_text")
    editor.fill(editor.input_value().replace("Main\n", f"Main\n{missing}\n"))
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    expect(phone.locator("#receipt .badge")).to_have_text("valida")
    handed = Entry.objects.get(pk=entry.pk).submission
    shown = phone.locator("#receipt .fingerprint code").inner_text()
    assert shown.replace(" ", "") == handed.decklist.fingerprint[:8]
    look(phone)
    follow(phone.get_by_role("link", name="Versioni: 2"))
    expect(phone.locator("#difference .added")).to_contain_text(missing[2:].partition(" {")[0])
    look(phone)
    follow(phone.get_by_role("link", name="Indietro"))


def _in_english(phone):
    """Change the language and back: nothing is missing in either."""
    with phone.expect_navigation():
        phone.get_by_role("link", name="English").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Your decklist")
    expect(phone.get_by_role("button", name="Save draft")).to_be_visible()
    expect(phone.locator("#verdict")).to_contain_text("The decklist is legal.")
    with phone.expect_navigation():
        phone.get_by_role("link", name="Italiano").tap()


def _locked_out(phone, entry, look):
    """Hand in a second too late: nothing changes, and what was typed is there to be copied."""
    kept = Entry.objects.get(pk=entry.pk).submission
    show(phone, "text")
    phone.locator("#id_text").fill("1 Troppo tardi")
    past = timezone.now() - timedelta(seconds=1)
    Event.objects.filter(pk=entry.event_id).update(decklist_deadline=past)
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    expect(phone.get_by_role("alert")).to_contain_text("1 Troppo tardi")
    phone.goto(phone.url)
    expect(phone.locator(".deck-state")).to_contain_text("bloccate")
    expect(phone.locator("textarea")).to_have_count(0)
    expect(phone.locator("main")).to_contain_text("Chiedi a un giudice")
    assert Entry.objects.get(pk=entry.pk).submission == kept
    look(phone)
