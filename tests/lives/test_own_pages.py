"""A player's page says what its state allows, whatever happened, and what it says comes true."""

import logging
import re
from collections.abc import Iterable
from typing import NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.utils import translation

from config.wording import translate
from rules.errors import RuleError
from rules.events.lifecycle import OPEN, RejoinStatus
from rules.events.own_page import AT_TABLE, DONE, OUT, PlayerPageState, PlayerState
from tests import factories as make
from tests.lives.beside_public import PublicPages, differences
from tests.lives.by_chance import LifeByChance
from tests.lives.offered import acts, figures, offers, sent_in_vain, tree_of
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.personal.selectors.ended import has_seat_in
from tournaments.personal.selectors.player import player_page
from tournaments.personal.selectors.state import current_page_state
from tournaments.players.services.departures import drop_leaving_players_if_due, rejoin
from tournaments.standings.selectors.ranking import ranking_page

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
S = PlayerState
NEXT = {S.DECIDED, S.BETWEEN}
WITHOUT = {S.BYE, S.RESTS, S.MISSED}
ALL = set(PlayerState)
TOGETHER = {
    "You play on": NEXT,
    "to-come": NEXT | WITHOUT | {S.HERE},
    "appear here automatically": NEXT | WITHOUT | {S.HERE},
    "Not decided yet": {S.UNSURE},
    "<span>Now</span>": {S.UNSURE},
    "Report the result": {S.PLAYING},
    "Waiting for <bdi>": {S.REPORTED},
    "Yes, that’s right": {S.TO_CONFIRM},
    "The reports differ": {S.DISPUTED},
    "Made a mistake?": {S.DISPUTED},
    "Call a judge": AT_TABLE - {S.DISPUTED},
    "stay at your table": AT_TABLE,
    "What you still need": ALL - DONE,
    "Drop from the event": ALL - DONE,
    'class="my-place"': OUT | {S.OVER, S.LEFT, S.DISQUALIFIED},
    "You have no more matches": OUT,
    "decided who advanced": ALL - AT_TABLE,
    "Well played": {S.OUT, S.OVER},
    "You have dropped": {S.LEFT},
    "Ask to come back": {S.LEFT},
    "You have asked to come back": {S.LEFT},
    "You can’t come back": {S.LEFT},
    "have been disqualified": {S.DISQUALIFIED},
    "speak to the head judge": {S.DISQUALIFIED},
}
"""In which states a sentence may stand on the page."""
PLAYS_ON = NEXT | WITHOUT
LEADS_TO_ACT = re.compile(r"/me/(drop|matches/\d+/report)/$")
"""Pages behind links on which an act waits for its button."""
PROMISED = re.compile(r"Next match: Round (\d+)")
LATER = re.compile(r'seat-say"[^>]*>[^<]*Next match: (?!Round \d)([^<]+)<')
BY_CORRECTION = {S.SEAT_LOST, S.TAKEN_OUT}
"""What comes of guided corrections alone, which these lives have not."""
MET = {
    *NEXT,
    *(DONE - BY_CORRECTION),
    S.PLAYING,
    S.REPORTED,
    S.TO_CONFIRM,
    S.BYE,
    S.RESTS,
    S.UNSURE,
}
"""What many lives meet with."""


class Said(NamedTuple):
    """What a page said: its state, how many matches there were, which rounds and stages come."""

    state: PlayerPageState
    played: int
    rounds: frozenset[int]
    stages: frozenset[str]


def pages(event: Event) -> dict[int, Said]:
    """Hold every player's page against its state; return what they said."""
    event = drop_leaving_players_if_due(
        Event.objects.get(pk=event.pk)
    )  # as the first reader's request does
    facts = load_facts(event, for_staff=False)
    found = {}
    for entry in event.entries.select_related("event", "user").order_by("number"):
        shown = player_page(facts, entry)
        page = page_of(entry)
        state = shown.state
        for words, states in TOGETHER.items():
            assert words not in page or state.state in states, (entry, state, words)
        found[entry.number] = Said(
            state,
            matches_of(entry),
            frozenset(map(int, PROMISED.findall(page))),
            frozenset(LATER.findall(page)),
        )
    return found


def page_of(entry: Entry) -> str:
    """Return what the page polls, "" for a late entry, who has no account to sign in with."""
    return "" if entry.user is None else browser_of(entry).get(path_of(entry)).content.decode()


def browser_of(entry: Entry, language: str = "en") -> Client:
    browser = Client(headers={"accept-language": language})
    browser.force_login(entry.user)
    return browser


def path_of(entry: Entry) -> str:
    return f"/events/{entry.event.slug}/me/now/"


