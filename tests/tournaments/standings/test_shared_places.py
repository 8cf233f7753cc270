"""A place that several share is told as shared, wherever it is told."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from lxml import html
from openpyxl import load_workbook

from rules.matches.match_rules import Claim
from rules.results import Winner
from tests import factories as make
from tests.browsers import read, url
from tests.told.handed_out import csv_rows
from tests.told.reading import api
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.models import Event, Match
from tournaments.paper.contents import tables
from tournaments.personal.selectors.player import player_page
from tournaments.player_pages.selectors import player_page_context
from tournaments.sharing.views import picture_content
from tournaments.standings.selectors.ranking import final_standings, ranking_page

pytestmark = pytest.mark.django_db
KNOCKOUT = {"formula": "single-elimination", "format": "creatures-of-exo"}
RANKS = ["1", "2", "=3", "=3", *["=5"] * 4]


@pytest.fixture(params=["no match for third place", "a match for third place not played"])
def event(by, request) -> Event:
    """Return a finished knock-out of eight whose third place nobody won."""
    options = {"third_place": request.param != "no match for third place"}
    return make.play_event(make.started(by, 8, options=options, **KNOCKOUT), by, left_out)


def left_out(match: Match, index: int) -> Claim:
    """Return that a wins, of a match for third place that it is not played."""
    third = load_facts(match.round.event).open_stage.plan.third_place and match.number == 7
    return Claim(winner=Winner.VOID) if third else make.a_wins(match, index)


def seen(page: str, path: str) -> list[str]:
    """Return what somebody sees in elements of a page, without the words for who hears it."""
    return [_seen(each) for each in html.fromstring(page).xpath(path)]


def _seen(element: Any) -> str:
    for hidden in element.xpath(".//*[@class='visually-hidden']"):
        hidden.drop_tree()
    return str(element.text_content()).strip()


def on_pages(facts: EventFacts) -> dict[str, list[str]]:
    event, reader = facts.event, Client()
    page = read(reader, url("standings", event))
    screen = read(reader, url("screen", event))
    return {
        "final standings": seen(page, "//table[@id='final']/tbody/tr/td[1]"),
        "podium": seen(page, "//ol[contains(@class, 'steps')]//*[contains(@class, 'rank-disc')]"),
        "screen": seen(screen, "//section[contains(@class, 'podium')]//span[@class='table']"),
    }


def of_players(facts: EventFacts) -> dict[str, list[str]]:
    """Return what is told of each player, in the order of the ranking."""
    numbers = [row.entry.number for row in ranking_page(facts).rows]
    entries = {each.number: each for each in facts.event.entries.select_related("event")}
    return {
        "own page": [player_page(facts, entries[one]).seat.figure for one in numbers],
        "public page": [player_page_context(facts, one)["figures"][0][0] for one in numbers],
    }


def in_files(facts: EventFacts) -> dict[str, list[str]]:
    paper = tables.standings_sheet(facts, timezone.now())["tables"][0]["rows"]
    book = Client().get(url("workbook", facts.event)).content
    sheet = load_workbook(BytesIO(book)).worksheets[0]
    cells = [row[0] for row in sheet.iter_rows(min_row=8, max_row=15)]
    marks = {"0": "", '"="0': "="}
    return {
        "paper": [row["rank"] for row in paper],
        "picture": [row["rank"] for row in picture_content(facts, "event")["rows"]],
        "workbook": [f"{marks[cell.number_format]}{cell.value}" for cell in cells],
    }


@pytest.mark.deep
def test_every_surface_tells_a_shared_place_as_shared(event):
    facts = load_facts(event, for_staff=False)
    with override("en"):
        told = on_pages(facts) | in_files(facts)
        for where, ranks in told.items():
            wanted = RANKS[: len(ranks)] if "podium" in where else RANKS
            assert ranks == wanted, where
    with override("en"):  # a request leaves another language behind
        for where, ranks in of_players(facts).items():
            assert ranks == ["1st", "2nd", "=3rd", "=3rd", *["=5th"] * 4], where


def test_what_a_disc_holds_is_one_element(event):
    """It is laid out as a grid: the sign would stand above the figure."""
    page = html.fromstring(read(Client(), url("event", event)))
    discs = page.xpath("//*[contains(@class, 'rank-disc')]")
    assert {(len(disc), bool((disc.text or "").strip())) for disc in discs} == {
        (0, True),
        (1, False),
    }


def test_programs_read_that_a_place_is_shared(event):
    facts = load_facts(event, for_staff=False)
    shared = [rank.startswith("=") for rank in RANKS]
    assert [row["shared"] for row in api(facts, "ranking/")] == shared
    rows = csv_rows(facts, "ranking.csv")
    assert [row["shared"] for row in rows] == [str(one).lower() for one in shared]
    assert {row["rank"] for row in rows} == {"1", "2", "3", "5"}


@pytest.mark.parametrize(
    ("language", "title", "figure"),
    [
        ("en", "=5th of 8", "=5th"),
        ("it", "=5º su 8", "=5º"),
    ],
)
def test_own_page_and_picture_say_it_in_the_same_words(event, language, title, figure):
    facts = load_facts(event, for_staff=False)
    number = ranking_page(facts).rows[-1].entry.number
    entry = event.entries.select_related("event").get(number=number)
    with override(language):
        seat = player_page(facts, entry).seat
        picture = picture_content(facts, "player", number)
    assert (seat.title, seat.figure) == (title, figure)
    assert picture["lines"][0] == title
    assert picture["face"]["medal"] == "=5"


@pytest.mark.deep
def test_a_picture_shows_steps_only_of_places_that_nobody_shares(event, by):
    facts = load_facts(event, for_staff=False)
    assert final_standings(facts)["winner"] is not None
    assert picture_content(facts, "event")["people"] == []
    alone = make.played(by, 8, options={"third_place": True}, **KNOCKOUT)
    people = picture_content(load_facts(alone, for_staff=False), "event")["people"]
    assert [(each["rank"], bool(each["place"])) for each in people] == [
        (rank, True) for rank in (1, 2, 3)
    ]


def test_standings_on_the_screen_and_on_the_own_page_tell_shared_ranks(by):
    values = {"options": {"rounds": 2, "cut": 2}, "format": "creatures-of-exo"}
    event = make.playing(by, 4, formula="swiss-cut", **values)
    make.play_round(event.rounds.get(), by, lambda match, _index: Claim(score=(1, 1)))
    Event.objects.filter(pk=event.pk).update(screen_view=Event.ScreenView.STANDINGS)
    screen = read(Client(), url("screen", event))
    ranks = seen(screen, "//section[contains(@class, 'ranks')]//tbody/tr/td[1]")
    assert ranks == ["=1"] * 4
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    with override("en"):
        standings = [player_page(facts, one).standing for one in event.entries.all()]
    assert {(one.rank, one.ordinal) for one in standings} == {("=1", "=1st")}
