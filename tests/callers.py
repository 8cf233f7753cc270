"""A running event and everybody who may call the API about it."""

import json
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.core.permissions import Role
from tournaments.log.services import record
from tournaments.models import Event, Match, TokenScope
from tournaments.rounds.services import DISCARDED
from tournaments.screen.services import PINNED
from tournaments.snapshots.services import take_snapshot

STAFF = ("judge", "scorekeeper", "head_judge", "organiser")
TOKENS = ("read", "results", "manage")
CALLERS = ("anonymous", "player", "elsewhere", *STAFF, *TOKENS)


class Callers:
    """Round 1 is out, no result is in; the player sits at the table of ``match``."""

    def __init__(self) -> None:
        self.by = make.organiser()
        self.event = make.started(
            self.by, 8, format="creatures-of-exo", formula="groups-knockout", decklists="required"
        )
        make.next_round(self.event, self.by)
        self.event = Event.objects.get(pk=self.event.pk)
        self.match = Match.objects.filter(round__event=self.event)[0]
        with transaction.atomic():
            self.snapshot = take_snapshot(self.event, DISCARDED.key, by=self.by)
            record(self.event, PINNED, by=self.by)  # tells its digest
        self.player = make.user()
        self.event.entries.filter(pk=self.match.seats[0]).update(user=self.player)
        self.elsewhere = make.organiser()
        self.other = make.started(self.elsewhere, 4, formula="single-group")
        make.next_round(self.other, self.elsewhere)
        self.clients = {name: self._client(name) for name in CALLERS}

    def _client(self, name: str) -> APIClient:
        client = APIClient(raise_request_exception=False)
        headers = {"HTTP_ACCEPT_LANGUAGE": "en"}
        if name in TOKENS:
            token, secret = AuthToken.objects.create(user=self.by.user)
            TokenScope.objects.create(token=token, level=name, event=self.event)
            headers["HTTP_AUTHORIZATION"] = f"Token {secret}"
        client.credentials(**headers)
        people = {
            "player": self.player,
            "elsewhere": self.elsewhere.user,
            "organiser": self.by.user,
        }
        if name in Role.values and name not in people:
            people[name] = make.staff(self.event, name).user
        if name in people:
            client.force_login(people[name])
        return client

    def address(self, name: str, *, event: Event | None = None, number: int = 1) -> str:
        """Return where a call goes; ``number`` is the stage's, the round's or the player's."""
        slug = (event or self.event).slug
        parts: dict[str, list[int]] = {
            "player": [self.match.players[0].number],
            "decklist": [self.match.players[0].number],
            "match": [self.match.pk],
            "match-result": [self.match.pk],
            "match-confirm": [self.match.pk],
            "match-contradict": [self.match.pk],
            "match-effects": [self.match.pk],
            "match-correction": [self.match.pk],
            "match-bye": [self.match.pk],
            "draw-correction": [number],
            "join-detail": [number],
            "join-confirm": [number],
            "player-correction": [number],
            "match-extensions": [self.match.pk],
            "match-extension": [self.match.pk, 1],
            "player-strike": [self.match.players[0].number],
            "player-enter": [self.match.players[0].number],
            "player-return": [self.match.players[0].number],
            "apart-pair": [1, 2],
            "mail-again": [1],
            "snapshot": [self.snapshot.pk],
            "snapshot-restore": [self.snapshot.pk],
        }
        if name.startswith(("stage-", "round-")) or name == "round":
            parts[name] = [number]
        return reverse(f"tournaments_api:{name}", args=[slug, *parts.get(name, [])])

    def undone(self, caller: str, method: str, address: str, body: object = None) -> Any:
        """Answer a call, and undo whatever it did; bytes are sent as they are."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        more = {} if method == "get" else {"data": raw, "content_type": "application/json"}
        cache.clear()
        with transaction.atomic():
            answer = getattr(self.clients[caller], method)(address, **more)
            transaction.set_rollback(True)
        return answer
