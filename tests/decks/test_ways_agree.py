"""The API, an upload, a hand-in, the page and the command say the same of a list."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override

from decks.checking import check_text
from decks.decklists.services import store_decklist, store_file
from decks.readers.kinds import as_list
from decks.rulebook import rules_of
from tests import factories as make
from tests.browsers import signed_in
from tests.decks.readers.files import shipped
from tournaments.core.permissions import Actor
from tournaments.decklists.selectors.rules import check_of
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
    uploaded = store_file(rules=rules, content=text.encode(), filename="lista.txt")
    pasted = store_decklist(rules=rules, text=as_list(text, rules))
    handed = Entry.objects.get(pk=player.pk).submission.decklist
    for stored in (uploaded, handed):
        assert (stored.legal, stored.counts, stored.text) == (
            *(pasted.legal, pasted.counts, pasted.text),
        )
        assert errors(stored.violations) == errors(data["violations"])
    with override("en"):
        live = check_of(event, uploaded.raw)
    assert live is not None
    assert (live["question"] is not None) is bool(asked)
    assert not live["decklist"].legal


def test_the_command_names_the_lines(tmp_path: Path) -> None:
    file, out = tmp_path / "lista.txt", io.StringIO()
    file.write_text(LISTS["parts"], encoding="utf-8")
    with override("en"), pytest.raises(SystemExit):
        call_command("check_deck", KEY, str(file), stdout=out)
    assert "split the list into 3 parts (lines 1–2, 4, 6)" in out.getvalue()


@pytest.mark.parametrize("language", ["en", "it"])
def test_columns_that_were_left_out_are_told_while_a_list_is_edited(language: str) -> None:
    with override(language):
        text = as_list("Nome;Copie;Prezzo;Foil\nLupo;4;3,50;no\n", rules_of(KEY))
    for written in (text, f"{text}1 Orso\n"):
        faults = check_text(rules_of(KEY), text=written).violations
        assert [one.found for one in faults if one.code == "columns.left_out"] == [2]
