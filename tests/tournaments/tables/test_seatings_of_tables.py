"""Where everybody sits at tables of three and more: pages, screen and paper, in order of seats."""

import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.names import as_listed
from tournaments.models import Match
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.screen.selectors import parts_due

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return an event of five: a table of four, and a bye."""
    return make.playing(by, 5, **make.TABLES)


def text_of(answer):
    """Return the words of a page, without its tags."""
    return re.sub(r"<[^>]+>", " ", answer.content.decode())


def seated(event):
    return (
        Match.objects.exclude(match_seats__number=5)
        .get(round__event=event, match_seats__number=4)
        .players
    )


def sheet(event, by, name):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    answer = client.get(f"/events/{event.slug}/print/{name}.pdf")
    assert answer.status_code == 200
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def test_each_player_has_a_seat_and_the_rest_a_bye(event):
    shown = pairings_page(load_facts(event, drafts=False))
    seats = {row.entry.pk: (row.seat, len(row.others)) for row in shown.names}
    expected = {player.pk: (at, 3) for at, player in enumerate(seated(event), start=1)}
    assert sorted(seats.values(), key=str) == [(1, 3), (2, 3), (3, 3), (4, 3), (None, 0)]
    assert expected.items() <= seats.items()


def test_the_page_says_seats_and_who_begins(event):
    client = Client(headers={"accept-language": "en"})
    text = text_of(client.get(reverse("tournaments:pairings", args=[event.slug])))
    assert [text.count(f"seat {seat}") for seat in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert text.count("begins") == 2  # by name, and by table
    names = [player.display_name for player in seated(event)]
    by_table = text.rpartition("By table")[2]
    assert sorted(names, key=by_table.index) == names


def test_two_who_play_have_an_opponent_and_no_seat(by):
    event = make.playing(by, 4, formula="swiss-cut")
    shown = pairings_page(load_facts(event, drafts=False))
    assert {(row.seat, len(row.others)) for row in shown.names} == {(None, 1)}
    text = text_of(Client().get(reverse("tournaments:pairings", args=[event.slug])))
    assert "begins" not in text


def test_few_tables_are_on_the_screen_by_table_and_many_by_name(event, by, monkeypatch):
    screen = parts_due(load_facts(event, drafts=False))
    assert [row.table for column in screen.tables for row in column] == [1, None]
    assert screen.names == ()
    client = Client(headers={"accept-language": "en"})
    drawn = client.get(reverse("tournaments:screen", args=[event.slug])).content.decode()
    assert drawn.count('class="seat-number begins">1<') == 1
    assert "Seat 1 begins" in drawn
    assert "the small one your seat" in drawn
    monkeypatch.setattr("tournaments.screen.selectors.FEW_TABLES", 1)
    screen = parts_due(load_facts(event, drafts=False))
    assert screen.tables == ()
    assert len([row for page in screen.names for c in page["columns"] for row in c]) == 5


def test_paper_says_seats_and_who_begins(event, by):
    names = [as_listed(player) for player in seated(event)]
    by_name = sheet(event, by, "pairings")
    assert [by_name.count(f"seat {seat}") for seat in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert "seat 1 · begins" in by_name
    for name, words in (
        ("tables", ("begins",)),
        ("slips", ("begins", "Drawn between", "concedes")),
    ):
        text = sheet(event, by, name)
        order = [text.index(str(each.surname)) for each in names]
        assert order == sorted(order), name
        assert all(word in text for word in words)
    assert all(str(each.surname) in sheet(event, by, "blank") for each in names)
