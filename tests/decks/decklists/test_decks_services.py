"""Lists while they are written and once handed in: what is kept of them and of their files."""

import json
import re
from typing import Any

import pytest
from django.http import Http404, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from config.wording import translate
from decks.cards.services import load_cards
from decks.checking import MOST_ENTRIES, check_decklist_text, check_decklist_zones
from decks.decklists.live_check import MOST_SHOWN, live_check_context
from decks.decklists.samples import sample_deck
from decks.decklists.selectors import (
    FORMER_TEMPLATES,
    checked_deck_row,
    decklist_row,
    sentence_from_json,
    short_fingerprint,
    stored_deck,
    stored_violations,
)
from decks.decklists.services import (
    AS_SENT,
    clean_file_name,
    download_response,
    safe_file_name,
    store_decklist,
    store_decklist_file,
)
from decks.models import Decklist
from decks.rulebook import DeckRules
from decks.stored_formats import load_format
from decks.writers import WRITERS
from rules.deckbuilding.edits import replace_name
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput
from tests import factories as make
from tests.decks.cards.files import sample_catalogue
from tests.decks.readers.files import names, read, shipped, workbook
from tournaments.decklists.selectors.rules import live_decklist_check

EXO = "creatures-of-exo"
BAD = "Main\n3 Lupo {Leader}\n0 Nulla\nFusione\n1 Brace"


def shipped_format(key: str) -> DeckRules:
    """Return the rules of a format as it comes with the program."""
    return DeckRules(format=load_format(key))


@pytest.mark.django_db
def test_a_legal_list_is_stored_with_its_cards() -> None:
    text = sample_deck(EXO, 5)
    stored = store_decklist(rules=shipped_format(EXO), text=text, name="Prova")
    stored.refresh_from_db()
    assert (stored.legal, stored.raw, stored.violations) == (True, text, [])
    assert stored.counts == {"leader": 1, "main": 30, "evolution": 5, "side": 5}
    assert len(stored.fingerprint) == 64
    assert str(stored) == "Prova"
    assert stored_deck(stored).counts() == stored.counts


@pytest.mark.django_db
def test_an_illegal_list_is_stored_with_its_faults() -> None:
    stored = store_decklist(rules=shipped_format(EXO), text=BAD)
    stored.refresh_from_db()
    assert stored.legal is False
    assert (
        stored_violations(stored) == check_decklist_text(shipped_format(EXO), text=BAD).violations
    )
    assert [row["code"] for row in stored.violations][:2] == ["zone.too_few", "zone.too_few"]


