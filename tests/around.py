"""An event with everybody around it, each in a browser of their own."""

from collections import defaultdict
from http.cookies import SimpleCookie
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments import urls as tournaments_urls
from tournaments.arrivals.photos import check_in_code
from tournaments.checks import services as checks
from tournaments.core.permissions import Actor, Role
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.models import (
    Announcement,
    DeckCheck,
    DeckSubmission,
    Draw,
    Entry,
    Event,
    JudgeCall,
    LogLine,
    Match,
    Penalty,
    PersonalLink,
    Report,
    Round,
    RoundClock,
    Ruling,
    StaffInvitation,
    StaffNote,
    StaffRole,
    TimeExtension,
)
from tournaments.penalties import services as penalties
from tournaments.players.services import entries
from tournaments.snapshots import services as snapshots
from tournaments.staff import services as staff

ROLES = (
    *("anonymous", "stranger", "foreign", "player"),
    *("judge", "scorekeeper", "head_judge", "organiser"),
)
ARGUMENTS: dict[str, list[frozenset[str]]] = defaultdict(list)
"""What the addresses of an event need, by name: a page may have several."""
for _pattern in tournaments_urls.urlpatterns:
    ARGUMENTS[str(_pattern.name)].append(frozenset(_pattern.pattern.converters))
STAFF = frozenset({"judge", "scorekeeper", "head_judge", "organiser"})


class Around:
    """An event with everybody around it, each with a browser of their own.

    ``values`` are settings of the event, ``players`` how many it has.
    """

    def __init__(self, state: str, players: int = 4, **values: Any) -> None:
        self.players, self.values = players, values
        self.by = make.organiser()
        self.event = self.made(state)
        self.browsers = {role: Client(headers={"accept-language": "en"}) for role in ROLES}
        self.browsers["stranger"].force_login(make.user())
        elsewhere = make.organiser()
        make.started(elsewhere, 4)
        self.browsers["foreign"].force_login(elsewhere.user)
        self.browsers["organiser"].force_login(self.by.user)
        for role in (Role.JUDGE, Role.SCOREKEEPER, Role.HEAD_JUDGE):
            person = make.user()
            given = staff.give_role(event=self.event, email=person.email, role=role, by=self.by)
            self.browsers[str(role)].force_login(person)
        found = Match.objects.filter(round__event=self.event, match_seats__number=2)
        match = found.select_related("round").first()
        entry = match.players[0] if match else self.event.entries.get(number=1)
        token = entries.make_link(entry=entry, by=self.by)
        self.browsers["player"].get(reverse("tournaments:open-link", args=[token]))
        self.parts = {
            "slug": self.event.slug,
            "number": 1,
            "role_id": given.pk,
            "scope_id": 1,
            "match_id": match.pk if match else 1,
            "ordinal": 1,
            "check_id": self.event.deck_checks.values_list("pk", flat=True).first() or 1,
            "penalty_id": self.event.penalties.values_list("pk", flat=True).first() or 1,
            "kind": "text",
            "program": "tom",
            "name": "seats",
            "picture": "event-it-0",
            "code": check_in_code(self.event.entries.get(number=1)),
            "short": "BCDF",
            "call_id": 1,
            "claim_id": 1,
            "extension_id": 1,
            "pair_id": 1,
            "invitation_id": 1,
            "mail_id": 1,
            "announcement_id": 1,
            "snapshot_id": snapshots.take_snapshot(self.event, "round.discarded", by=self.by).pk,
        }
        if match and state == "running":
            self.call(match)

    def made(self, state: str) -> Event:
        """Return an event in a state, with its players."""
        if state in ("draft", "registration"):
            begin = make.event if state == "draft" else make.open_event
            event = begin(self.by, **self.values)
            make.players(event, self.players, self.by)
            return event
        event = make.started(self.by, self.players, **self.values)
        self.judge(event)
        if state == "finished":
            return make.play_event(event, self.by)
        make.next_round(event, self.by)
        return Event.objects.get(pk=event.pk)

    def judge(self, event: Event) -> None:
        """Begin a deck check of player number 1 and give them a penalty."""
        entry = event.entries.get(number=1)
        checks.begin_player_check(entry=entry, by=self.by)
        penalties.give_penalty(entry=entry, level="caution", infraction="Ritardo", by=self.by)

    def call(self, match: Match) -> None:
        """Let a player call a judge, announce something, and write of the match."""
        caller = match.players[0]
        called = calls.call_judge(match=match, entry=caller, by=Actor(entry=caller))
        told = notes.create_announcement(event=self.event, text="Ecco", minutes=15, by=self.by)
        notes.add_ruling(match=match, text="Si rigioca", by=self.by)
        notes.add_staff_note(match=match, text="Da seguire", by=self.by)
        self.parts |= {"call_id": called.pk, "announcement_id": told.pk}
        self.event = Event.objects.get(pk=self.event.pk)

    def address(self, name: str) -> str:
        """Return the address of a page of the event, with what :attr:`parts` say."""
        for wanted in ARGUMENTS[name]:
            if wanted <= self.parts.keys():
                parts = {key: self.parts[key] for key in wanted}
                return reverse(f"tournaments:{name}", kwargs=parts)
        raise AssertionError(f"{name} needs one of {ARGUMENTS[name]}: add it to the parts")

    def undone(self, role: str, method: str, address: str, body: object = None) -> HttpResponse:
        """Answer a request, and undo whatever it did."""
        browser = self.browsers[role]
        session = {key: kept.value for key, kept in browser.cookies.items()}
        with transaction.atomic():
            answer = getattr(browser, method)(address, body)
            transaction.set_rollback(True)
        browser.cookies = SimpleCookie(session)
        return answer


def tables() -> list[object]:
    """Return what a write would change."""
    facts = (Event, Draw, Round, Match, Report, Entry, DeckSubmission, StaffRole, PersonalLink)
    judged = (DeckCheck, Penalty, TimeExtension, RoundClock, JudgeCall, Announcement)
    kinds = (*facts, *judged, Ruling, StaffNote, StaffInvitation, LogLine)
    return [list(kind.objects.order_by("pk").values()) for kind in kinds]
