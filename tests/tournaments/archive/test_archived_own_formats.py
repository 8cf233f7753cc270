"""Archives of events of games of one's own bring the rules that the event began with."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from decks.models import FormatVersion, HouseFormat
from decks.own_formats.services import OwnFormat, change_own_format, make_own_format
from decks.rulebook import deck_format
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.json import rules_to_json
from rules.errors import BadInput
from rules.standings.rank_document import parse
from rules.standings.table import rank
from tests import factories as make
from tests.tournaments.own_formats.games import PAUPER
from tests.transcripts import draws_of
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import points_of
from tournaments.core.permissions import Actor
from tournaments.exports.views import whole_transcript
from tournaments.models import Event
from tournaments.players.services.departures import withdraw
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def by() -> Actor:
    return make.organiser()


def began_before_a_change(by: Actor) -> Event:
    """Return an event that began with the first of two versions."""
    assert by.user is not None
    house = make_own_format(OwnFormat(**PAUPER), by=by.user)
    event = make.started(by, 4, formula="single-group", format=house.slug, decklists="off")
    make.play_round(make.next_round(event, by), by)
    other = PAUPER | {"rules": {**PAUPER["rules"], "match": {"best_of": 5}}}
    change_own_format(OwnFormat(**other), slug=house.slug, by=by.user)
    return Event.objects.get(pk=event.pk)


def gone(event: Event) -> None:
    event.delete()
    HouseFormat.objects.all().delete()
    FormatVersion.objects.all().delete()


def test_the_version_that_it_began_with_comes_back_elsewhere(by: Actor) -> None:
    event = began_before_a_change(by)
    first = archive(event)
    gone(event)
    again = restore(first, caller=make.user())
    assert deck_format(again.format_key).match.best_of == 3
    assert archive(again) == first
    assert list(verify_event(again)) == []


def test_beside_the_format_itself_it_has_one_of_its_own(by: Actor) -> None:
    event = began_before_a_change(by)
    slug, first = event.format, archive(event)
    event.delete()
    again = restore(first, caller=make.user())
    assert again.format != slug
    assert deck_format(again.format_key).match.best_of == 3
    assert deck_format(slug).match.best_of == 5
    assert archive(again) == first
    assert Client().get(f"/events/{again.slug}/").status_code == 200


@pytest.mark.parametrize("wrong", ["none", "other", "rules"])
def test_rules_that_are_missing_or_not_the_events_are_refused(by: Actor, wrong: str) -> None:
    event = began_before_a_change(by)
    document = json.loads(archive(event))
    (row,) = document["tables"]["format_versions"]
    if wrong == "none":
        document["tables"]["format_versions"] = []
    elif wrong == "other":
        row["version"] = 7
    else:
        row["rules"] = {"zones": []}
    gone(event)
    with pytest.raises(BadInput):
        restore(json.dumps(document).encode(), caller=make.user())
    assert not FormatVersion.objects.exists()


@pytest.mark.parametrize("key", ["chess", "pokemon-standard", "magic-constructed"])
def test_halves_floor_and_shares_of_a_game_are_played_and_verified(by: Actor, key: str) -> None:
    assert by.user is not None
    found = next(one for one in ready_made() if one.key == key)
    rules: Any = rules_to_json(found.rules)
    content = OwnFormat(game=found.game, name=found.name, lists=found.lists, rules=rules)
    house = make_own_format(content, by=by.user)
    formula = "single-group" if key == "chess" else "swiss-cut"  # which has byes
    event = make.started(by, 5, formula=formula, format=house.slug, decklists="off")
    make.play_event(event, by)
    event = Event.objects.get(pk=event.pk)
    points = points_of(event)
    standings = found.rules.standings
    assert points.win / points.parts == standings.points[0]
    assert points.draw * 1.0 / points.parts == float(standings.points[1])
    assert (points.floor, points.draw_share or standings.draw_share) == (
        standings.floor,
        standings.draw_share,
    )
    assert points.dropped_cap == standings.dropped_cap
    assert (points.bye_games, points.byes_left_out) == (
        standings.bye_games,
        standings.byes_left_out,
    )
    assert list(verify_event(event)) == []
    draws_of(whole_transcript(event))
    first = archive(event)
    gone(event)
    assert archive(restore(first, caller=make.user())) == first


def test_who_drops_between_rounds_counts_at_most_75_percent_in_pokemon(by: Actor) -> None:
    assert by.user is not None
    found = next(one for one in ready_made() if one.key == "pokemon-standard")
    rules: Any = rules_to_json(found.rules)
    content = OwnFormat(game=found.game, name=found.name, lists="off", rules=rules)
    house = make_own_format(content, by=by.user)
    options = {"rounds": 4, "cut": 0}
    event = make.started(
        by, 8, formula="swiss-cut", format=house.slug, decklists="off", options=options
    )
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    first = load_facts(event).stages[0].outcome.standings["Swiss"].rows[0].player
    leader = event.entries.get(number=first)

    def shares() -> dict[Any, Any]:
        rows = load_facts(event).stages[0].outcome.standings["Swiss"].rows
        return {row.player: row.values["opponents_match_win"] for row in rows}

    before = shares()
    withdraw(entry=leader, by=by)
    assert shares() == before, "both rounds were played"
    make.play_round(make.next_round(event, by), by)
    event.refresh_from_db()
    assert list(verify_event(event)) == []
    state = load_facts(event).stages[0].state
    document = {
        "players": list(state.players),
        "points": {"win": 3, "draw": 1, "loss": 0},
        "criteria": ["opponents_match_win"],
        "withdrawn": [first],
        "dropped_cap": "3/4",
        "matches": [
            {"a": result.seats[0], "b": [*result.seats, None][1], "winner": result.winner}
            for played in state.rounds
            for _pairing, result in played
        ],
    }
    arguments = parse(document)
    usual = replace(arguments["points"], floor=Fraction(1, 4), byes_left_out=True)
    arguments["points"] = replace(usual, draw_share=Fraction(1, 2))
    expected = {row.player: row.values["opponents_match_win"] for row in rank(**arguments).rows}
    assert shares() == expected
    arguments["dropped"] = frozenset()
    assert expected != {
        row.player: row.values["opponents_match_win"] for row in rank(**arguments).rows
    }
