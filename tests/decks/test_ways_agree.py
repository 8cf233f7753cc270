"""The API, an upload, a hand-in, the page and the command say the same of a list."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override

from decks.checking import check_decklist_text
from decks.decklists.samples import sample_deck
from decks.decklists.services import store_decklist, store_decklist_file
from decks.readers.kinds import convert_to_list_text
from decks.rulebook import current_rules
from tests import factories as make
from tests.browsers import signed_in
from tests.decks.readers.files import shipped, workbook
from tournaments.core.permissions import Actor
from tournaments.decklists.selectors.rules import live_decklist_check
from tournaments.models import Entry

pytestmark = pytest.mark.django_db
KEY = "yugioh-2009"
LISTS = {
    "parts": "3 Lupo\n2 Orso\n\n1 Drago\n\n1 Volpe",
    "named parts": "# Main\n3 Lupo\n\n**Extra**\n1 Drago\n\nSide:\n1 Volpe",
    "cells": "Lupo\t3\nOrso;2\n1: Volpe",
    "a doubtful line": "3. Lupo\n2 Orso",
    "another program": "Deck\n3 Lupo (EXO) 12\n\nSideboard\n1 Volpe (EXO) 3a",
    "another program, parts": "3 Lupo (EXO) 12\n\n1 Volpe (EXO) 3a",
    "a forum": "[b]Main[/b]\n3 [card]Lupo[/card]\n[b]Side (1)[/b]\n[*]1 [[Volpe]]",
    "several cards on a line": "3 Lupo, 2 Orso\n1 Volpe",
    "counts behind": "Lupo 3\nOrso 2\nVolpe 1",
    "a card behind its zone": "3 Lupo\nSide: Volpe",
    "a table that tells its delimiter": '"sep=;"\nnome;copie\nLupo;3\nVolpe;1',
    "ids": "#main\n89631139\n#extra\n23995346",
    "a table": "nome;copie\nLupo;3\nVolpe;1",
    "a table, parts": "Carta\tCopie\nLupo\t3\n\t\nVolpe\t1",
    "a table, other columns": "nome;copie;prezzo;foil\nLupo;3;4,50;no\nVolpe;1;2,00;no",
    "json": '{"text": "3 Lupo\\n\\n1 Volpe"}',
}
ASKED = {
    "parts": [[1, 2], [4, 4], [6, 6]],
    "another program, parts": [[1, 1], [3, 3]],
    "a table, parts": [[2, 2], [4, 4]],
    "json": [[1, 1], [3, 3]],
}


def said(data) -> tuple[object, ...]:
    """Return what an answer says, without the wording."""
    faults = [(v["code"], v["zone"], v["line"], v.get("lines")) for v in data["violations"]]
    return data["legal"], data["counts"], faults


def errors(violations) -> list[str]:
    """Return the codes of what makes a list illegal, or may."""
    return [each["code"] for each in violations if each["code"] != "card.unknown"]


@pytest.mark.parametrize("name", LISTS)
def test_every_way_in_says_the_same(name: str, client: Client, by: Actor, tmp_path: Path) -> None:
    text = LISTS[name]
    event = make.open_event(by, format=KEY, decklists="required")
    (player,) = make.players(event, 1, by)
    body = json.dumps({"text": text})
    answer = client.post(f"/api/v1/formats/{KEY}/validate/", body, content_type="application/json")
    data = answer.json()
    asked = [v for v in data["violations"] if v["code"] == "list.parts_unnamed"]
    assert [v.get("lines") for v in asked] == ([ASKED[name]] if name in ASKED else [])
    assert data["legal"] is False
    put = signed_in(by).put(
        f"/api/v1/events/{event.slug}/players/{player.number}/decklist/",
        body,
        content_type="application/json",
    )
    assert said(put.json()) == said(data)
    file, out = tmp_path / "lista", io.StringIO()  # the command believes an ending
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("check_deck", KEY, str(file), "--json", stdout=out)
    assert ended.value.code == 1
    assert said(json.loads(out.getvalue()))[:2] == said(data)[:2]
    rules = shipped(KEY)
    uploaded = store_decklist_file(rules=rules, content=text.encode(), filename="lista.txt")
    pasted = store_decklist(rules=rules, text=convert_to_list_text(text, rules))
    handed = Entry.objects.get(pk=player.pk).submission.decklist
    for stored in (uploaded, handed):
        assert (stored.legal, stored.counts, stored.text) == (
            *(pasted.legal, pasted.counts, pasted.text),
        )
        assert errors(stored.violations) == errors(data["violations"])
    with override("en"):
        live = live_decklist_check(event, uploaded.raw)
    assert live is not None
    assert (live["question"] is not None) is bool(asked)
    assert not live["decklist"].legal


def test_the_command_names_the_lines(tmp_path: Path) -> None:
    file, out = tmp_path / "lista.txt", io.StringIO()
    file.write_text(LISTS["parts"], encoding="utf-8")
    with override("en"), pytest.raises(SystemExit):
        call_command("check_deck", KEY, str(file), stdout=out)
    assert "Parts without a heading: 3 (lines 1–2, 4, 6)" in out.getvalue()


@pytest.mark.parametrize("language", ["en", "it"])
def test_columns_that_were_left_out_are_told_while_a_list_is_edited(language: str) -> None:
    with override(language):
        text = convert_to_list_text("Nome;Copie;Prezzo;Foil\nLupo;4;3,50;no\n", current_rules(KEY))
    for written in (text, f"{text}1 Orso\n"):
        faults = check_decklist_text(current_rules(KEY), text=written).violations
        assert [one.found for one in faults if one.code == "columns.left_out"] == [2]


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
    assert out.startswith("The decklist is legal.")


@pytest.mark.parametrize("text", ["", "\n# nulla\n", "0 Nulla", "Main\n31 Brace"])
def test_an_illegal_list_is_1(tmp_path: Path, text: str) -> None:
    code, out = run(EXO, write(tmp_path, "list.txt", text))
    assert code == 1
    assert "Error: Main deck:" in out


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
