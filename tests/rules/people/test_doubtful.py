"""Stored players whose name or club may be a cell of a table that was read wrongly."""

import pytest

from rules.people.person_names import doubts


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (("anna@example.org", ""), ["The name holds an e-mail address."]),
        (
            ("Anna", "Drago; anna@example.org"),
            ["The club, which is public, holds an e-mail address.", "A “;” stands"],
        ),
        (("Anna", "Drago; 2", 3), ["A “;” stands", "The byes may come from"]),
        (("Rossi; Anna", ""), ["A “;” stands"]),
        (("Anna 3331234567", ""), ["The name or the club holds a phone number"]),
        (("Anna", "Drago 3331234567"), ["The name or the club holds a phone number"]),
        (("#N/A", ""), ["The name or the club is what a spreadsheet"]),
        (("Anna", "3.12E+08"), ["The name or the club is what a spreadsheet"]),
        (("<players>", ""), ["The name is a tag"]),
        (("Anna Rossi Rossi", ""), ["The surname may stand twice"]),
        (("De Luca Ugo De Luca", ""), ["The surname may stand twice"]),
        (("Nora Nora", ""), ["The surname may stand twice"]),
        (("Anna De Luca De Luca", ""), ["The surname may stand twice"]),
        (("Anna\u3164", ""), ["The name holds invisible characters."]),
        (("Anna", "Drago\u2800"), ["The club’s name holds invisible characters."]),
        (("🐉", ""), ["A name needs at least one letter or digit."]),
    ],
)
def test_what_looks_like_a_cell_is_named(player, words):
    found = list(map(str, doubts(*player)))
    assert len(found) == len(words)
    assert all(told.startswith(begin) for told, begin in zip(found, words, strict=True))


@pytest.mark.parametrize(
    ("name", "club", "byes"),
    [("Anna Rossi", "Drago, sezione Blu", 2), ("Nora", "", 0), ("Anna Rossi Bo", "", 0)],
)
def test_usual_players_are_not(name, club, byes):
    assert list(doubts(name, club, byes)) == []