@pytest.mark.django_db
def test_each_submission_is_a_row_and_equal_cards_have_one_fingerprint() -> None:
    one = store_decklist(rules=shipped_format(EXO), text="Main\nBrace\n2 Lupo")
    two = store_decklist(rules=shipped_format(EXO), text="# altro ordine\nLupo x2\nBrace")
    other = store_decklist(rules=shipped_format(EXO), text="Main\nBrace\n1 Lupo")
    assert Decklist.objects.count() == 3
    assert one.fingerprint == two.fingerprint != other.fingerprint
    assert list(Decklist.objects.all()) == [other, two, one]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a" * (64 * 1024 + 1), "text_too_long"),
        ("é" * (32 * 1024 + 1), "text_too_long"),
        ("Brace\x00", "text_unstorable"),
        ("Brace\ud800", "text_unstorable"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        store_decklist(rules=shipped_format(EXO), text=text)
    assert refused.value.code == code


def test_an_unknown_format_and_endless_zones_are_refused() -> None:
    with pytest.raises(BadInput) as unknown:
        shipped_format("chess")
    assert unknown.value.code == "unknown_format"
    entries = [{"name": "Brace"}] * (MOST_ENTRIES + 1)
    with pytest.raises(BadInput) as endless:
        check_decklist_zones(shipped_format(EXO), zones={"main": entries})
    assert endless.value.code == "text_too_long"


@pytest.mark.django_db
def test_stored_faults_are_told_in_the_readers_language() -> None:
    stored = store_decklist(rules=shipped_format(EXO), text=BAD)
    with override("en"):
        english = decklist_row(stored)
        assert [row.text for row in english.violations] == [
            translate(violation.sentence) for violation in stored_violations(stored)
        ]
        assert english.violations[0].label == "Error"
    assert (english.legal, english.errors) == (False, len(english.violations) - 1)


@pytest.mark.django_db
def test_a_line_is_named_once() -> None:
    stored = store_decklist(rules=shipped_format(EXO), text=BAD)
    with override("it"):
        rows = decklist_row(stored).violations
        page = render_to_string("decks/_violations.html", {"violations": rows})
    said = " ".join(re.sub(r"<[^>]*>", "", page).split())
    assert "Errore: La riga 3 non è leggibile" in said
    assert {row.line for row in rows if row.names_line} == {3}


def test_a_warning_about_a_list_is_no_penalty() -> None:
    with override("it"):
        row = checked_deck_row(
            check_decklist_text(shipped_format("saint-seiya"), text="45 Onda {Tecnica}")
        )
    assert [fault.label for fault in row.violations if fault.severity == "warning"] == [
        "Avviso"
    ] * 3


@pytest.mark.django_db
def test_a_row_for_display_makes_no_query(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    stored = store_decklist(rules=shipped_format(EXO), text=sample_deck(EXO, 5))
    with django_assert_num_queries(0):
        row = decklist_row(stored)
    assert [(zone.key, zone.size) for zone in row.cards] == list(stored.counts.items())


def test_a_list_can_be_shown_without_being_stored() -> None:
    row = checked_deck_row(check_decklist_text(shipped_format(EXO), text=BAD))
    assert row.fingerprint == ""
    assert [(zone.key, zone.size) for zone in row.cards] == [("main", 3), ("fusion", 1)]


@pytest.mark.parametrize("key", FORMATS.keys())
@given(number=st.integers(0, 500))
def test_each_format_has_legal_sample_lists(key: str, number: int) -> None:
    checked = check_decklist_text(shipped_format(key), text=sample_deck(key, number))
    assert checked.violations == ()
    assert sample_deck(key, number) == sample_deck(key, number)


def test_sample_lists_differ() -> None:
    assert len({sample_deck(EXO, number) for number in range(200)}) == 200


TABLE = [["nome", "copie", "zona"], ["Brace", 2, "main"], ["Nulla", 0, "side"]]


def store(content: bytes, filename: str = "lista.xlsx", name: str = "") -> Decklist:
    """Return a list stored out of a file, read again from the database."""
    made = store_decklist_file(rules=shipped(EXO), content=content, filename=filename, name=name)
    return Decklist.objects.get(pk=made.pk)


@pytest.mark.django_db
def test_a_file_is_kept_beside_the_list_in_writing() -> None:
    content = workbook(TABLE)
    stored = store(content)
    assert (bytes(stored.upload or b""), stored.upload_name) == (content, "lista.xlsx")
    assert stored.raw == "Mazzo principale\n2 Brace\n? Nulla | 0 | side :\n"
    assert names(stored_deck(stored)) == {"main": [(2, "Brace")]}
    assert {row["code"] for row in stored.violations} >= {"line.unreadable", "zone.too_few"}
    assert stored.legal is False


@pytest.mark.django_db
def test_a_text_file_is_kept_to_the_letter_and_equals_the_pasted_list() -> None:
    text = f"# mia\n{sample_deck(EXO, 3)}"
    stored = store(text.encode("utf-16"), "lista.txt")
    pasted = store_decklist(rules=shipped(EXO), text=text)
    assert stored.raw == pasted.raw == text
    assert stored.fingerprint == pasted.fingerprint
    assert (pasted.upload, pasted.upload_name) == (None, "")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../x.csv", "x.csv"),
        ("C:\\Users\\Luca\\lista.csv", "lista.csv"),
        ("a\u202etxt.csv", "atxt.csv"),
        ("a\x00b\r\n.csv", "ab .csv"),
        ("..", ""),
        ("", ""),
        (".htaccess", "htaccess"),
    ],
)
def test_the_name_of_a_file_is_one_line_without_path(given: str, kept: str) -> None:
    assert clean_file_name(given) == kept


def test_a_long_name_keeps_its_ending() -> None:
    assert clean_file_name("n" * 300 + ".csv").endswith("nnn.csv")
    assert len(clean_file_name("n" * 300 + ".csv")) == 120


