"""What is asked about a list, its answers in one tap, and lists that were read in another way."""

import html
import json
import re

import pytest
from django.test import Client

from decks.cards.services import load_cards
from decks.models import Decklist
from tests import factories as make
from tests.browsers import by_link, url
from tests.decks.cards.files import sample_catalogue
from tournaments.core.permissions import Actor
from tournaments.decklists.selectors.rules import event_deck_rules, is_legal
from tournaments.decklists.services import submit_decklist
from tournaments.erasing.services.rows import strip_decklist
from tournaments.models import Entry, Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


HTMX = {"HX-Request": "true"}
MAIN = "\n".join(f"2 Mostro {letter}" for letter in "abcdefghijklmnopqrst")
SIDE = "\n".join(f"1 Magia {letter}" for letter in "abcdefghijklmno")
THREE = f"{MAIN}\n\n3 Drago\n\n{SIDE}"


@pytest.fixture
def event(by: Actor) -> Event:
    return make.open_event(by, format="yugioh-2009", decklists="required")


def mends(answer) -> dict[str, str]:
    """Return what the buttons of an answer say and send."""
    found = re.findall(
        r'name="mend" value="([^"]*)"[^>]*>\s*(?:<svg.*?</svg>)?\s*<(?:span|bdi)>(.*?)</',
        answer.content.decode(),
        re.S,
    )
    return {html.unescape(name): html.unescape(value) for value, name in found}


def text_in(answer) -> str:
    return html.unescape(answer.content.decode().partition("</textarea>")[0].rpartition(">\n")[2])


def checked(phone: Client, event: Event, text: str):
    """Return the answer while a text is typed."""
    return phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX)


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_three_parts_are_named_by_one_tap(phone, event, headers):
    answer = checked(phone, event, THREE)
    assert "<b>1 error</b>" in " ".join(answer.content.decode().split())
    buttons = mends(answer)
    assert list(buttons) == [
        "Main deck 40 · Fusion deck 3 · Side deck 15",
        "Put everything in: Main deck",
        "Add these headings",
    ]
    sent = {"text": THREE, "mend": buttons["Main deck 40 · Fusion deck 3 · Side deck 15"]}
    again = phone.post(url("my-deck-mend", event), sent, headers=headers)
    assert text_in(again) == (f"Main deck\n{MAIN}\n\nFusion deck\n3 Drago\n\nSide deck\n{SIDE}")
    assert "The decklist is legal." in again.content.decode()


def test_empty_lines_may_be_there_for_the_eye_alone(phone, event):
    text = "\n\n".join(f"2 Mostro {letter}\n2 Magia {letter}" for letter in "abcdefghij")
    buttons = mends(checked(phone, event, text))
    assert list(buttons) == ["Put everything in: Main deck", "Add these headings"]
    sent = {"text": text, "mend": buttons["Put everything in: Main deck"]}
    again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert text_in(again) == text.replace("\n\n", "\n")
    assert "The decklist is legal." in again.content.decode()


def test_a_title_is_no_card_also_over_names_alone(phone, event):
    buttons = mends(checked(phone, event, f"Draghi di Anna\n\n{MAIN}"))
    assert list(buttons) == ["1x Draghi di Anna", "// Draghi di Anna"]
    sent = {"text": f"Draghi di Anna\n\n{MAIN}", "mend": buttons["// Draghi di Anna"]}
    again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert text_in(again) == f"// Draghi di Anna\n\n{MAIN}"
    assert "The decklist is legal." in again.content.decode()
    names = "\n".join(f"Mostro {letter}{sign}" for letter in "abcde" for sign in "stuvwxyz")
    buttons = mends(checked(phone, event, f"Draghi di Anna\n\n{names}"))
    sent = {
        "text": f"Draghi di Anna\n\n{names}",
        "mend": buttons["Line 1 is a heading · Main deck 40"],
    }
    again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert text_in(again) == f"// Draghi di Anna\n\nMain deck\n{names}"
    assert "The decklist is legal." in again.content.decode()


def test_lines_without_a_number_are_answered_in_one_tap(phone, event):
    names = "Lupo\n- Orso\r\nRe (DT)"
    for text in (f"{MAIN}\n{names}", f"\ufeff{names}\n{MAIN}"):
        buttons = mends(checked(phone, event, text))
        assert "Add 1 before these 3 lines" in buttons
        order = buttons["Add 1 before these 3 lines"]
        again = phone.post(url("my-deck-mend", event), {"text": text, "mend": order}, headers=HTMX)
        assert text_in(again).replace("\r", "") == text.replace(
            names, "1x Lupo\n1x Orso\n1x Re (DT)"
        ).replace("\r", "")
        assert "The decklist is legal." in again.content.decode()
    for other in (MAIN, "Lupo\nOrso"):
        sent = {"text": other, "mend": order}
        refused = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
        assert refused.status_code == 409
        assert text_in(refused) == other
    assert len(mends(checked(phone, event, f"{MAIN}\nLupo\nOrso"))) == 4


def test_parts_are_named_one_by_one(phone, event):
    text = f"{MAIN}\n\n1 Buca\n\n3 Drago\n\n{SIDE}"
    answer = checked(phone, event, text)
    assert answer.content.decode().count('<select id="part-') == 4
    order = mends(answer)["Add these headings"]
    sent = {"text": text, "mend": order, "part": ["main", "main", "fusion", "side"]}
    again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert text_in(again).splitlines()[::22][:2] == ["Main deck", "1 Buca"]
    assert "The decklist is legal." in again.content.decode()
    for part in (["main"], ["main", "side", "side", "moon"]):
        refused = phone.post(url("my-deck-mend", event), sent | {"part": part}, headers=HTMX)
        assert refused.status_code in (400, 409)
        assert text_in(refused) == text


