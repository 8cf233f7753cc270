"""Who is through, asked by a program."""

import pytest

from tests import factories as make

pytestmark = pytest.mark.django_db


def test_scenarios_say_who_is_through_and_what_the_next_match_means(by, client):
    event = make.started(by, 12)
    url = f"/api/v1/events/{event.slug}/scenarios/"
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    rows = client.get(url).json()
    assert sorted(row["player"] for row in rows) == list(range(1, 13))
    assert {row["status"] for row in rows} <= {"through", "out", "open"}
    assert all(set(row["next"]) == {"opponent", "win", "draw", "loss"} for row in rows)
    assert [row["group"] for row in client.get(f"{url}?group=B").json()] == ["B"] * 4
    assert client.get(f"{url}?group=Z").status_code == 404
    make.play_round(make.next_round(event, by), by)
    assert all(row["next"] is None for row in client.get(url).json())


def test_before_the_start_there_are_none(by, client):
    event = make.open_event(by)
    assert client.get(f"/api/v1/events/{event.slug}/scenarios/").json() == []
