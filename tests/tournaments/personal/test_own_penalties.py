"""What the own page says of who sees a penalty is what others see of it."""

from typing import Any

import pytest
from django.test import Client

from rules.events.penalties import LADDER
from tests import factories as make
from tests.browsers import by_link, text, url
from tests.reporting import decide
from tests.told.reading import ENGLISH
from tournaments.core.event_state import load_facts
from tournaments.models import Entry, Event, Match
from tournaments.penalties.services import give_penalty
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.player import own_penalties

pytestmark = pytest.mark.django_db
OFFENCE = "Carte segnate"
ALONE = "Nobody but you and the staff sees it."


@pytest.fixture
def match(by, in_english) -> Match:
    event = make.playing(by, 4, formula="single-group", format="doomtrooper-original")
    found = Match.objects.select_related("round__event", "group__stage")
    return found.get(round__event=event, table=1)


def told(entry: Entry) -> dict[str, Any]:
    """Return a player's penalties as their page tells them."""
    facts = load_facts(entry.event, drafts=False)
    row = facts.entries[entry.number]
    return own_penalties(facts, row, beside(facts).penalties.get(entry.pk, ()))


def said(entry: Entry) -> list[str]:
    """Return who sees each penalty of a player, the latest first."""
    return [each["seen"] for each in told(entry)["rows"]]


def anybody(match: Match, name: str, *args: object) -> str:
    """Return what a reader without account reads."""
    return text(Client(headers=ENGLISH).get(url(name, match.round.event, *args)))


@pytest.mark.parametrize("level", LADDER)
def test_who_sees_a_penalty_is_said_of_each_kind(by, match, level):
    give_penalty(entry=match.players[0], level=level, infraction=OFFENCE, by=by)
    (seen,) = said(match.players[0])
    page = text(by_link(match.players[0], by).get(url("me", match.round.event)))
    assert seen in page
    assert OFFENCE in page
    shown = anybody(match, "public-match", 1, match.number) + anybody(
        match, "player", match.players[0].number
    )
    opponent = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert OFFENCE not in shown + opponent
    assert ("you lost the match by a penalty" in seen) == ("loses by a penalty" in shown)
    assert ("you are disqualified" in seen) == ("Disqualified" in shown)
    assert ("a game is theirs" in seen) == ("a game of your match" in opponent)
    assert (seen == ALONE) == (level in ("caution", "warning"))


def test_a_match_loss_that_decided_nothing_is_read_by_nobody_else(by, match):
    decide(match, by, 40, 22)
    give_penalty(entry=match.players[0], level="match_loss", infraction=OFFENCE, by=by)
    give_penalty(entry=match.players[1], level="game_loss", infraction=OFFENCE, by=by)
    assert said(match.players[0]) == [ALONE]
    assert said(match.players[1]) == ["Everybody sees the result of the match, never this penalty."]


def test_standings_that_count_penalties_are_said_to_tell_how_many(match):
    event = match.round.event
    assert not told(match.players[0])["counted"]
    Event.objects.filter(pk=event.pk).update(criteria=["points", "fewest_penalties", "lots"])
    assert told(Entry.objects.select_related("event").get(pk=match.players[0].pk))["counted"]
