"""A player's own page at a table of three and more: seat, report, confirm, contradict."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rules.matches.match_rules import Claim
from rules.results import Mark
from tests import factories as make
from tests.browsers import signed_in, url
from tournaments.core.permissions import Actor
from tournaments.models import Match
from tournaments.players.services import entries
from tournaments.results.services.results import say_absent

pytestmark = pytest.mark.django_db


class Table:
    """A table whose players each have a phone."""

    def __init__(self, by, **settings):
        self.event = make.playing(by, 4, **make.TABLES, **settings)
        self.phones = [self.phone(by, player) for player in self.match.players]

    @property
    def match(self):
        return Match.objects.get(round__event=self.event)

    def phone(self, by, player):
        client = Client(headers={"accept-language": "en"})
        client.get(reverse("tournaments:open-link", args=[entries.make_link(entry=player, by=by)]))
        return client

    def me(self, seat):
        page = self.phones[seat - 1].get(reverse("tournaments:me", args=[self.event.slug]))
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))

    def send(self, seat, name, **fields):
        url = reverse(f"tournaments:my-{name}", args=[self.event.slug, self.match.pk])
        answer = self.phones[seat - 1].post(url, {"version": self.match.version} | fields)
        return answer.status_code, self.match.state


@pytest.fixture
def table(by):
    return Table(by)


def test_the_page_says_table_seat_who_begins_and_the_company(table):
    names = [player.display_name for player in table.match.players]
    second = table.me(2)
    assert "You are seat 2 of 4" in second
    assert f"{names[0]} begins" in second
    assert all(f"{name} won" in second for name in (names[0], names[2], names[3]))
    assert "I won" in second
    assert "You begin" in table.me(1)


def test_one_tap_reports_and_more_than_half_make_it_final(table):
    assert table.send(1, "report", preset="3") == (302, "reported")
    third = table.me(3)
    assert "1 of 4 agree. 2 more are enough" in third
    assert "Yes, that is right" in third
    assert "Yes, that is right" not in table.me(1)
    assert table.send(2, "confirm") == (302, "reported")
    assert "One more is enough: then it is final" in table.me(4)
    assert table.send(4, "confirm") == (302, "final")
    assert table.match.decision.places == [2, 2, 1, 2]
    others = ", ".join(player.name for player in table.match.players[1:])
    assert f"With {others} :" in table.me(1)
    assert "It counts" in table.me(1)


def test_players_with_an_account_are_told_apart_too(by, table):
    first, second, *_others = table.match.players
    for player in (first, second):
        player.user = make.user()
        player.save()
    for seat, player in ((1, first), (2, second)):
        table.phones[seat - 1] = signed_in(Actor(user=player.user))
    assert table.send(1, "report", preset="3") == (302, "reported")
    assert table.send(2, "confirm") == (302, "reported")
    assert "2 of 4 agree. One more is enough" in table.me(4)
    assert "Yes, that is right" not in table.me(1)
    desk = signed_in(by).get(url("desk", table.event))
    assert desk.status_code == 200
    assert "2 of 4, one more is enough" in desk.content.decode()


def test_one_contradicts_and_a_judge_is_awaited_until_they_confirm(table):
    table.send(1, "report", preset="1")
    assert table.send(2, "contradict") == (302, "disputed")
    page = table.me(3)
    assert "says no" in page
    assert "A judge will come" in page
    assert table.send(2, "confirm") == (302, "reported")
    assert "agrees" in table.me(4)


def test_a_draw_names_who_was_left_and_a_concession_is_the_own(table):
    assert table.send(2, "report", preset="drawn", drawn=["1", "3"]) == (302, "reported")
    assert table.match.reports.get().places == [1, 3, 1, 3]
    assert table.send(2, "report", preset="conceded-4") == (302, "reported")
    told = table.match.reports.order_by("version").last()
    assert (told.places, told.marks) == ([2, 2, 2, 1], {"2": "conceded"})


@pytest.mark.parametrize("fields", [{"preset": "5"}, {"preset": "x"}, {}, {"preset": "conceded-2"}])
def test_what_cannot_be_is_refused_with_a_sentence(table, fields):
    assert table.send(2, "report", **fields) == (400, "open")


def test_contradicting_an_old_page_or_nothing_is_refused(table):
    assert table.send(1, "contradict")[0] == 409
    table.send(1, "report", preset="1")
    assert table.send(2, "contradict", version=0) == (409, "reported")


def test_where_points_go_by_place_everybody_gets_one(by):
    table = Table(by, table_points={"preset": "places"})
    assert "Report this order" in table.me(2)
    assert "I won" not in table.me(2)
    order = {f"place_{seat}": place for seat, place in enumerate("2314", start=1)}
    assert table.send(2, "report", preset="order", **order) == (302, "reported")
    assert "1st" in table.me(3)
    first, second, _third, fourth = [player.display_name for player in table.match.players]
    assert f"Points: you 4 · {first} 3 · {second} 2 · {fourth} 1" in table.me(3)
    assert table.match.reports.get().places == [2, 3, 1, 4]
    assert table.send(1, "report", preset="order", place_1="1")[0] == 400


def test_a_draw_of_one_is_none(table):
    assert table.send(1, "report", preset="drawn", drawn=["2"])[0] == 400
    assert table.send(1, "report", preset="drawn")[0] == 400
    assert table.send(1, "report", preset="drawn", drawn=["2", "3"]) == (302, "reported")


def test_open_lists_are_those_of_the_whole_company(by):
    table = Table(by, decklists="required", open_lists=["tables"])
    names = [player.display_name for player in table.match.players]
    said = table.me(2)
    assert all(f"{name}’s decklist" in said for name in (names[0], names[2], names[3]))
    assert "opponent" not in said
    table.send(1, "report", preset="1")
    assert all(name in table.me(2) for name in names if name != names[1])


def test_who_is_absent_reads_it_and_nobody_is_asked_whether_they_won(table, by):
    absent = Claim(marks=((4, Mark.ABSENT),))
    say_absent(match=table.match, version=0, claim=absent, by=by)
    last = table.match.players[3].display_name
    assert f"{last} won" not in table.me(1)
    assert "At this table you count as absent." in table.me(4)
    assert "I won" not in table.me(4)
