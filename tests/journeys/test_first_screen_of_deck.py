"""A decklist's first screen: what is wrong with its cure, the sizes, the cards, the button."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.journeys.first_screens import moved, rows_in_sight, top_of
from tests.journeys.steps import follow
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.models import Entry
from tournaments.players.services import entries

FORMAT = "doomtrooper-original"


@pytest.fixture
def entry(transactional_db):
    """Return a player who has submitted a list with a copy too many."""
    by = make.organiser()
    until = timezone.now() + timedelta(hours=3)
    event = make.open_event(by, format=FORMAT, decklists="required", decklist_deadline=until)
    entry = make.players(event, 1, by)[0]
    text = sample_deck(FORMAT, 1).replace("\n5 ", "\n6 ", 1)
    submit_decklist(entry=entry, text=text, by=Actor(entry=entry))
    return entry


def open_deck(page, entry):
    """Open the player's decklist by a personal link."""
    token = entries.make_link(entry=entry, by=Actor(entry=entry))
    page.goto(reverse("tournaments:open-link", args=[token]))
    page.goto(reverse("tournaments:my-deck", args=[entry.event.slug]))


@pytest.mark.deep
def test_an_error_is_cured_and_the_list_submitted_by_two_taps(phone, entry, axe):
    open_deck(phone, entry)
    assert moved(phone) <= 0.05
    assert top_of(phone, ".first-problem") <= 150
    assert rows_in_sight(phone, ".card-rows li") >= 3
    assert phone.locator(".badge.good").count() == 0
    assert top_of(phone, "#receipt") > top_of(phone, ".first-problem")
    phone.get_by_role("button", name="Porta a 5").tap()
    expect(phone.locator(".first-problem")).to_have_count(0)
    expect(phone.locator("#verdict")).to_contain_text("La lista è valida")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")  # nothing is under the bar
    axe(phone)
    follow(phone.get_by_role("button", name="Consegna", exact=True))
    assert Entry.objects.get(pk=entry.pk).submission.decklist.legal


@pytest.mark.deep
def test_counts_change_by_a_tap_and_cards_are_added_by_name(phone, entry):
    open_deck(phone, entry)
    row = phone.locator("#cards .wrong")
    line = row.get_attribute("id").removeprefix("line-")
    phone.locator(f"#less-{line}").tap()
    expect(phone.locator("#id_text")).to_have_value(sample_deck(FORMAT, 1))
    expect(phone.locator("#cards .wrong")).to_have_count(0)
    phone.locator("#id_add").fill("Lupo nuovo")
    phone.keyboard.press("Enter")
    expect(phone.locator("#cards")).to_contain_text("Lupo nuovo")
    expect(phone.locator("#id_add")).to_be_focused()


@pytest.mark.deep
def test_what_is_wrong_stands_beside_its_line_on_a_wide_screen(desk, entry, axe):
    desk.set_viewport_size({"width": 1366, "height": 768})
    open_deck(desk, entry)
    assert top_of(desk, ".first-problem") <= 130
    assert top_of(desk, "#id_text") <= 160
    expect(desk.locator("#lines .wrong")).to_have_count(1)
    desk.locator("a[data-line]").click()
    chosen = "id_text.value.slice(id_text.selectionStart, id_text.selectionEnd)"
    assert desk.evaluate(chosen).startswith("6 ")
    axe(desk)


def test_a_count_is_cured_without_scripts(client, entry):
    by = Actor(entry=entry)
    token = entries.make_link(entry=entry, by=by)
    client.post(reverse("tournaments:open-link", args=[token]))
    client.get(reverse("tournaments:open-link", args=[token]))
    deck = client.get(reverse("tournaments:my-deck", args=[entry.event.slug])).context
    cure = deck["live"]["first"].cure.value
    sent = {"text": deck["text"], "mend": cure, "view": "cards"}
    mended = client.post(reverse("tournaments:my-deck-mend", args=[entry.event.slug]), sent)
    assert mended.context["text"] == sample_deck(FORMAT, 1)
    assert mended.context["live"]["first"] is None
