"""Tables of three and more in the workbooks and in CSV: what the API tells, a row a seat."""

import csv
from fractions import Fraction
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.utils import translation
from openpyxl import load_workbook

from rules.matches.match_rules import Claim
from rules.results import SeatMark
from tests import factories as make
from tests.browsers import ENGLISH, url
from tests.told.handed_out import rows_of_result
from tests.tournaments.exports.books import book, rows
from tournaments.core.event_state import load_facts
from tournaments.exports.handout.file import standings_workbook
from tournaments.models import Event, Match
from tournaments.players.services.departures import withdraw
from tournaments.results.services.results import decide_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Seven with points by place: at one table somebody was absent, at the other two shared."""
    event = make.playing(by, 7, **make.TABLES, table_points={"preset": "places"})
    four, three = sorted(Match.objects.filter(round__event=event), key=lambda match: -match.size)
    absent = Claim(order=(2, 1, None, 3), marks=((3, SeatMark.ABSENT), (4, SeatMark.CONCEDED)))
    for match, claim in ((four, absent), (three, Claim(order=(1, 2, 2)))):
        decide_result(match=match, version=0, claim=claim, by=by)
    return event


def handed_out(event, language):
    with translation.override(language):
        return load_workbook(BytesIO(standings_workbook(event, staff=False)))


def matches(event):
    return Client().get(f"/api/v1/events/{event.slug}/matches/").json()["results"]


def told(event):
    """Return what the API tells of each seat: round, table, seat, number, place and mark."""
    return [
        (row["round"], row["table"], seat, number, (row["places"] or {})[seat - 1], mark)
        for row in matches(event)
        for seat, number in enumerate(row["seats"], start=1)
        for mark in [row["marks"].get(str(seat), "").replace("conceded", "concedes") or None]
    ]


def test_the_archive_has_a_row_a_seat_as_the_api_tells(event):
    sheet = book(event)["Tables"]
    heads = [cell.value for cell in sheet[1]]
    assert heads[3:] == ["Table", "Seat", "Number", "Player", "Place", "Points", "Note"]
    found = rows(sheet)
    assert sorted((r[1], *r[3:6], r[7], r[9]) for r in found) == sorted(
        told(event), key=lambda r: r[:3]
    )
    names = dict(event.entries.values_list("number", "name"))
    assert [row[6] for row in found] == [names[row[5]] for row in found]
    (stage, *_later) = load_facts(event).stages
    standings = stage.outcome.standings["tables"].rows
    assert {row[5]: Fraction(row[8]) for row in found} == {
        row.player: row.values["points"] for row in standings
    }
    winners = {row[9] for row in rows(book(event)["Results"])}
    assert winners == {names[seats[0]] for seats in _first(event)}


def _first(event):
    """Return the seats on place 1 of each table."""
    return [
        [number for number, place in zip(row["seats"], row["places"], strict=True) if place == 1]
        for row in matches(event)
    ]


def test_the_file_to_hand_out_has_them_in_the_readers_language(event):
    sheet = handed_out(event, "it")["Tavoli"]
    heads, *found = sheet.iter_rows(values_only=True)
    wanted = ("Tavolo", "Posto", "Numero", "Giocatore", "Piazzamento", "Punti", "Nota")
    assert heads[1:] == wanted
    assert len(found) == 7
    assert {row[-1] for row in found} == {None, "assente", "resa"}
    assert "Incontri" not in handed_out(event, "it").sheetnames


def test_byes_stand_without_a_place_and_open_tables_without_points(by):
    options = {"rounds": 2, "cut": 4, "sizes": [4]}
    event = make.playing(by, 5, **make.TABLES | {"options": options})
    found = rows(book(event)["Tables"])
    assert [row[7:] for row in found] == [(None, None, None)] * 4 + [(None, 5, "bye")]


@pytest.mark.deep
def test_points_by_round_add_up_to_the_standings(by):
    event = make.played(by, 11, **make.TABLES)
    points = next(one for one in book(event) if one.title.startswith("Points"))
    made = {row[2]: row[-1] for row in rows(points)}
    (stage, *_later) = load_facts(event).stages
    assert made == {
        row.player: row.values["points"] for row in stage.outcome.standings["tables"].rows
    }


def test_matches_in_csv_have_seats_places_and_marks(event):
    text = Client(headers=ENGLISH).get(url("csv-matches", event)).content.decode("utf-8-sig")
    found = list(csv.DictReader(StringIO(text)))
    by_size = {len(row["seats"].split("–")): row for row in found}
    assert by_size[4]["places"] == "2 1 – 3"
    assert by_size[4]["marks"] == "3:absent 4:conceded"
    assert by_size[3]["places"] == "1–2–2"
    assert [row["seats"] for row in found] == [
        "–".join(map(str, r["seats"])) for r in matches(event)
    ]


@pytest.mark.deep
def test_the_result_says_where_each_went_out_of_a_cut_by_tables(by):
    event = make.halfway(by, 8, **make.TABLES | {"options": {"rounds": 2, "cut": 7}})
    gone = event.entries.order_by("number").last()
    withdraw(entry=gone, by=by)
    make.play_event(Event.objects.get(pk=event.pk), by)
    rows_told = rows_of_result(handed_out(event, "en")["Result"])
    told = {row["Player"]: row["Out"] for row in rows_told}
    ranked = [player for level in load_facts(event).ranking for player in level]
    names = dict(event.entries.values_list("number", "name"))
    out = [told[names[number]] for number in ranked]
    assert out[:4] == ["Final · 1st"] + ["Final · 2nd"] * 3
    assert out[4:7] == ["best 7"] * 3
    assert out[7:] == ["Dropped · Round 1"]


def test_the_archive_says_what_a_table_is_worth(event):
    told = [tuple(cell.value for cell in row) for row in book(event)["Event"].iter_rows()]
    points = [words for name, words in told if name.startswith("Points")]
    assert len(points) == 2
    assert points[0].startswith("Points by place: ")
    assert points[1].startswith("Points for a bye: ")
