"""A season played through the API: evenings of a few people, and a final by knock-out.

``play_season`` plays all of it; its parts (``Season.evening``, ``Season.final``) play one.
"""

from dataclasses import dataclass, field
from typing import Any

from rest_framework.test import APIClient

from tests.tournaments.api.test_whole_event import ok, play

ROOT = "/api/v1/"
EVENINGS, FINALISTS, BYES = 11, 6, 2
PEOPLE = ("Ada", "Bea", "Carlo", "Dora", "Elio", "Fosca", "Gino", "Hugo")
AT_A_TABLE = 4
RULE = {"by_place": [10, 8, 6, 5], "taking_part": 1, "best": 8, "least_events": 3}
FIRST: dict[str, Any] = {
    "name": "Giovedì 1",
    "format": "doomtrooper-original",
    "formula": "single-group",
    "decklists": "off",
    "starts_at": "2027-01-07T20:30:00+01:00",
}


@dataclass
class Season:
    """A season in play: the address of its series, and the slugs of its evenings."""

    api: APIClient
    at: str = ""
    evenings: list[str] = field(default_factory=list)
    final: str = ""

    def begin(self) -> None:
        """Make the first evening, and a series of it in which a name is a person."""
        first = ok(self.api.post(f"{ROOT}events/", FIRST))["slug"]
        sent = {
            "name": "Lega del giovedì",
            "events": [first],
            "points": RULE,
            "order": ["points", "event_wins", "lots"],
            "names_are_people": True,
        }
        self.at = f"{ROOT}series/{ok(self.api.post(f'{ROOT}series/', sent))['slug']}/"
        self.evenings.append(first)

    def next_evening(self) -> None:
        """Make the next evening from the last, a week later."""
        number = len(self.evenings)
        day = {"name": f"Giovedì {number + 1}", "starts_at": _thursday(number)}
        self.evenings.append(ok(self.api.post(f"{self.at}next/", day))["slug"])

    def evening(self) -> None:
        """Play the last evening that was made: four people, the lower number wins."""
        number = len(self.evenings) - 1
        come = [PEOPLE[(number + seat * 3) % len(PEOPLE)] for seat in range(AT_A_TABLE)]
        event = f"{ROOT}events/{self.evenings[-1]}/"
        ok(self.api.post(f"{event}players/", [{"name": name} for name in come]))
        self.play(event)

    def play(self, event: str) -> None:
        """Start an event with its players, play it and finish it."""
        ok(self.api.post(f"{event}start/", {"seed": "seme"}))
        play(self.api, event)
        ok(self.api.patch(event, {"status": "finished"}))

    def invite(self) -> None:
        """Make the final of the first six, the first two of them with a bye."""
        sent = {"first": FINALISTS, "first_round_byes": BYES, "name": "Finale"}
        sent |= {"starts_at": _thursday(EVENINGS), "formula": "single-elimination"}
        self.final = ok(self.api.post(f"{self.at}final/", sent))["slug"]

    @property
    def final_at(self) -> str:
        """Return the address of the final."""
        return f"{ROOT}events/{self.final}/"

    def table(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        rows: list[dict[str, Any]] = ok(self.api.get(f"{self.at}table/"))["table"]
        return rows


def _thursday(number: int) -> str:
    """Return when the evening after so many others begins."""
    months = ("01-07", "01-14", "01-21", "01-28", "02-04", "02-11", "02-18", "02-25")
    months += ("03-04", "03-11", "03-18", "03-25")
    return f"2027-{months[number]}T20:30:00+01:00"


def play_season(api: APIClient, evenings: int = EVENINGS) -> Season:
    """Play so many evenings, make the final and play that; return the season, not closed yet."""
    season = Season(api)
    season.begin()
    season.evening()
    for _evening in range(evenings - 1):
        season.next_evening()
        season.evening()
    season.invite()
    season.play(season.final_at)
    return season
