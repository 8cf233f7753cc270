"""The answer to a write shows what is stored: the same as reading it afterwards."""

from collections.abc import Callable
from typing import Any

import pytest

from tests import factories as make
from tournaments.models import Event, Match
from tournaments.players.services.departures import withdraw

# Inside the transaction of a test nothing is kept of an event.
pytestmark = pytest.mark.django_db(transaction=True)


def before(by: Any) -> Event:
    """Return an event before its start, with four players."""
    event = make.open_event(by, formula="single-group", decklists="optional", capacity=4)
    make.players(event, 5, by)
    return event


def roomy(by: Any) -> Event:
    """Return it with more places than players, the fifth of whom waits."""
    event = before(by)
    return make.events.change_event(event=event, changes={"capacity": 9}, by=by)


def begun(by: Any) -> Event:
    """Return a Swiss event whose first round is out."""
    return make.playing(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})


def left(by: Any) -> Event:
    """Return such an event whose player 1 has left after a match, and one without any is gone."""
    event = begun(by)
    make.play_round(event.rounds.get(), by)
    withdraw(entry=event.entries.get(number=1), by=by)
    return Event.objects.get(pk=event.pk)


def drafted(by: Any) -> Event:
    """Return such an event whose second round is a draft."""
    event = begun(by)
    make.play_round(event.rounds.get(), by)
    make.rounds.draft_round(event=event, expected_round=2, publish=False, by=by)
    return Event.objects.get(pk=event.pk)


def match_of(event: Event) -> str:
    return f"matches/{Match.objects.filter(round__event=event).earliest('pk').pk}/"


WRITES: dict[str, tuple[Callable[[Any], Event], str, str, Any, str]] = {
    "event": (before, "patch", "", {"venue": "Altrove", "capacity": 9, "minutes": 33}, ""),
    "event opened": (make.event, "patch", "", {"status": "registration"}, ""),
    "information": (before, "put", "information/", {"text": "Premi"}, "information/"),
    "player entered": (before, "post", "players/", {"name": "Zita", "club": "A"}, "players/6/"),
    "player": (before, "patch", "players/1/", {"name": "Zita", "seed": 3}, "players/1/"),
    "player's contact": (before, "patch", "players/1/", {"email": "a@example.org"}, "players/1/"),
    "player here": (before, "patch", "players/1/", {"status": "checked_in"}, "players/1/"),
    "player let in": (roomy, "patch", "players/5/", {"status": "registered"}, "players/5/"),
    "player gone": (begun, "patch", "players/1/", {"status": "withdrawn"}, "players/1/"),
    "player gone later": (
        *(begun, "patch", "players/1/", {"status": "withdrawn", "leaves_after": True}),
        "players/1/",
    ),
    "player put out": (
        *(begun, "patch", "players/1/", {"status": "disqualified", "reason": "A"}),
        "players/1/",
    ),
    "player back": (left, "patch", "players/1/", {"status": "registered"}, "players/1/"),
    "left as no-show": (left, "patch", "players/1/", {"left": "no_show"}, "players/1/"),
    "left, twice": (
        *(begun, "patch", "players/1/", {"status": "withdrawn", "left": "dropped"}),
        "players/1/",
    ),
    "late": (begun, "post", "players/", {"name": "Zita", "late": "loss"}, "players/9/"),
    "decklist": (
        *(before, "put", "players/1/decklist/", {"text": "1 Carta", "reason": "A"}),
        "players/1/decklist/",
    ),
    "result": (begun, "put", "{match}result/", {"version": 0, "score": [40, 9]}, "{match}"),
    "clock": (begun, "post", "rounds/1/clock/", {"action": "start"}, "rounds/1/"),
    "draft changed": (
        *(drafted, "post", "rounds/2/changes/", {"action": "swap", "players": [1, 2]}),
        "rounds/2/",
    ),
    "published": (drafted, "post", "rounds/2/publish/", {}, "rounds/2/"),
}


@pytest.mark.parametrize("name", WRITES)
def test_an_answer_shows_what_is_stored(api: Any, by: Any, name: str) -> None:
    made, method, address, body, read = WRITES[name]
    event = made(by)
    top, match = f"/api/v1/events/{event.slug}/", match_of(event) if "{match}" in read else ""
    api.get(top + read.format(match=match))  # caches hold what was
    api.get(f"{top}players/")
    answer = getattr(api, method)(top + address.format(match=match), body)
    assert answer.status_code in (200, 201), answer.json()
    stored = api.get(top + read.format(match=match))
    told, now = answer.json(), stored.json()
    same = told.keys() & now.keys() - {"remaining", "seconds", "clock"}
    assert len(same) >= min(4, len(now))
    assert {key: told[key] for key in same} == {key: now[key] for key in same}
    if "ETag" in answer.headers and read == address:
        assert answer.headers["ETag"] == stored.headers["ETag"]


@pytest.mark.parametrize("way", ["no_show", "dropped"])
def test_how_somebody_left_is_answered_as_it_is_corrected(api: Any, by: Any, way: str) -> None:
    event = begun(by)
    address = f"/api/v1/events/{event.slug}/players/2/"
    assert api.patch(address, {"status": "withdrawn"}).json()["left"] == "no_show"
    assert api.patch(address, {"left": way}).json()["left"] == way
    assert api.get(address).json()["left"] == way
