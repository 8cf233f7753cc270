"""Prizes of a series: stored, won once it is closed, handed out, and what is refused."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rules.json_reader import LARGE
from tests import factories as make
from tests.browsers import read
from tests.tournaments.series.evenings import evening, names_of, refused, sent, series_of
from tournaments.core.names import erased_player_label
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Series, SeriesPrize, SeriesStaff

pytestmark = pytest.mark.django_db
PRIZES = {
    "by": "place",
    "rows": [
        {"from": 1, "to": 1, "prize": "Box", "value": "40.00"},
        {"from": 2, "to": 3, "prize": "Booster", "value": "10.01"},
    ],
}


def close(series: Series | None = None) -> None:
    Series.objects.update(closed_at=timezone.now())


def set_prizes(api, at: str, **more):
    return api.put(f"{at}prizes/", PRIZES | more, format="json")


def hand(api, at: str, person: object, given: object = True):
    return api.patch(f"{at}prizes/", {"person": person, "handed_out": given}, format="json")


@pytest.mark.deep
def test_the_first_of_a_closed_series_win(api, by):
    at = series_of(api, evening(by))
    told = sent(set_prizes(api, at, available="60"), 200)
    assert (told["rows"], told["available"], told["published"]) == (PRIZES["rows"], "60.00", False)
    assert told["winners"] == []
    close()
    told = sent(api.get(f"{at}prizes/"), 200)["winners"]
    people = {row["person"]: row["name"] for row in api.get(f"{at}table/").json()["table"]}
    assert [people[one["person"]] for one in told] == names_of(api, at)[:3]
    assert [(one["prize"], one["value"], one["sharing"], one["handed_out"]) for one in told] == [
        ("Box", "40.00", 1, False),
        ("Booster", "10.01", 1, False),
        ("Booster", "10.01", 1, False),
    ]


@pytest.mark.deep
def test_tied_people_share_and_those_with_too_few_events_win_nothing(api, by):
    first, second = evening(by, "Ada Bea"), evening(by, "Ada Bea Carlo Dora")
    points = {"taking_part": 1, "least_events": 2}
    at = series_of(api, first, second, points=points, order=["points"])
    set_prizes(
        api, at, rows=[{"from": 1, "to": 1, "prize": "Box", "value": "5.01"}, *PRIZES["rows"]]
    )
    close()
    told = api.get(f"{at}prizes/").json()["winners"]
    assert [(one["value"], one["sharing"]) for one in told] == [("27.51", 2), ("27.51", 2)]
    assert [one["prize"] for one in told] == ["Box, Booster"] * 2


@pytest.mark.deep
def test_what_was_handed_out_is_noted_and_taken_back(api, by):
    at = series_of(api, evening(by))
    set_prizes(api, at)
    champion, last = (api.get(f"{at}table/").json()["table"][place]["person"] for place in (0, -1))
    refused(hand(api, at, champion), 409, "series_open")
    close()
    assert [one["handed_out"] for one in hand(api, at, champion).json()["winners"]][:2] == [
        True,
        False,
    ]
    refused(hand(api, at, champion), 409, "prize_noted")
    refused(hand(api, at, last), 409, "no_prize")
    refused(hand(api, at, LARGE), 409, "no_prize")
    refused(hand(api, at, LARGE + 1), 400, "invalid")
    assert [one["handed_out"] for one in hand(api, at, champion, False).json()["winners"]][:1] == [
        False
    ]
    refused(hand(api, at, champion, False), 409, "prize_noted")
    series = Series.objects.get()
    assert [line.action for line in series.log.order_by("number")] == [
        "series.created",
        "series.prizes",
        "series.prize_given",
        "series.prize_taken_back",
    ]
    assert not SeriesPrize.objects.exists()


@pytest.mark.deep
def test_the_same_table_again_is_no_act_and_a_closed_series_may_get_one(api, by):
    at = series_of(api, evening(by))
    set_prizes(api, at, published=True)
    version = Series.objects.get().version
    assert set_prizes(api, at).json()["published"] is True
    assert Series.objects.get().version == version
    close()
    assert sent(set_prizes(api, at, rows=[]), 200)["winners"] == []


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ({"by": "record", "rows": []}, "by"),
        ({"by": "luck"}, "by"),
        ({"rows": [{"from": 0, "prize": "x"}]}, "rows[0].from"),
        ({"rows": [{"from": 2, "to": 1, "prize": "x"}]}, "rows[0].to"),
        ({"rows": [{"from": 1}]}, "rows[0].prize"),
        ({"rows": [{"from": 1, "value": "-1"}]}, "rows[0].value"),
        ({"available": "much"}, "available"),
        ({"published": "yes"}, "published"),
        ({"surprise": 1}, "surprise"),
        ([], "$"),
    ],
)
def test_a_wrong_table_is_named_by_its_path(api, by, table, path):
    at = series_of(api)
    refused(api.put(f"{at}prizes/", table, format="json"), 400, "invalid_prizes", path)
    assert Series.objects.get().prizes == {}


@pytest.mark.deep
def test_who_may_read_and_who_may_write(api, by, client_of):
    at = series_of(api, evening(by))
    helper, other = make.organiser(), make.organiser()
    SeriesStaff.objects.create(series=Series.objects.get(), user=helper.user, role="helper")
    readers = {"helper": helper, "other": other, "nobody": None}

    def statuses() -> dict[str, int]:
        return {
            who: client_of(actor).get(f"{at}prizes/").status_code for who, actor in readers.items()
        }

    assert statuses() == {"helper": 200, "other": 403, "nobody": 401}
    set_prizes(api, at, published=True)
    assert statuses() == {"helper": 200, "other": 200, "nobody": 200}
    for actor, status in ((helper, 403), (other, 403), (None, 401)):
        client = client_of(actor)
        assert set_prizes(client, at).status_code == status
        assert hand(client, at, 1).status_code == status


@pytest.mark.deep
def test_an_erased_winner_keeps_the_place_without_a_name(api, by):
    last = evening(by)
    at = series_of(api, last)
    set_prizes(api, at, published=True)
    close()
    champion = api.get(f"{at}table/").json()["table"][0]
    hand(api, at, champion["person"])
    name, number = champion["name"], champion["results"][last.slug]["number"]
    erase_player(event=last, number=number, confirm=name, by=by)
    (winner, *_others) = api.get(f"{at}prizes/").json()["winners"]
    assert (winner["person"], winner["handed_out"]) == (champion["person"], True)
    shown = read(Client(), at.removeprefix("/api/v1"))
    assert name not in shown
    assert erased_player_label(number) in shown


@pytest.mark.deep
def test_the_page_of_a_closed_series_with_prizes_takes_no_further_query(api, by):
    at = series_of(api, evening(by))
    set_prizes(api, at, published=True)
    close()
    address = at.removeprefix("/api/v1")
    assert "Booster" in read(Client(), address)
    with CaptureQueriesContext(connection) as made:
        Client().get(address)
    assert len(made) <= 3, [query["sql"] for query in made]
