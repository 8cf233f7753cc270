"""Whose lists are seen by whom, in every state of an event: the golden table, crawled.

Safety notes, Who sees what, T01 to T03. Each player's list, the one before it and the draft hold
cards that nothing else holds. Whoever may not read a list finds none of them in anything that
the site answers; whoever may finds some. New addresses are crawled without being named here.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import product

import pytest
from django.core.cache import cache
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.models import Decklist
from decks.samples import sample_deck
from tests import factories as make
from tests.around import Around
from tests.crawling import everything, routes, still
from tests.tournaments.test_every_page import PARTS
from tournaments.models import DeckCheck, DeckDraft, DeckSubmission, Event, Match, Penalty
from tournaments.services import decklists, draws, events, links, rounds, stages
from tournaments.services.published_lists import hide_lists, publish_lists

pytestmark = pytest.mark.django_db


def named(*names: str) -> tuple[str, ...]:
    """Return the full names of pages of events."""
    return tuple(f"tournaments:{name}" for name in names)


PLAYERS = (1, 2, 3, 4)
SOME = (1, 3)
KINDS = ("text", "csv", "xlsx", "json", "upload")
TAKING: dict[str, list[frozenset[str]]] = defaultdict(list)
for _name, _needs in routes():
    TAKING[_name].append(_needs)
STAGE = "group"
STATES = (
    *("registration", "locked", "drafted", "closed", "leaders", "opponents", "all"),
    *("finished", "published", "taken back", "reopened"),
)
WHOLE = {  # crawled to the last address; otherwise where lists are near
    "opponents": {"scorekeeper", "opponent", "other"},
    "finished": {"anonymous", "owner", "other"},
}
NEAR = named(
    *("event", "players", "pairings", "standings", "ranking", "workbook", "decklists", "decklist"),
    *("decklist-file", "played", "me", "me-now", "my-deck"),
)
LISTS = named("decklists", "decklist", "played")
READERS = {"judge", "head_judge", "organiser"}
SEATED = ("owner", "opponent", "other")
FEW = {"registration", "opponents", "published"}
"""The states in which those without any right are asked for too; else one of them will do."""


def card(number: int) -> str:
    """Return the card that only this player's list has."""
    return f"Zibibbo Carta{number}"


def leader(number: int) -> str:
    """Return the Leader that only this player's list has."""
    return f"Zibibbo Capo{number}"


def former(number: int) -> str:
    """Return the card of the list that was handed in before."""
    return f"Zibibbo Prima{number}"


def begun(number: int) -> str:
    """Return the card of the list that was begun and not handed in."""
    return f"Zibibbo Bozza{number}"