def hold(event: Event, entries: Iterable[Entry]) -> None:
    """Hold players' pages against the public ones, their offers against what is then refused.

    Both languages offer the same, and tell the same numbers.
    """
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    public = PublicPages(facts)
    for entry in entries:
        page, shown = page_of(entry), player_page(facts, entry)
        found = differences(public, shown, page)
        assert not found, (entry, shown.state, found)
        tree, path = tree_of(page), path_of(entry)
        italian = tree_of(browser_of(entry, "it").get(path).content.decode())
        assert acts(tree, path) == acts(italian, path), entry
        english, other = figures(tree), figures(italian)
        assert english == other, (entry, english - other, other - english)
        browser = browser_of(entry)
        refused = sent_in_vain(browser, tree, path, sure="1")
        for link in sorted(set(tree.xpath(".//a/@href"))):
            if not LEADS_TO_ACT.search(link):
                continue
            asked = tree_of(browser.get(link).content.decode())
            assert next(offers(asked, link), None), (entry, shown.state, link)
            if link.endswith("/drop/"):  # a form of many fields can be filled in wrongly
                refused += sent_in_vain(browser, asked, link)
        assert not refused, (entry, shown.state, refused)


def matches_of(entry: Entry) -> int:
    return entry.match_seats.filter(match__round__state="published").count()


def returns_hold(event: Event, said: dict[int, Said]) -> None:
    """See that who may ask to come back plays on once taken back, and nobody else who left.

    While others of a stage that leads on still play, nobody knows whether it is so.
    """
    by = Actor(user=event.created_by)
    for number, (state, *_more) in said.items():
        if state.returning is RejoinStatus.NOT_OFFERED:
            continue
        with transaction.atomic():
            entry = Entry.objects.select_related("event").get(event=event, number=number)
            try:
                back = rejoin(entry=entry, by=by)
            except RuleError:
                assert state.returning not in OPEN, (entry, state)
                continue
            facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
            stage, plays = facts.open_stage, current_page_state(facts, back).plays
            open_still = stage is not None and bool(stage.used and stage.missing)
            transaction.set_rollback(True)
        assert plays or state.returning not in OPEN or open_still, (entry, state)
        assert state.returning in OPEN or not plays, (entry, state)


def comes_true(event: Event, before: dict[int, Said]) -> None:
    """See that what was said of players holds when the event has been played to its end."""
    facts = load_facts(event)
    made = {item.ordinal for item in facts.rounds}
    ranks = {row.entry.number: row for row in ranking_page(facts).rows}
    for entry in event.entries.all():
        state, played, rounds, stages = before[entry.number]
        with translation.override("en"):
            sat = {
                translate(each.plan.label)
                for each in facts.stages
                if has_seat_in(each, entry.number)
            }
        assert rounds <= made, (entry, state)
        assert stages <= sat, (entry, state)
        more = matches_of(entry) - played
        if state.state in OUT:
            assert more == 0, (entry, state)
            if state.places:
                first, last, shared = state.places
                final = ranks[entry.number]
                assert first <= final.rank <= last, (entry, state)
                assert not state.place or final.shared == shared, (entry, state)
        if state.state in PLAYS_ON:
            assert more > 0, (entry, state)


def live(seed: int, *, whole: bool) -> set[PlayerState]:
    """Live a life by chance; return the states that were met.

    The pages of all are held against the public ones if ``whole``, else one at the last moment.
    """
    life, met = LifeByChance(seed), set[PlayerState]()
    for _moment in range(3):
        life.live(life.rng.randint(3, 9))
        said = pages(life.event)
        returns_hold(Event.objects.get(pk=life.event.pk), said)
        met |= {each.state.state for each in said.values()}
        if whole:
            hold(life.event, with_account(life.event))
            change_settings(life)
    if not whole:
        hold(life.event, with_account(life.event)[:1])
    with transaction.atomic():
        comes_true(life.end(), said)
    met |= {each.state.state for each in pages(life.event).values()}
    if whole:
        hold(life.event, with_account(life.event))
    return met


def change_settings(life: LifeByChance) -> None:
    """Change what an event may change at any time and own pages depend on."""
    values = {
        "player_reports": life.rng.random() < 0.7,
        "standings_held": life.rng.choice(Event.Held.values),
        "confirm_after": life.rng.choice((0, 10)),
    }
    event = Event.objects.get(pk=life.event.pk)
    if event.state == Event.State.RUNNING:
        make.events.change_event(event=event, changes=values, by=Actor(user=event.created_by))


def with_account(event: Event) -> list[Entry]:
    players = event.entries.exclude(user=None).select_related("event", "user")
    return list(players.order_by("number"))


@pytest.mark.parametrize(
    ("fewest", "most"),
    [(2, 2), pytest.param(30, 90, marks=pytest.mark.deep)],
    ids=["few", "many"],
)
def test_no_page_contradicts_its_state_and_what_it_says_comes_true(fewest: int, most: int) -> None:
    """Many lives meet all there is to meet: lives go on for what is rare, at most ``most``."""
    logging.disable(logging.CRITICAL)
    wanted, met = MET if most > fewest else {S.OVER, S.PLAYING}, set[PlayerState]()
    try:
        for seed in range(most):
            if seed >= fewest and met >= wanted:
                break
            with transaction.atomic():
                met |= live(seed, whole=most > fewest)
                transaction.set_rollback(True)
    finally:
        logging.disable(logging.NOTSET)
    assert met >= wanted