def is_attachment(answer: HttpResponse) -> bool:
    return (
        answer["Content-Disposition"].startswith("attachment")
        and answer["X-Content-Type-Options"] == "nosniff"
        and "no-store" in answer["Cache-Control"]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("key", FORMATS.keys())
@pytest.mark.parametrize("kind", WRITERS.keys())
def test_a_stored_list_is_given_out_as_every_type(key: str, kind: str) -> None:
    stored = store_decklist(rules=shipped(key), text=sample_deck(key, 4), name="La: mia/lista")
    answer = download_response(stored, kind)
    assert is_attachment(answer)
    assert f'filename="lista{WRITERS.get(kind).ending}"' in answer["Content-Disposition"]
    again = read(answer.content, f"a{WRITERS.get(kind).ending}", key=key).checked
    assert again.legal
    assert again.deck.zones == stored_deck(stored).zones


@pytest.mark.django_db
def test_the_file_as_it_was_sent_is_bytes_to_a_browser() -> None:
    stored = store(b"<html><script>alert(1)</script>", 'a"b;<x>\u00e8.html')
    answer = download_response(stored, AS_SENT)
    assert is_attachment(answer)
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''abx%C3%A8.html"
    assert answer.content == bytes(stored.upload or b"")


@pytest.mark.django_db
def test_what_is_not_there_is_not_found() -> None:
    stored = store_decklist(rules=shipped(EXO), text="2 Brace")
    for kind in (AS_SENT, "pdf", ""):
        with pytest.raises(Http404):
            download_response(stored, kind)
    assert download_response(stored, "text")["Content-Disposition"] == (
        'attachment; filename="creatures-of-exo.txt"'
    )


def test_a_safe_name_is_no_path_wildcard_or_hidden_file() -> None:
    assert safe_file_name('..\\x?*:|"<>.csv') == "x.csv"
    assert safe_file_name("...") == ""


def live(text: str, key: str = EXO) -> dict[str, Any]:
    """Return what is said of a text, in English."""
    with override("en"):
        return live_check_context(
            check_decklist_text(DeckRules(format=load_format(key)), text=text), text
        )


@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_legal_list_fits_in_every_zone(key: str) -> None:
    found = live(sample_deck(key, 1), key)
    assert found["decklist"].legal
    assert all(total["fits"] for total in found["totals"])
    assert [total["label"] for total in found["totals"]] == [
        str(zone.label) for zone in load_format(key).zones
    ]


@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        (EXO, ["1", "30", "0–5", "0–6"]),
        ("doomtrooper-original", ["at least 60", "25 or none"]),
        ("yugioh-2009", ["at least 40", "", "15 or none"]),
    ],
)
def test_the_sizes_in_words(key: str, allowed: list[str]) -> None:
    assert [total["allowed"] for total in live("1 Eco", key)["totals"]] == allowed


def test_a_problem_quotes_its_lines_but_not_twice() -> None:
    found = live("Main\n2 Lupo\n0 Nulla\n# 1 Lupo\n\nSide\nLUPO x1")
    lines = {problem.text[:30]: problem.lines for problem in found["problems"] if problem.lines}
    copies = next(refs for text, refs in lines.items() if "Lupo" in text)
    assert [(ref["number"], ref["text"]) for ref in copies] == [(2, "2 Lupo"), (7, "LUPO x1")]
    unread = next(refs for text, refs in lines.items() if text.startswith("Line 3"))
    assert [(ref["number"], ref["text"]) for ref in unread] == [(3, "")]


def test_more_problems_than_can_be_read_are_counted() -> None:
    found = live("\n".join(f"0 Carta {number}" for number in range(500)))
    assert len(found["problems"]) == MOST_SHOWN
    assert found["more"] > 400


@pytest.mark.django_db
def test_a_suggestion_mends_the_line_that_it_is_about() -> None:
    by = make.organiser()
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    event = make.open_event(by, format=EXO, decklists="required")
    name = sample_catalogue(EXO)[0].name
    text = f"Leader\n1 {name}k"
    found = live_decklist_check(event, text)
    assert found is not None
    offered = next(problem.suggestions for problem in found["problems"] if problem.suggestions)
    assert offered[0].name == name
    order = json.loads(offered[0].value)
    assert order["becomes"] == name
    assert replace_name(text, order["line"], order["card"], name) == f"Leader\n1 {name}"


def test_the_short_fingerprint_is_in_two_groups() -> None:
    assert short_fingerprint("0123456789abcdef") == "0123 4567"


@pytest.mark.parametrize(("former", "present"), FORMER_TEMPLATES.items())
def test_a_reason_stored_under_its_former_wording_is_shown_in_the_present_one(former, present):
    names = set(re.findall(r"%\((\w+)\)s", former))
    stored = {"template": former, "values": dict.fromkeys(names, "7")}
    sentence = sentence_from_json(stored)
    assert sentence.template == present
    assert set(re.findall(r"%\((\w+)\)s", present)) == names
    with override("it"):
        assert translate(sentence) != str(sentence)