def a_list(own_leader: str, own_card: str, number: int) -> str:
    """Return a legal list with a Leader and a card of its own, and a note that nobody prints."""
    lines = sample_deck("creatures-of-exo", number).splitlines()
    lines[1] = f"1 {own_leader} {{Leader}}"
    lines[4] = f"2 {own_card} {{Creatura}}  "
    return "\n".join(lines)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Aviary(Around):
    """An event of four, everybody with canaries, taken from state to state."""

    def made(self, state: str) -> Event:
        """Return the event with registration open and all lists handed in."""
        event = make.open_event(
            self.by,
            format="creatures-of-exo",
            formula="single-group",
            decklists=Event.Decklists.REQUIRED,
        )
        for entry in make.players(event, len(PLAYERS), self.by):
            n = entry.number
            for own in (former(n), card(n)):
                text = a_list(leader(n) if own == card(n) else former(n), own, n)
                decklists.submit_decklist(entry=entry, text=text, by=self.by)
            DeckDraft.objects.update_or_create(entry=entry, defaults={"text": f"1 {begun(n)}"})
        return event

    def prepare(self) -> None:
        """Let everybody in; before the pairings nobody knows who will be whose opponent."""
        self.numbers = {"owner": 1, "opponent": 2, "other": 3}
        self._sit()
        entry = self.event.entries.get(number=1)
        self.parts["token"] = "x" * 32
        self.parts["penalty_id"] = Penalty.objects.create(
            event=self.event, entry=entry, level="warning", infraction="Lenta"
        ).pk
        self.parts["check_id"] = DeckCheck.objects.create(
            event=self.event, entry=entry, submission=entry.submission
        ).pk

    def _sit(self) -> None:
        for role, number in self.numbers.items():
            entry = self.event.entries.get(number=number)
            token = links.make_link(entry=entry, by=self.by)
            self.browsers[role] = Client(headers={"accept-language": "en"})
            self.browsers[role].get(reverse("tournaments:open-link", args=[token]))

    def enter(self, state: str) -> None:
        """Take the event into the next state."""
        event, by = Event.objects.get(pk=self.event.pk), self.by
        setting: dict[str, object] = {"open_lists": [], "show_leaders": False}
        match state:
            case "locked":
                setting = {"decklist_deadline": timezone.now() - timedelta(hours=1)}
            case "drafted":  # everything is open, but nothing is published yet
                draw = draws.draw_start_order(event=event, seed="canary", by=by)
                stages.start_event(event=event, draw_number=draw.number, by=by)
                rounds.draft_round(event=event, expected_round=1, by=by)
                setting = {"open_lists": [f"{STAGE}:all"], "show_leaders": True}
            case "closed":
                rounds.publish_round(event=event, ordinal=1, by=by)
                self._pair()
            case "leaders":
                setting["show_leaders"] = True
            case "opponents":
                setting["open_lists"] = [STAGE]
            case "all":
                setting["open_lists"] = [f"{STAGE}:all"]
            case "finished":  # open lists end with the event
                make.play_round(event.rounds.get(), by)
                make.play_event(event, by)
                setting["open_lists"] = [f"{STAGE}:all"]
            case "published":
                publish_lists(event=event, by=by)
            case "taken back":
                hide_lists(event=event, by=by)
            case "reopened":  # what was published is hidden again
                publish_lists(event=event, by=by)
                events.move_event(event=event, action="reopen", by=by)
        Event.objects.filter(pk=event.pk).update(**setting)
        self.event = Event.objects.get(pk=event.pk)

    def _pair(self) -> None:
        own = Match.objects.get(Q(a__number=1) | Q(b__number=1), round__event=self.event)
        opponent = own.b.number if own.a.number == 1 else own.a.number
        other = next(number for number in PLAYERS if number not in (1, opponent))
        self.numbers = {"owner": 1, "opponent": opponent, "other": other}
        self._sit()

    def reads(self, state: str, role: str, number: int) -> bool:
        """Say what the golden table says."""
        own = self.numbers.get(role)
        if role in READERS or own == number or state == "published":
            return True
        if own is None or state not in ("opponents", "all"):
            return False
        return state == "all" or {own, number} in (
            {1, self.numbers["opponent"]},
            set(PLAYERS) - {1, self.numbers["opponent"]},
        )

    def due(self, state: str, role: str, number: int) -> int:
        """Return the status of a list's page."""
        if self.reads(state, role, number):
            return 200
        known = role == "scorekeeper" or (role in SEATED and state in ("opponents", "all"))
        return 403 if known else 404

    def addresses(
        self,
        names: Iterable[str],
        numbers: Iterable[int] = PLAYERS,
        kinds: Iterable[str] = ("text", "xlsx"),
    ) -> Iterator[str]:
        """Yield the addresses of the event, of players and of two matches, by full name."""
        matches = list(Match.objects.filter(round__event=self.event).values_list("pk", flat=True))
        for name in names:
            for needs in TAKING[name]:
                many = {"number": numbers, "match_id": matches[:2] or [1], "kind": kinds}
                assert not needs - many.keys() - self.parts.keys(), f"no sample for {name}"
                values = [many.get(need, [self.parts.get(need)]) for need in sorted(needs)]
                for chosen in product(*values):
                    yield reverse(name, kwargs=dict(zip(sorted(needs), chosen, strict=True)))

    def asked(self, state: str, role: str) -> list[str]:
        """Return what a role asks for in a state, each address once."""
        near = self.addresses(NEAR)
        if role not in WHOLE.get(state, ()):
            return list(near)
        ours = [name for name in TAKING if name.startswith("tournaments")]
        whole = self.addresses(ours, SOME, KINDS)
        others = [reverse(name, args=PARTS.get(name)) for name in TAKING if name not in ours]
        far = others if role == "other" else []
        return list(dict.fromkeys([*near, *whole, *self.odd(), *far]))

    def odd(self) -> Iterator[str]:
        """Yield searches, orders and mistyped addresses."""
        for name in ("players", "pairings", "standings", "decklists", "manage-players", "log"):
            for asked in ("?search=Zibib", "?q=zibib", "?word=zibib", "?ordering=deck&page=2"):
                yield self.address(name) + asked
        for tail in ("99/", "0/", "x/", "1/pdf/", "1/text", "?format=json"):
            yield self.address("decklists") + tail
        yield f"/decks/{self.event.pk}/"


def told(content: bytes, words: str) -> bool:
    """Say whether an answer holds words, whatever their capitals."""
    return words.lower().encode() in content.lower()


