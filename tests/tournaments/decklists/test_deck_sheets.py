"""Printed sheets of lists: whose a judge and a player print, and what stands on them."""

import re

import pytest
from django.urls import reverse

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tournaments.decklists import services as decklists

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 6, decklists="required")


def test_everybodys_sheet_by_number(event, judge):
    page = text(signed_in(judge).get(url("deck-sheets", event)))
    assert page.count('<article class="sheet') == 6
    names = re.findall(r'<article class="sheet[ \w]*" aria-label="(\w+)"', page)
    assert names == [entry.name for entry in event.entries.order_by("number")]


def test_one_sheet_has_all_that_a_judge_compares(event, judge):
    decklist = event.entries.get(number=2).submission.decklist
    page = text(signed_in(judge).get(url("deck-sheet", event, 2)))
    mark = decklist.fingerprint
    for words in (
        event.name,
        "Bea",
        f"{mark[:4]} {mark[4:8]}",
        "The decklist is legal.",
        "signature",
    ):
        assert words in page
    sizes = re.findall(r"<h3>[^<]+<span>(\d+)</span></h3>", page)
    assert [int(size) for size in sizes] == [size for size in decklist.counts.values() if size]
    counts = re.findall(r'<span class="box" aria-hidden="true"></span><b>(\d+)</b>', page)
    assert sum(map(int, counts)) == sum(decklist.counts.values())


def test_a_player_prints_the_own_sheet_only(event, by):
    client = by_link(event.entries.get(number=3), by)
    page = text(client.get(url("my-sheet", event)))
    assert page.count('<article class="sheet') == 1
    assert 'aria-label="Carlo"' in page


def test_problems_and_numbers_stand_on_the_sheet(event, by, judge):
    entry = event.entries.get(number=1)
    decklists.submit_decklist(entry=entry, text="1 Carta sola", reason="Prova", by=by)
    page = text(signed_in(judge).get(url("deck-sheet", event, 1)))
    assert "sheet-problems" in page
    assert "error" in page
    written = "1 Carta sola (331)\n1 Altra carta (PLST) A25-141"
    decklists.submit_decklist(entry=entry, text=written, reason="Prova", by=by)
    page = " ".join(text(signed_in(judge).get(url("deck-sheet", event, 1))).split())
    assert "<bdi>Carta sola</bdi> <small>(#331)</small>" in page
    assert "<bdi>Altra carta</bdi> <small>(PLST A25-141)</small>" in page


def test_who_has_no_list_is_named(by):
    event = make.open_event(by, decklists="required")
    make.players(event, 2, by)
    decklists.submit_decklist(
        entry=event.entries.get(number=1), text=sample_deck(event.format, 1), by=by
    )
    client = signed_in(by)
    assert "Without a decklist:" in text(client.get(url("deck-sheets", event)))
    assert "No decklist submitted." in text(client.get(url("deck-sheet", event, 2)))
    assert client.get(url("deck-sheet", event, 3)).status_code == 404


@pytest.mark.parametrize("slug", ["creatures-of-exo", "doomtrooper-open", "yugioh-2009"])
def test_an_empty_sheet_of_every_format(client, slug):
    page = text(client.get(reverse("decks:sheet", args=[slug]), headers=ENGLISH))
    assert page.count("<li>") >= 40
    assert client.get("/formats/none-such/sheet/").status_code == 404
