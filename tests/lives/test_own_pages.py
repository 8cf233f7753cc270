"""A player's page says what its state allows, whatever happened, and what it says comes true."""

import logging

import pytest
from django.db import transaction
from django.test import Client

from rules.errors import RuleError
from rules.events.own_page import AT_TABLE, DONE, OUT, OwnState, PlayerState
from rules.events.returning import OPEN, Returning
from tests.lives.by_chance import LifeByChance
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.personal.selectors.player import player_page
from tournaments.personal.selectors.state import state_of
from tournaments.players.services.departures import come_back
from tournaments.standings.selectors.ranking import ranking_page

pytestmark = pytest.mark.django_db
S = PlayerState
NEXT = {S.DECIDED, S.BETWEEN}
WITHOUT = {S.BYE, S.RESTS, S.MISSED}
ALL = set(PlayerState)
TOGETHER = {
    "Stay here: the table appears by itself.": NEXT,
    '"my-opponent">Round': NEXT,
    "You play on": NEXT,
    "It is about to begin": NEXT,
    "Your next table appears by itself.": WITHOUT,
    "your first table comes in round": NEXT | WITHOUT,
    "You play next in:": NEXT,
    "to-come": NEXT | WITHOUT | {S.HERE},
    "appears here by itself": {S.UNSURE, S.HERE},
    "Not decided yet": {S.UNSURE},
    "<span>now</span>": {S.UNSURE},
    "against <bdi>": AT_TABLE,
    "Report the result": {S.PLAYING},
    "has to confirm it": {S.REPORTED},
    "Yes, that is right": {S.TO_CONFIRM},
    "What you two reported": {S.DISPUTED},
    "Were you wrong?": {S.DISPUTED},
    "Call a judge to our table": AT_TABLE - {S.DISPUTED},
    "stay at your table": AT_TABLE - {S.DISPUTED},
    "It counts.": {S.DECIDED, S.BETWEEN, S.UNSURE},
    "What you still need": ALL - DONE - {S.UNSURE},
    "What comes next": ALL - DONE,
    "Leave the event": ALL - DONE,
    "Place ": OUT | {S.OVER, S.LEFT, S.DISQUALIFIED},
    "You play no more": OUT,
    "decided who goes on": ALL - AT_TABLE,
    "Well played": {S.OUT, S.OVER},
    "have left this event": {S.LEFT},
    "Ask to come back": {S.LEFT},
    "You have asked to come back": {S.LEFT},
    "You can’t come back": {S.LEFT},
    "are disqualified": {S.DISQUALIFIED},
    "speak to the head judge": {S.DISQUALIFIED},
}
"""In which states a sentence may stand on the page."""
PLAYS_ON = NEXT | WITHOUT
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


def pages(event: Event) -> dict[int, tuple[OwnState, int]]:
    """Hold every player's page against its state; return states and numbers of matches."""
    event = Event.objects.get(pk=event.pk)
    facts = load_facts(event, drafts=False)
    found = {}
    for entry in event.entries.select_related("event", "user").order_by("number"):
        shown = player_page(facts, entry)
        page = page_of(entry)
        state = shown.state
        for words, states in TOGETHER.items():
            assert words not in page or state.state in states, (entry, state, words)
        found[entry.number] = state, matches_of(entry)
    return found


def page_of(entry: Entry) -> str:
    """Return what the page polls, "" for a late entry, who has no account to sign in with."""
    if entry.user is None:
        return ""
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(entry.user)
    return browser.get(f"/events/{entry.event.slug}/me/now/").content.decode()


def matches_of(entry: Entry) -> int:
    return entry.match_seats.filter(match__round__state="published").count()


def returns_hold(event: Event, said: dict[int, tuple[OwnState, int]]) -> None:
    """See that who may ask to come back plays on once taken back, and nobody else who left.

    While others of a stage that leads on still play, nobody knows whether it is so.
    """
    by = Actor(user=event.created_by)
    for number, (state, _played) in said.items():
        if state.returning is Returning.NOT_OFFERED:
            continue
        with transaction.atomic():
            entry = Entry.objects.select_related("event").get(event=event, number=number)
            try:
                back = come_back(entry=entry, by=by)
            except RuleError:
                assert state.returning not in OPEN, (entry, state)
                continue
            facts = load_facts(Event.objects.get(pk=event.pk), drafts=False)
            stage, plays = facts.open_stage, state_of(facts, back).plays
            open_still = stage is not None and bool(stage.used and stage.missing)
            transaction.set_rollback(True)
        assert plays or state.returning not in OPEN or open_still, (entry, state)
        assert state.returning in OPEN or not plays, (entry, state)


def comes_true(event: Event, before: dict[int, tuple[OwnState, int]]) -> None:
    """See that what was said of players holds when the event has been played to its end."""
    ranks = {row.entry.number: row for row in ranking_page(load_facts(event)).rows}
    for entry in event.entries.all():
        state, played = before[entry.number]
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


def live(seed: int) -> set[PlayerState]:
    """Live a life by chance; return the states that were met."""
    life, met = LifeByChance(seed), set()
    for _moment in range(3):
        life.live(life.rng.randint(3, 9))
        said = pages(life.event)
        returns_hold(Event.objects.get(pk=life.event.pk), said)
        met |= {state.state for state, _played in said.values()}
    with transaction.atomic():
        comes_true(life.end(), said)
    met |= {state.state for state, _played in pages(life.event).values()}
    return met


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
                met |= live(seed)
                transaction.set_rollback(True)
    finally:
        logging.disable(logging.NOTSET)
    assert met >= wanted
