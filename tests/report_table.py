"""A match whose two players report its result from their phones."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments.models import Match, Report
from tournaments.players.services import entries

PLAYS: dict[str, dict[str, Any]] = {
    "points": {"formula": "single-group", "format": "doomtrooper-original"},
    "duel": {"formula": "single-elimination", "format": "doomtrooper-original"},
    "games": {"formula": "single-group", "format": "creatures-of-exo"},
    "knock-out": {"formula": "single-elimination", "format": "creatures-of-exo"},
    "one game": {"formula": "single-group", "format": "thoom"},
}


OTHER = {"a": "b", "b": "a"}


SIDES = ("a", "b")


class Table:
    """A match, and the phones of its two players."""

    def __init__(self, play: str) -> None:
        self.by = make.organiser()
        self.event = make.started(self.by, 4, **PLAYS[play])
        found = make.next_round(self.event, self.by).matches
        self.match: Match = found.order_by("table")[0]
        self.phones = {
            side: self._open(player) for side, player in zip(SIDES, self.match.players, strict=True)
        }

    def _open(self, entry: Any) -> Client:
        client = Client(headers={"Accept-Language": "en"})
        client.get(
            reverse("tournaments:open-link", args=[entries.make_link(entry=entry, by=self.by)])
        )
        return client

    def url(self, name: str) -> str:
        return reverse(f"tournaments:{name}", args=[self.event.slug, self.match.pk])

    def send(self, side: str, **fields: Any) -> Any:
        return self.phones[side].post(self.url("my-report"), fields)

    def page(self, side: str, query: str = "") -> str:
        return self.phones[side].get(self.url("my-report") + query).content.decode()

    def me(self, side: str) -> str:
        address = reverse("tournaments:me", args=[self.event.slug])
        return self.phones[side].get(address).content.decode()

    def report(self, side: str, **fields: Any) -> str:
        """Send, look at the sentence, send what it holds; return the page with the sentence.

        What the button said is stored at once: then there is no such page, and "" is returned.
        """
        asked = self.send(side, **fields)
        if asked.status_code == 302:
            return ""
        assert asked.status_code == 200, asked.content.decode()
        page = asked.content.decode()
        assert not Report.objects.filter(
            match=self.match, by_entry=self.match.players[SIDES.index(side)]
        )
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        assert self.send(side, sure="1", **hidden).status_code == 302
        return page

    def confirm(self, side: str) -> None:
        self.match.refresh_from_db()
        self.phones[side].post(self.url("my-confirm"), {"version": self.match.version})
        self.match.refresh_from_db()

    @property
    def said(self) -> Report:
        return Report.objects.filter(match=self.match).latest("version")


def in_games(*games: str) -> dict[str, str]:
    return {f"game_{number}": each for number, each in enumerate(games, start=1)}
