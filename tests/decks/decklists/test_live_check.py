"""A list while it is written: totals, lines, suggestions."""

import json
from typing import Any

import pytest
from django.utils.translation import override

from decks.cards.samples import sample_catalogue
from decks.cards.services import load_cards
from decks.checking import check_text
from decks.decklists.live_check import MOST_SHOWN, live_check
from decks.decklists.samples import sample_deck
from decks.decklists.selectors import short_fingerprint
from decks.rulebook import DeckRules, deck_format
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.render import replace_name
from tests import factories as make
from tournaments.decklists.selectors.rules import check_of

EXO = "creatures-of-exo"


def live(text: str, key: str = EXO) -> dict[str, Any]:
    """Return what is said of a text, in English."""
    with override("en"):
        return live_check(check_text(DeckRules(format=deck_format(key)), text=text), text)


@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_legal_list_fits_in_every_zone(key: str) -> None:
    found = live(sample_deck(key, 1), key)
    assert found["decklist"].legal
    assert all(total["fits"] for total in found["totals"])
    assert [total["label"] for total in found["totals"]] == [
        str(zone.label) for zone in deck_format(key).zones
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
    lines = {problem.text[:9]: problem.lines for problem in found["problems"] if problem.lines}
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
    found = check_of(event, text)
    assert found is not None
    offered = next(problem.suggestions for problem in found["problems"] if problem.suggestions)
    assert offered[0].name == name
    assert replace_name(text, *json.loads(offered[0].value)) == f"Leader\n1 {name}"


def test_the_short_fingerprint_is_in_two_groups() -> None:
    assert short_fingerprint("0123456789abcdef") == "0123 4567"
