"""Canaries: what somebody may not see is in no page, file or header that they can open.

Safety notes, T02 and T05.
"""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from config.shown_once import token_hash
from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.around import ROLES, Around
from tournaments.decklists import services as decklists
from tournaments.lots import services as draws
from tournaments.models import Draw, Event
from tournaments.players.services import entries
from tournaments.rounds import services as rounds
from tournaments.staff import services as staff
from tournaments.starting import services as starting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

CARD = "Zafferanino Segreto"
READERS = ("judge", "head_judge", "organiser")
CLOSEST = ("anonymous", "player", "judge", "organiser")
"""Who looks in ``make test``; in ``make test-all`` all others too."""
MAIL = "canarino.postale@example.org"
PAGES = (
    *("event", "players", "standings", "formula", "record", "pairings", "workbook"),
    *("register", "me", "me-now", "my-deck", "my-drop", "my-report", "desk", "desk-tables"),
    *("checks", "check", "check-exchange", "deck-sheets", "deck-sheet", "my-sheet", "penalties"),
    *("desk-round", "match", "desk-result", "desk-battle", "match-correct", "lots", "advance"),
    *("manage-settings", "manage-players", "manage-player", "manage-player-decklist"),
    *(
        "manage-files",
        "manage-staff",
        "manage-start",
        "log",
        "manage-decklists",
        "my-deck-versions",
    ),
    *("manage-player-decklist-versions",),
)
CHANGING = re.compile(  # tokens, seconds, the number of the request, the version of the event
    rb'(csrfmiddlewaretoken" value="|nonce=")[^"]*|\d{2}:\d{2}:\d{2}|\b[0-9a-f]{12}\b'
    rb'|W/(&quot;|")[^"&]*'
    rb'|(?<=-)\d+(?=\.png")'  # a picture's address has the version, as the line above the foot
    # of a line that is not public it tells nothing: a salt that nobody knows is in it
    rb'|\b([Ll]ine|[Rr]iga) \d+|<code( class="hash")?>[0-9a-f]{64}(?=</code>)'
)


class Secrets(Around):
    """A started event, its first round drafted; the owner of the secret list is number 1."""

    def made(self, state: str) -> Event:
        """Return the event with lists, the first of them with a card of its own."""
        event = make.open_event(self.by, decklists=Event.Decklists.REQUIRED)
        make.players(event, 6, self.by)
        make.with_decks(event, self.by)
        text = sample_deck(event.format, 0)
        card = re.search(r"5 ([^(\n]+) \(", text).group(1)
        owner = event.entries.get(number=1)
        decklists.submit_decklist(entry=owner, text=text.replace(card, CARD), by=self.by)
        draw = draws.draw_start_order(event=event, by=self.by)
        starting.start_event(event=event, draw_number=draw.number, by=self.by)
        self.judge(event)
        return Event.objects.get(pk=event.pk)

    def addresses(self) -> Iterator[str]:
        """Yield everything that can be read, of those players who have a secret."""
        matches = [match.pk for item in self.event.rounds.all() for match in item.matches.all()[:2]]
        for name in PAGES:
            for number in (1, 3, 4) if name.startswith("manage-player") else (1,):
                for match in matches or (1,):
                    self.parts |= {"number": number, "match_id": match}
                    yield self.address(name)
        yield reverse("tournaments:pairings", args=[self.event.slug, 1])
        yield reverse("tournaments:event-list")
        yield reverse("tournaments:my-events")
        yield reverse("decks:format", args=[self.event.format])
        for path in ("", f"?search={CARD}", "?ordering=deck", "?filter=no-deck", "?word=Zaff"):
            yield self.address("players") + path

    def crawl(self, role: str) -> dict[str, bytes]:
        """Return everything that a role is answered, by address."""
        cache.clear()
        found = {}
        for address in dict.fromkeys(self.addresses()):
            found[address] = everything(self.browsers[role].get(address))
        return found


def everything(answer: HttpResponse) -> bytes:
    """Return headers and body, workbooks unpacked."""
    body = answer.content
    if body.startswith(b"PK"):
        with ZipFile(BytesIO(body)) as book:
            parts = [book.read(name) for name in book.namelist() if "docProps" not in name]
        return b"\n".join(parts)
    return str(answer.headers).encode() + body


def holding(found: dict[str, bytes], secret: str) -> list[str]:
    """Return the addresses that give a secret away."""
    return [address for address, content in found.items() if secret.encode() in content]


@pytest.fixture
def around() -> Secrets:
    """Return the event; number 2 has the player's browser, the owner one of their own."""
    made = Secrets("running")
    entry = made.event.entries.get(number=2)
    token = entries.make_link(entry=entry, by=made.by)
    made.browsers["player"].get(reverse("tournaments:open-link", args=[token]))
    return made


@pytest.mark.deep
@pytest.mark.parametrize(
    "roles", [CLOSEST, pytest.param([*{*ROLES} - {*CLOSEST}], marks=pytest.mark.deep)]
)
def test_lists_addresses_seeds_and_links_are_told_to_whom_they_concern(
    around: Secrets, roles: Sequence[str]
) -> None:
    """A walk of each: a list, an address of mail, an announced seed, a personal link."""
    person = User.objects.create_user(MAIL, "girone-test", name="")
    around.event.entries.filter(number=3).update(user=person)
    staff.give_role(event=around.event, email=MAIL, role="judge", by=around.by)
    token = entries.make_link(entry=around.event.entries.get(number=4), by=around.by)
    announced = around.event.draws.get(state=Draw.State.ANNOUNCED)
    hidden = (token, token_hash(token), announced.seed)
    for role in roles:
        found = around.crawl(role)
        assert bool(holding(found, CARD)) is (role in READERS), role
        if role != "judge":
            assert bool(holding(found, MAIL)) is (role == "organiser"), role
        assert [holding(found, secret) for secret in hidden] == [[], [], []], role
        if role == "anonymous":
            assert holding(found, announced.fingerprint)


def test_a_list_is_read_by_its_owner(around: Secrets) -> None:
    owner = around.event.entries.get(number=1)
    token = entries.make_link(entry=owner, by=around.by)
    around.browsers["player"].get(reverse("tournaments:open-link", args=[token]))
    mine = [around.address(name) for name in ("my-deck", "my-sheet", "my-deck-versions")]
    assert holding(around.crawl("player"), CARD) == mine


@pytest.mark.deep
@pytest.mark.parametrize(
    "names",
    [("anonymous", "player"), pytest.param(("stranger", "foreign"), marks=pytest.mark.deep)],
    ids=" and ".join,
)
def test_a_drafted_round_changes_nothing_for_the_public(
    around: Secrets, names: tuple[str, ...]
) -> None:
    before = {name: around.crawl(name) for name in names}
    rounds.draft_round(event=around.event, expected_round=1, by=around.by)
    for name in names:
        after = around.crawl(name)
        # the addresses of a match depend on its key, which PostgreSQL does not give twice
        for address in before[name].keys() & after.keys():
            assert same(before[name][address], after[address]), (name, address)
    assert holding(around.crawl("organiser"), "desk/rounds/1/")
    rounds.publish_round(event=around.event, ordinal=1, by=around.by)
    address = around.address("pairings")
    seen = around.browsers[names[-1]].get(address)
    assert not same(before[names[-1]][address], everything(seen))


def same(one: bytes, other: bytes) -> bool:
    """Say whether two pages differ in nothing but tokens, the request's number and seconds."""
    return _still(one) == _still(other)


def _still(content: bytes) -> bytes:
    body = content[content.find(b"<!") :] if b"<!" in content else b""
    return CHANGING.sub(b"", body)
