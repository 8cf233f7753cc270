"""Whose lists are seen by whom, in every state of an event: the golden table, crawled.

Safety notes, T01 to T03. Each player's list, the one before it, the note beside it and the draft
hold what nothing else holds. Whoever may not read a list finds none of it in anything that
the site answers; whoever may finds some. New addresses are crawled without being named here.
"""

from collections.abc import Iterable, Mapping, Set

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.models import Decklist
from tests import factories as make
from tests.canary_event import (
    APART,
    FEW,
    LISTS,
    PLAYERS,
    READ,
    READERS,
    SEATED,
    SHARPEST,
    SOME,
    STATES,
    TAKING,
    WHOLE,
    CanaryEvent,
    begun,
    card,
    former,
    leader,
    named,
    note,
)
from tests.crawling import everything, refusing, still
from tournaments.models import DeckSubmission, Event, TokenScope
from tournaments.staff.services import create_event_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]


EVERYBODY = {"anonymous", "foreign", "scorekeeper", *SEATED, *READERS}


def told(content: bytes, words: str) -> bool:
    """Say whether an answer of :func:`read` holds words, whatever their capitals."""
    return words.lower().encode() in content


def read(answer: HttpResponse) -> bytes:
    """Return all that an answer holds, in small letters."""
    return everything(answer).lower()


@pytest.mark.deep
def test_lists_are_seen_as_the_table_says() -> None:
    """Where lists are near as everybody; on every address of the site where a list slips first.

    A player's opponent is asked for too where they may see more than another.
    """
    crawled(SHARPEST)


@pytest.mark.deep
def test_lists_are_seen_as_the_table_says_on_every_address() -> None:
    crawled(WHOLE)


def crawled(whole: Mapping[str, set[str]], only: Set[str] = EVERYBODY) -> None:
    """Take an event from state to state; ask for all that each role may come upon."""
    around = CanaryEvent("registration")
    around.prepare()
    for state in STATES:
        around.enter(state)
        outside = ("anonymous", "foreign", "scorekeeper") if state in FEW else ("anonymous",)
        seated = SEATED if whole is WHOLE or state in APART else ("owner", "other")
        for role in only & {*outside, *seated}:
            check(around, state, role, around.asked(state, role, whole))
        for role in only & (READERS if state in FEW else {"judge"}):
            check(around, state, role, [*around.addresses(LISTS)])


def check(around: CanaryEvent, state: str, role: str, asked: Iterable[str]) -> None:
    """Look for every canary in all that a role is answered, and at how lists are refused."""
    cache.clear()
    answers = {address: around.browsers[role].get(address) for address in asked}
    found = {address: read(answer) for address, answer in answers.items()}
    for number in PLAYERS:
        own = around.numbers.get(role) == number
        for words, may in (
            (card(number), around.reads(state, role, number)),
            (leader(number), around.reads(state, role, number) or state == "leaders"),
            (former(number), None if own or role in READERS else False),
            (note(number), None if own or role in READERS else False),
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
    due = 200 if state in ("published", "reopened") else 404
    assert played.status_code == due, f"{state}, {role}"


@pytest.mark.deep
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_staff_find_no_draft_and_refusals_hold_nothing(every: bool) -> None:
    """As judge one player's pages, and in ``make test-all`` two players' for each role.

    What the organiser finds, ``test_canary_matrix`` looks for.
    """
    around = CanaryEvent("registration")
    around.prepare()
    around.enter("drafted")
    around.enter("closed")
    names = [name for name in TAKING if name.startswith("tournaments:")]
    for role, number in (("organiser", 1), ("judge", 3)) if every else (("judge", 3),):
        for address in around.addresses(set(names) & set(READ), SOME if every else [number]):
            content = read(around.browsers[role].get(address))
            assert not told(content, "Zibibbo Bozza"), (role, address)
    for address in around.addresses(set(names) - refusing("POST"), SOME if every else [1]):
        content = read(around.undone("other", "post", address, {}))
        for number in set(PLAYERS) - {around.numbers["other"]}:
            assert not told(content, f"Carta{number}"), address
            assert not told(content, f"Capo{number}"), address


@pytest.mark.deep
def test_a_token_reaches_no_further_than_its_event() -> None:
    around = CanaryEvent("registration")
    around.prepare()
    elsewhere = make.organiser()
    other = make.open_event(elsewhere)
    level = TokenScope.Level.MANAGE
    for state in ("drafted", "closed"):
        around.enter(state)
        names = [name for name in READ if name.startswith("tournaments_api:")]
        for event, by, finds in ((other, elsewhere, False), (around.event, around.by, True)):
            token = create_event_token(event=event, level=level, by=by)
            browser = Client(headers={"authorization": f"Token {token}"})
            found = {at: read(browser.get(at)) for at in around.addresses(names, PLAYERS)}
            for number in PLAYERS:
                where = [at for at, content in found.items() if told(content, card(number))]
                assert bool(where) is finds, (state, number, where)


PUBLIC = named(
    *("event", "players", "standings", "formula", "record", "pairings", "workbook"),
    *("decklists", "decklist", "decklist-file", "played", "register", "me", "my-deck", "log"),
    *("manage-files", "manage-players", "manage-decklists", "desk"),
)


@pytest.mark.deep
@pytest.mark.parametrize(
    "state",
    ["closed", *(pytest.param(s, marks=pytest.mark.deep) for s in ("registration", "finished"))],
)
def test_two_lists_swapped_change_no_answer(state: str) -> None:
    """Who has no right to two lists can't tell which is whose, nor which is the illegal one."""
    around = CanaryEvent("registration")
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


def answers(around: CanaryEvent, role: str, ours: Iterable[int]) -> dict[str, bytes]:
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
    around = CanaryEvent("registration")
    around.prepare()
    page = around.browsers["judge"].get(around.address("manage-player-decklist"))
    before = still(page)
    swap(around.event, 1, 2)
    page = around.browsers["judge"].get(around.address("manage-player-decklist"))
    assert still(page) != before
