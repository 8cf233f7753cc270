"""The player's list while it is typed: its totals and problems, and what mends them."""

import json

import pytest

from decks.cards.samples import sample_catalogue
from decks.cards.services import load_cards
from decks.decklists.samples import sample_deck
from tests.browsers import url
from tournaments.models import DeckDraft, DeckSubmission, Entry

pytestmark = pytest.mark.django_db
EXO = "creatures-of-exo"
HTMX = {"HX-Request": "true"}


def test_totals_and_problems_are_shown_while_typing(phone, event, django_assert_max_num_queries):
    check = url("my-deck-check", event)
    with django_assert_max_num_queries(20):
        answer = phone.post(check, {"text": "3 Lupo\n0 Nulla"}, headers=HTMX)
    part = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "<html" not in part
    assert 'data-line="2"' in part
    assert "Main deck</span> <b>3</b> <small>/ 30</small>" in part
    assert "Add 27" in part
    assert not DeckSubmission.objects.exists()
    assert not DeckDraft.objects.exists()


def test_a_problem_of_several_zones_names_every_line(phone, event):
    text = "Main\n2 Lupo\n1 Eco\nSide\n1 lupo"
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert 'data-line="2">line 2</a> <bdi>2 Lupo</bdi>' in part
    assert 'data-line="5">line 5</a> <bdi>1 lupo</bdi>' in part


def test_the_check_works_without_scripts(phone, event):
    answer = phone.post(url("my-deck-check", event), {"text": "3 Lupo"})
    page = answer.content.decode()
    assert "<html" in page
    assert ">\n3 Lupo</textarea>" in page
    assert "The list has" in page


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("", 200, "while you write"),
        ("x" * 70_000, 400, "characters long"),
        ("a\x00", 400, "not allowed"),
    ],
)
def test_what_is_no_list_has_words_too(phone, event, text, status, words):
    answer = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX)
    assert answer.status_code == status
    assert words in answer.content.decode()


def test_rubbish_shows_no_endless_list_of_problems(phone, event):
    text = "\n".join(f"0 Carta {n}" for n in range(3000))
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert part.count('<li class="violation ') == 60
    assert "more." in part


def test_a_suggestion_is_accepted_by_one_tap(phone, event):
    sent = {"text": "2 Fulminarra {Creatura}\n1 Eco", "mend": '[1, "Fulminarra", "Fulminara"]'}
    for headers in (HTMX, {}):
        answer = phone.post(url("my-deck-mend", event), sent, headers=headers)
        assert ">\n2 Fulminara {Creatura}\n1 Eco</textarea>" in answer.content.decode()
    assert not DeckSubmission.objects.exists()


@pytest.mark.parametrize(
    ("mend", "status"),
    [
        (json.dumps([2, "Fulminarra", "Fulminara"]), 409),
        (json.dumps([1, "Fulminarra", "Fulminara"] * 2), 400),
        (json.dumps(["1", "a", "b"]), 400),
        ("[" * 500, 400),
        ("9" * 900, 400),
        ("", 400),
    ],
)
def test_a_suggestion_that_fits_no_more_keeps_the_text(phone, event, mend, status):
    sent = {"text": "2 Fulminarra\n1 Eco", "mend": mend}
    for headers in (HTMX, {}):
        answer = phone.post(url("my-deck-mend", event), sent, headers=headers)
        assert answer.status_code == status
        assert ">\n2 Fulminarra\n1 Eco</textarea>" in answer.content.decode()


PASTED = "zone,count,name,foil\nMain,3,Lupo,foil\nSide,1,Volpe,foil\n"


def test_what_another_program_wrote_is_read_into_the_editor(phone, event, ada):
    answer = phone.post(url("my-deck-check", event), {"text": PASTED}, headers=HTMX)
    part = answer.content.decode()
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#editor", "outerHTML")
    assert "3 Lupo\n" in part
    assert "zone,count" not in part
    plain = phone.post(url("my-deck-check", event), {"text": "3 Lupo"}, headers=HTMX)
    assert "HX-Retarget" not in plain
    phone.post(url("my-deck", event), {"text": PASTED, "expected": "0"})
    assert "zone,count" not in Entry.objects.get(pk=ada.pk).submission.decklist.raw


def test_a_broken_paste_is_told_and_kept(phone, event):
    answer = phone.post(url("my-deck-check", event), {"text": "ydke://AAA"}, headers=HTMX)
    assert answer.status_code == 400
    assert "is cut off or changed" in answer.content.decode()
    refused = phone.post(url("my-deck", event), {"text": "ydke://AAA", "expected": "0"})
    assert refused.status_code == 400
    assert ">\nydke://AAA</textarea>" in refused.content.decode()
    assert not DeckSubmission.objects.exists()


def test_errors_come_first_and_unknown_cards_are_one_line(phone, event, by):
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    text = "2 Qwertzuiop\n1 Asdfghjkl\n3 Yxcvbnm\n0 Nulla"
    part = phone.post(url("my-deck-check", event), {"text": text}, headers=HTMX).content.decode()
    assert "3 cards are not in the catalogue" in " ".join(part.split())
    assert part.rindex("violation-error") < part.index('<details class="unknown"')
    assert "violation-warning" not in part
    kinds = [piece.split('"')[0] for piece in part.split("violation violation-")[1:]]
    assert kinds == sorted(kinds, key=("error", "warning", "info").index)


def test_a_name_that_is_far_from_every_card_gets_no_suggestion(phone, event, by):
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    known = next(line for line in sample_deck(EXO, 7).splitlines() if "{Creatura}" in line)
    name = known.partition(" ")[2].partition(" {")[0]
    first = name.split()[0]
    for written, near in ((f"{name}x", True), (f"Il contrario di {first} e altro ancora", False)):
        answer = phone.post(url("my-deck-check", event), {"text": f"2 {written}"}, headers=HTMX)
        assert ('class="suggestions"' in answer.content.decode()) is near, written
