"""What pages tell of a finished event of tables: its figures, and a player's company."""

import re

import pytest
from django.test import Client

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import ENGLISH, page
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def drawn_once(match, index):
    return Claim(drawn=(1, 2)) if index == 1 else Claim(first=1)


def test_figures_of_a_finished_event_count_seats_and_drawn_tables(by):
    event = make.play_event(make.started(by, 8, **make.TABLES), by, drawn_once)
    said = " ".join(re.sub(r"<[^>]+>", " ", page(Client(headers=ENGLISH), "event", event)).split())
    assert "matches 5 " in said  # two rounds of two tables, and the final
    assert "draws 40 %" in said
    assert "matches for each player 2.5" in said


def test_a_players_page_names_the_whole_company_with_the_seat_and_the_place(by):
    event = make.played(by, 7, **make.TABLES)
    match = (
        Match.objects.exclude(match_seats__number=4)
        .filter(round__event=event, match_seats__number=3)
        .order_by("pk")[0]
    )
    entry, *others = match.players
    said = page(Client(headers=ENGLISH), "player", event, entry.number)
    lines = said[said.index('class="match-lines"') :]
    names = re.findall(r"<bdi[^>]*>([^<]+)</bdi>", lines)
    assert {other.display_name for other in others} <= {*names}
    assert "seat 1" in re.sub(r"\s+", " ", lines)


def test_pairings_say_points_as_people_count_them(by):
    event = make.halfway(by, 7, **make.TABLES)
    make.next_round(event, by)
    said = page(Client(headers=ENGLISH), "pairings", event)
    assert sorted(re.findall(r"<small>\(([^)]+)\)</small>", said)) == ["0"] * 5 + ["5"] * 2
