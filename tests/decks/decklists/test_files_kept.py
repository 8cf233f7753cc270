"""Files that were handed in: what is kept of them, and how they are given back."""

import pytest
from django.http import Http404, HttpResponse

from decks.decklists.samples import sample_deck
from decks.decklists.selectors import deck_of
from decks.decklists.services import (
    AS_SENT,
    clean_file_name,
    download_of,
    safe_name,
    store_decklist,
    store_file,
)
from decks.models import Decklist
from decks.writers import WRITERS
from rules.deckbuilding.formats import FORMATS
from tests.decks.readers.files import names, read, shipped, workbook

EXO = "creatures-of-exo"
TABLE = [["nome", "copie", "zona"], ["Brace", 2, "main"], ["Nulla", 0, "side"]]


def store(content: bytes, filename: str = "lista.xlsx", name: str = "") -> Decklist:
    """Return a list stored out of a file, read again from the database."""
    made = store_file(rules=shipped(EXO), content=content, filename=filename, name=name)
    return Decklist.objects.get(pk=made.pk)


@pytest.mark.django_db
def test_a_file_is_kept_beside_the_list_in_writing() -> None:
    content = workbook(TABLE)
    stored = store(content)
    assert (bytes(stored.upload or b""), stored.upload_name) == (content, "lista.xlsx")
    assert stored.raw == "Mazzo principale\n2 Brace\n? Nulla | 0 | side :\n"
    assert names(deck_of(stored)) == {"main": [(2, "Brace")]}
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
    answer = download_of(stored, kind)
    assert is_attachment(answer)
    assert f'filename="lista{WRITERS.get(kind).ending}"' in answer["Content-Disposition"]
    again = read(answer.content, f"a{WRITERS.get(kind).ending}", key=key).checked
    assert again.legal
    assert again.deck.zones == deck_of(stored).zones


@pytest.mark.django_db
def test_the_file_as_it_was_sent_is_bytes_to_a_browser() -> None:
    stored = store(b"<html><script>alert(1)</script>", 'a"b;<x>\u00e8.html')
    answer = download_of(stored, AS_SENT)
    assert is_attachment(answer)
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''abx%C3%A8.html"
    assert answer.content == bytes(stored.upload or b"")


@pytest.mark.django_db
def test_what_is_not_there_is_not_found() -> None:
    stored = store_decklist(rules=shipped(EXO), text="2 Brace")
    for kind in (AS_SENT, "pdf", ""):
        with pytest.raises(Http404):
            download_of(stored, kind)
    assert download_of(stored, "text")["Content-Disposition"] == (
        'attachment; filename="creatures-of-exo.txt"'
    )


def test_a_safe_name_is_no_path_wildcard_or_hidden_file() -> None:
    assert safe_name('..\\x?*:|"<>.csv') == "x.csv"
    assert safe_name("...") == ""
