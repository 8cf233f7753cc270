"""check_deck: exit codes and answers."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from decks.decklists.samples import sample_deck
from tests.decks.readers.files import workbook

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"
CLOSED = "</cockatrice_deck>"


def run(*arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        with override("en"):
            call_command("check_deck", *arguments, stdout=out)
    except SystemExit as left:
        return int(str(left.code)), out.getvalue()
    except CommandError as refused:
        return refused.returncode, out.getvalue()
    return 0, out.getvalue()


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_a_legal_list_is_0(tmp_path: Path) -> None:
    code, out = run(EXO, write(tmp_path, "list.txt", sample_deck(EXO, 1)))
    assert code == 0
    assert out.startswith("The list is legal.")


@pytest.mark.parametrize("text", ["", "\n# nulla\n", "0 Nulla", "Main\n31 Brace"])
def test_an_illegal_list_is_1(tmp_path: Path, text: str) -> None:
    code, out = run(EXO, write(tmp_path, "list.txt", text))
    assert code == 1
    assert "Error: Main deck, cards:" in out


def test_json_out_is_the_answer_of_the_api(tmp_path: Path) -> None:
    code, out = run(EXO, write(tmp_path, "list", "\ufeff29 Brace"), "--json")
    answer = json.loads(out)
    assert code == 1
    assert answer["counts"]["main"] == 29
    assert {"format", "legal", "zones", "violations"} <= answer.keys()


@pytest.mark.parametrize("name", ["list.json", "list.txt"])
def test_json_in_by_ending_or_type(tmp_path: Path, name: str) -> None:
    content = json.dumps({"zones": {"main": [{"name": "Brace", "count": 30}]}})
    extra = [] if name.endswith("json") else ["--type", "json"]
    code, out = run(EXO, write(tmp_path, name, content), "--json", *extra)
    assert code == 1
    assert json.loads(out)["counts"]["main"] == 30


def test_json_may_hold_a_text(tmp_path: Path) -> None:
    content = json.dumps({"text": sample_deck(EXO, 2), "language": "it"})
    assert run(EXO, write(tmp_path, "list.json", content))[0] == 0


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sample_deck(EXO, 3).encode())))
    assert run(EXO, "-")[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("Brace"))
    assert run(EXO, "-")[0] == 1


@pytest.mark.parametrize(
    ("format_key", "name", "content"),
    [
        ("chess", "list.txt", "Brace"),
        (EXO, "list.txt", b"\xff\xfe\x00"),
        (EXO, "list.txt", "Brace\x00"),
        (EXO, "list.txt", "a" * 70_000),
        (EXO, "list.xlsx", b"PK\x03\x04\xff"),
        (EXO, "list.json", "{"),
        (EXO, "list.json", "[]"),
        (EXO, "list.json", "{}"),
        (EXO, "list.json", '{"text": "a", "text": "b"}'),
        (EXO, "list.json", ""),
        (EXO, "list.csv", "carta;carta\na;b"),
        (EXO, "list.csv", "2 Brace"),
        (EXO, "list.csv", 'nome\n"Brace'),
        (EXO, "list.xlsx", "nome\nBrace"),
        (EXO, "list.xlsx", b"\x89PNG\r\n\x1a\n\x00"),
        (EXO, "list.cod", ""),
        (EXO, "list.cod", "<deck/>"),
        (EXO, "list.cod", "<!DOCTYPE a [<!ENTITY b 'c'>]><cockatrice_deck/>"),
        (EXO, "list", b"\x81\x8d"),
        (EXO, "list.json", '{"zones": 4}'),
        (EXO, "list.json", '{"text": 4}'),
        (EXO, "list.json", "[" * 100_000),
    ],
)
def test_what_cannot_be_read_is_2(
    tmp_path: Path, format_key: str, name: str, content: str | bytes
) -> None:
    code, out = run(format_key, write(tmp_path, name, content))
    assert (code, out) == (2, "")


def test_a_missing_file_is_2(tmp_path: Path) -> None:
    assert run(EXO, str(tmp_path / "none.txt"))[0] == 2
    assert run(EXO, str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    ("name", "content", "size"),
    [
        ("list.csv", "nome;copie\nBrace;29", 29),
        ("list.csv", "", 0),
        ("list.xlsx", workbook([["nome", "copie"], ["Brace", 29]]), 29),
        ("list.xlsx", workbook([[]]), 0),
        ("list.ydk", "#main\n12\n12\n!side\n", 2),
        ("list.ydk", "#main\nBrace", 0),
        (
            "list.cod",
            '<cockatrice_deck><zone name="main"><card name="A"/></zone></cockatrice_deck>',
            1,
        ),
        ("list.txt", "29 Città".encode("cp1252"), 29),
        ("list.txt", '{"text": "Brace"}', 0),
        ("LIST.CSV", "nome\nBrace", 1),
    ],
)
def test_a_file_of_every_type_is_read(
    tmp_path: Path, name: str, content: str | bytes, size: int
) -> None:
    code, out = run(EXO, write(tmp_path, name, content), "--json")
    assert code == 1
    assert json.loads(out)["counts"]["main"] == size


def test_the_type_may_be_forced_and_standard_input_binary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "list.txt", "nome\nBrace")
    assert json.loads(run(EXO, path, "--json")[1])["counts"]["main"] == 2
    assert json.loads(run(EXO, path, "--json", "--type", "csv")[1])["counts"]["main"] == 1
    for kind in ([], ["--type", "xlsx"]):
        sent = io.BytesIO(workbook([["nome"], ["Brace"]]))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(sent))
        code, out = run(EXO, "-", "--json", *kind)
        assert (code, json.loads(out)["counts"]["main"]) == (1, 1)
    assert run(EXO, path, "--type", "pdf")[0] == 2