def test_hundreds_of_parts_make_no_endless_page(phone, event):
    answer = checked(phone, event, "\n\n".join(f"1 Carta {number}" for number in range(500)))
    assert list(mends(answer)) == ["Put everything in: Main deck"]
    assert "<select" not in answer.content.decode()


@pytest.mark.parametrize(
    "order",
    [
        {"parts": "all"},
        {"parts": [["main"], ["side"]]},
        {"parts": ["main", "reserve"]},
        {"parts": None},
        {"line": True, "was": "3 Lupo", "becomes": "x"},
        {"line": 1, "was": 3, "becomes": "x"},
        {"line": 1},
        [True, "Lupo", "Orso"],
        7,
    ],
)
def test_what_no_button_sends_changes_nothing(phone, event, order):
    sent = {"text": "3 Lupo\n\n2 Orso", "mend": json.dumps(order)}
    answer = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert (answer.status_code, text_in(answer)) == (400, sent["text"])


def test_a_line_that_has_changed_since_is_let_be(phone, event):
    order = json.dumps({"line": 1, "was": "4. Lupo", "becomes": "4x Lupo"})
    for text in ("4. Orso", ""):
        sent = {"text": text or "\n", "mend": order}
        answer = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
        assert answer.status_code == 409
        assert "The decklist has changed." in html.unescape(answer.content.decode())


def test_a_line_with_two_readings_is_settled_by_one_tap(phone, event):
    for name, text in {
        "4x Lupo": "1 Orso\n4x Lupo",
        "1x Lupo": "1 Orso\n1x Lupo",
        "Ignore this line": "1 Orso\n// 4. Lupo",
    }.items():
        buttons = mends(checked(phone, event, "1 Orso\n4. Lupo"))
        sent = {"text": "1 Orso\n4. Lupo", "mend": buttons[name]}
        again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
        assert text_in(again) == text
        assert "in more than one way" not in again.content.decode()


def test_a_greeting_is_left_out_by_one_tap(ada, by):
    event = make.open_event(by, format="creatures-of-exo", decklists="required")
    load_cards(game="creatures-of-exo", cards=sample_catalogue("creatures-of-exo"), owner=by.user)
    (player,) = make.players(event, 1, by)
    phone = by_link(player, by)
    name = sample_catalogue("creatures-of-exo")[0].name
    text = f"Ciao ragazzi, ecco la lista!\n1 {name}"
    answer = checked(phone, event, text)
    assert "is not counted" in answer.content.decode()
    sent = {"text": text, "mend": mends(answer)["Ignore this line"]}
    again = phone.post(url("my-deck-mend", event), sent, headers=HTMX)
    assert text_in(again) == f"// Ciao ragazzi, ecco la lista!\n1 {name}"
    assert "is not counted" not in again.content.decode()


def test_nothing_is_handed_in_as_if_it_were_fine(phone, event, ada):
    answer = phone.post(url("my-deck", event), {"text": THREE, "expected": "0"}, follow=True)
    kept = Entry.objects.get(pk=ada.pk).submission.decklist
    assert not kept.legal
    assert "list.parts_unnamed" in [row["code"] for row in kept.violations]
    page = answer.content.decode()
    assert ">illegal</span>" in page
    assert "Main deck 40 · Fusion deck 3 · Side deck 15" in page


TYPED = "\n".join(f"2 Mostro {letter} {{Mostro}}" for letter in "abcdefghijklmnopqrst")
SPLIT = f"{TYPED}\n\n3 Buca {{Trappola}}"


def handed_in(event: Event, text: str, by: Actor) -> Entry:
    (entry,) = make.players(event, 1, by)
    submit_decklist(entry=entry, text=text, by=by)
    return Entry.objects.select_related("submission__decklist").get(pk=entry.pk)


def of_before(entry: Entry, **values: object) -> Decklist:
    """Return a list as it was stored before lists had the version of their reading."""
    decklist = entry.submission.decklist
    del decklist.deck["reading"]
    for name, value in values.items():
        setattr(decklist, name, value)
    decklist.save()
    return decklist


def found(event: Event) -> list[str]:
    return [finding.check for finding in verify_event(event) if finding.check == "deck_legality"]


def test_a_list_that_is_asked_about_today_verifies_as_it_was_read(event: Event, by: Actor) -> None:
    entry = handed_in(event, SPLIT, by)
    decklist = entry.submission.decklist
    assert (decklist.legal, found(event)) == (False, [])
    decklist = of_before(entry, legal=True, violations=[])
    assert found(event) == []
    assert not is_legal(event_deck_rules(event), decklist)


def test_a_list_that_is_read_alike_is_judged_alike(event: Event, by: Actor) -> None:
    entry = handed_in(event, f"Main\n{TYPED}", by)
    decklist = of_before(entry)
    assert found(event) == []
    assert is_legal(event_deck_rules(event), decklist)
    of_before_again = Decklist.objects.filter(pk=decklist.pk)
    of_before_again.update(legal=False)
    assert found(event) == ["deck_legality"]


def test_a_list_that_was_asked_about_verifies_without_its_text(event: Event, by: Actor) -> None:
    entry = handed_in(event, SPLIT, by)
    strip_decklist(entry.submission.decklist)
    decklist = Decklist.objects.get(pk=entry.submission.decklist_id)
    assert (decklist.raw, decklist.legal) == (decklist.text, False)
    assert found(event) == []