def test_lists_are_seen_as_the_table_says() -> None:
    around = Aviary("registration")
    around.prepare()
    for state in STATES:
        around.enter(state)
        outside = ("anonymous", "foreign", "scorekeeper") if state in FEW else ("anonymous",)
        for role in (*outside, *SEATED):
            check(around, state, role, around.asked(state, role))
        for role in sorted(READERS) if state in FEW else ("judge",):
            check(around, state, role, [*around.addresses(LISTS)])


def check(around: Aviary, state: str, role: str, asked: Iterable[str]) -> None:
    """Look for every canary in all that a role is answered, and at how lists are refused."""
    cache.clear()
    answers = {address: around.browsers[role].get(address) for address in asked}
    found = {address: everything(answer) for address, answer in answers.items()}
    for number in PLAYERS:
        own = around.numbers.get(role) == number
        for words, may in (
            (card(number), around.reads(state, role, number)),
            (leader(number), around.reads(state, role, number) or state == "leaders"),
            (former(number), None if own or role in READERS else False),
            (begun(number), None if own else False),
        ):
            where = [address for address, content in found.items() if told(content, words)]
            if may is False:
                assert not where, f"{state}, {role}: {words} in {where}"
            elif may:
                assert where, f"{state}, {role}: {words} nowhere"
        page = answers[reverse("tournaments:decklist", args=[around.event.slug, number])]
        assert page.status_code == around.due(state, role, number), f"{state}, {role}, {number}"
    played = answers[reverse("tournaments:played", args=[around.event.slug])]
    assert played.status_code == (200 if state == "published" else 404), f"{state}, {role}"


def test_staff_find_no_draft_and_refusals_hold_nothing() -> None:
    around = Aviary("registration")
    around.prepare()
    around.enter("drafted")
    around.enter("closed")
    names = [name for name in TAKING if name.startswith("tournaments:")]
    for role in ("organiser", "judge"):
        for address in around.addresses(names, SOME):
            content = everything(around.browsers[role].get(address))
            assert not told(content, "Zibibbo Bozza"), (role, address)
    for address in around.addresses(names, SOME):
        content = everything(around.undone("other", "post", address, {}))
        for number in set(PLAYERS) - {around.numbers["other"]}:
            assert not told(content, f"Carta{number}"), address
            assert not told(content, f"Capo{number}"), address


PUBLIC = named(
    *("event", "players", "standings", "formula", "ranking", "draws", "pairings", "workbook"),
    *("decklists", "decklist", "decklist-file", "played", "register", "me", "my-deck", "log"),
    *("manage", "manage-players", "manage-decklists", "desk"),
)


@pytest.mark.parametrize("state", ["registration", "closed", "finished"])
def test_two_lists_swapped_change_no_answer(state: str) -> None:
    """Who has no right to two lists can't tell which is whose, nor which is the illegal one."""
    around = Aviary("registration")
    around.prepare()
    for passed in ("drafted", "closed", "finished"):
        if state != "registration":
            around.enter(passed)
        if passed == state:
            break
    ours = (1, around.numbers["opponent"])
    counting = DeckSubmission.objects.get(current_of__number=ours[0], entry__event=around.event)
    Decklist.objects.filter(pk=counting.decklist_id).update(legal=False)
    readers = ("anonymous", "other")
    before = {role: answers(around, role, ours) for role in readers}
    swap(around.event, *ours)
    for role in readers:
        after = answers(around, role, ours)
        differing = [at for at, said in after.items() if said != before[role][at]]
        assert not differing, (role, differing)


def answers(around: Aviary, role: str, ours: Iterable[int]) -> dict[str, bytes]:
    """Return what a role is answered, without what is different each time."""
    cache.clear()
    asked = list(around.addresses(PUBLIC, ours, ("text",)))
    return {address: still(around.browsers[role].get(address)) for address in asked}


def swap(event: Event, one: int, other: int) -> None:
    """Give each of two players the other's list."""
    a, b = (
        DeckSubmission.objects.get(current_of__number=n, entry__event=event) for n in (one, other)
    )
    a.decklist, b.decklist = b.decklist, a.decklist
    a.save()
    b.save()


def test_a_difference_is_seen_where_there_is_one() -> None:
    """The comparison above is able to fail."""
    around = Aviary("registration")
    around.prepare()
    page = around.browsers["judge"].get(around.address("manage-player-decklist"))
    before = still(page)
    swap(around.event, 1, 2)
    page = around.browsers["judge"].get(around.address("manage-player-decklist"))
    assert still(page) != before
