"""All that is written of an event beside its lists: which of twelve readers find it, and where.

Safety notes, Who sees what. A draft's table, a penalty and its note, a deck check's note, a call,
a staff note, addresses of people: each holds words or a number that nothing else holds. Every
address of the site is asked by every reader, while a round is a draft and once all is over; new
addresses, as the transcript, are crawled without being named here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.around import STAFF
from tests.aviary import SEATED, TAKING, Aviary
from tests.crawling import everything
from tests.site_addresses import PARTS
from tournaments.models import DeckCheck, Entry, Event, Match, Penalty, TokenScope
from tournaments.permissions import Actor
from tournaments.services import calls, notes, rounds
from tournaments.services.tokens import make_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

READERS = (
    *("anonymous", "stranger", "foreign", "foreign token", "judge", "scorekeeper", "head_judge"),
    *("organiser", "player", *SEATED),
)
OUTSIDE = frozenset({"anonymous", "stranger", "foreign", "foreign token"})
QUICK = ("anonymous", "foreign token", "other", "organiser")
"""The readers of ``make test``; ``make test-all`` asks as all of them."""


@dataclass(frozen=True)
class Canary:
    """Words that stand in one place: who may find them, and who must."""

    words: str
    may: frozenset[str]
    must: frozenset[str] = frozenset({"organiser"})

    def told(self, content: bytes) -> bool:
        """Say whether an answer holds the words, whatever their capitals."""
        return re.search(rb"\b%s\b" % self.words.encode(), content, re.IGNORECASE) is not None


OWN = frozenset({"owner", "player"})  # both hold personal links of player 1's table or place
DRAFT = Canary("31337", STAFF)
FOUND = {
    "penalty": Canary("zibibbo infrazione", STAFF | OWN),
    "note of a penalty": Canary("zibibbo nota penale", STAFF),
    "note of a check": Canary("zibibbo nota mazzo", STAFF),
    "call": Canary("zibibbo chiamata", STAFF | OWN | {"opponent"}),
    "staff note": Canary("zibibbo appunto", STAFF),
    "address of a player": Canary("zibibbo-giocatore@example.org", frozenset({"organiser"})),
    "address of a judge": Canary("zibibbo-giudice@example.org", frozenset({"organiser", "judge"})),
    "address of a stranger": Canary(
        "zibibbo-altrove@example.org", frozenset({"stranger"}), frozenset()
    ),
}
NOWHERE_SHOWN = {"address of a player"}
"""What is shown to nobody: who finds it nowhere is no fault of the test."""


class Matrix(Aviary):
    """An event of four with canaries in all that is written beside the lists."""

    def __init__(self) -> None:
        super().__init__("registration")
        self.prepare()
        self.enter("drafted")
        self.enter("closed")
        self.write()
        token = make_token(
            event=make.open_event(elsewhere := make.organiser()),
            level=TokenScope.Level.MANAGE,
            by=elsewhere,
        )
        self.browsers["foreign token"] = Client(headers={"authorization": f"Token {token}"})

    def write(self) -> None:
        """Put a canary into each place."""
        one = self.event.entries.get(number=1)
        Entry.objects.filter(pk=one.pk).update(user=make.user("zibibbo-giocatore@example.org"))
        rename(self.browsers["judge"], "zibibbo-giudice@example.org")
        rename(self.browsers["stranger"], "zibibbo-altrove@example.org")
        Penalty.objects.filter(entry=one).update(
            infraction="Zibibbo Infrazione", note="Zibibbo Nota Penale"
        )
        DeckCheck.objects.filter(entry=one).update(note="Zibibbo Nota Mazzo")
        match = Match.objects.filter(round__event=self.event, a=one).first() or Match.objects.get(
            round__event=self.event, b=one
        )
        called = calls.call_judge(
            match=match, entry=one, reason="Zibibbo Chiamata", by=Actor(entry=one)
        )
        notes.note_match(match=match, text="Zibibbo Appunto", by=self.by)
        self.parts |= {"call_id": called.pk, "match_id": match.pk}

    def draft(self) -> None:
        """Play the round and draft the next, one of its matches at a table of its own."""
        event = Event.objects.get(pk=self.event.pk)
        make.play_round(event.rounds.get(), self.by)
        item = rounds.draft_round(event=event, expected_round=2, by=self.by)
        match = item.matches.order_by("table").last()
        Match.objects.filter(pk=match.pk).update(table=int(DRAFT.words))

    def finish(self) -> None:
        """Publish the draft and play to the end."""
        event = Event.objects.get(pk=self.event.pk)
        Match.objects.filter(table=int(DRAFT.words)).update(table=2)
        item = rounds.publish_round(event=event, ordinal=2, by=self.by)
        make.play_round(item, self.by)
        self.event = make.play_event(Event.objects.get(pk=event.pk), self.by)

    def everywhere(self) -> Iterator[str]:
        """Yield every address of the site."""
        ours = [name for name in TAKING if name.startswith("tournaments")]
        yield from self.addresses(ours, (1, self.numbers["opponent"]), ("text",))
        yield from (reverse(name, args=PARTS.get(name)) for name in TAKING if name not in ours)


def rename(browser: Client, address: str) -> None:
    """Give the person who is signed in another address."""
    from accounts.models import User

    User.objects.filter(pk=browser.session["_auth_user_id"]).update(email=address)


def found_by(around: Matrix, reader: str, canaries: dict[str, Canary]) -> dict[str, list[str]]:
    """Return where a reader finds each of the canaries."""
    cache.clear()
    found: dict[str, list[str]] = {name: [] for name in canaries}
    for address in dict.fromkeys(around.everywhere()):
        content = everything(around.browsers[reader].get(address))
        for name, canary in canaries.items():
            if canary.told(content):
                found[name].append(address)
    return found


def leaks(around: Matrix, readers: tuple[str, ...], canaries: dict[str, Canary]) -> list[str]:
    """Return each canary that a reader finds and may not, or must find and does not."""
    wrong = []
    for reader in readers:
        for name, where in found_by(around, reader, canaries).items():
            canary = canaries[name]
            if where and reader not in canary.may:
                wrong.append(f"{reader}: {name} in {where}")
            if not where and reader in canary.must and name not in NOWHERE_SHOWN:
                wrong.append(f"{reader}: {name} nowhere")
    return wrong


@pytest.mark.parametrize(
    "readers", [QUICK, pytest.param(READERS, marks=pytest.mark.deep)], ids=["quick", "all"]
)
def test_what_is_written_beside_the_lists_is_found_by_whom_it_concerns(
    readers: tuple[str, ...],
) -> None:
    around = Matrix()
    around.draft()
    assert not leaks(around, readers, FOUND | {"draft": DRAFT})
    around.finish()
    assert not leaks(around, readers, FOUND)


def test_there_are_twelve_readers_and_a_canary_is_seen_where_it_is() -> None:
    assert len(set(READERS)) == 12
    assert set(QUICK) < set(READERS)
    around = Matrix()
    shown = Canary(make.player_name(0).lower(), frozenset(), frozenset())
    assert leaks(around, ("anonymous",), {"name": shown})
