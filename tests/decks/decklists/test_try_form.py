"""The form in which a list is tried: a file is read, shown in writing, and not stored."""

from io import BytesIO

import pytest
from django.http import HttpResponse
from django.test import Client

from decks.decklists.samples import sample_deck
from decks.models import Decklist
from tests.decks.readers.files import workbook

URL = "/formats/creatures-of-exo/"


def send(client: Client, name: str, content: bytes, text: str = "") -> HttpResponse:
    file = BytesIO(content)
    file.name = name
    fields = {"file": file, "text": text}
    return client.post(URL, fields, headers={"Accept-Language": "en"})  # type: ignore[return-value]


@pytest.mark.django_db
def test_the_form_takes_files(client: Client) -> None:
    page = client.get(URL).content.decode()
    assert 'enctype="multipart/form-data"' in page
    assert 'accept=".cod,.dek,.json,.txt,.xlsx,.csv,.ydk,.ydke"' in page


@pytest.mark.django_db
def test_a_file_is_checked_and_shown_in_writing(client: Client) -> None:
    content = workbook([["nome", "copie"], ["Brace < Fuoco", 2], ["Nulla", 0]])
    answer = send(client, "lista.xlsx", content)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Line 3" in page
    assert "2 Brace &lt; Fuoco\n? Nulla | 0 :\n</textarea>" in page
    assert not Decklist.objects.exists()


@pytest.mark.django_db
def test_a_legal_file_is_legal_whatever_stands_in_the_text(client: Client) -> None:
    answer = send(client, "lista.txt", sample_deck("creatures-of-exo", 3).encode(), text="altro")
    assert "The decklist is legal." in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.xlsx", b"\x89PNG\r\n\x1a\n", "PNG files can’t be read."),
        ("a.txt", b" " * (1024 * 1024 + 1), "At most 1024 KiB."),
        (
            "a.csv",
            b"carta;carta\na;b",
            "Two columns have the same meaning: carta, carta. Rename or delete one.",
        ),
        ("a.csv", b"titolo\na", "Columns missing: name."),
        ("a.txt", b"a\x00", "The file can’t be read."),
    ],
)
def test_a_refused_file_has_its_sentence(
    client: Client, name: str, content: bytes, sentence: str
) -> None:
    answer = send(client, name, content)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()


@pytest.mark.django_db
def test_neither_text_nor_file_is_a_form_error(client: Client) -> None:
    answer = client.post(URL, {"text": ""}, headers={"Accept-Language": "en"})
    assert answer.status_code == 400
    assert "Paste a decklist or choose a file." in answer.content.decode()
