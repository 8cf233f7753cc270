"""Card lists, formats, formulas and rules of an archive are valid for its event alone."""

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from decks.card_lists.services import load_lists
from decks.formats.selectors import format_rows
from decks.house_formats.services import create_house_format
from decks.models import CardListVersion, FormatVersion, HouseFormat
from decks.own_formats.services import FormatInput, change_custom_format, create_custom_format
from decks.rulebook import current_rules, formats_with_list_dates
from decks.stored_formats import load_format
from rules.deckbuilding.data.files import shipped_rules
from rules.deckbuilding.data.json import rules_to_json
from rules.errors import BadInput
from rules.standings.rank_document import parse_rank_document
from rules.standings.table import rank
from tests import factories as make
from tests.tournaments.archive.documents import FORMAT, brought, content, taken_out
from tests.tournaments.formulas.test_saved_formulas import groups
from tests.tournaments.own_formats.games import PAUPER
from tests.transcripts import draws_of
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import available_formulas
from tournaments.core.mapping import event_points
from tournaments.core.permissions import Actor
from tournaments.events.services import delete_event
from tournaments.exports.views import event_transcript
from tournaments.formulas.services import save_formula
from tournaments.lots import services as draws
from tournaments.models import Event, SavedFormula
from tournaments.players.services import departures
from tournaments.players.services.departures import withdraw
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.mark.deep
def test_card_lists_of_an_archive_hold_for_its_event_alone(event: Event, client: Client) -> None:
    stranger = make.user()
    before = (
        current_rules(FORMAT).lists_dated,
        current_rules(FORMAT, owner_id=stranger.pk).lists_dated,
    )
    dates = formats_with_list_dates()
    client.force_login(stranger)
    made = client.post(
        "/api/v1/events/restore/", content(brought(taken_out(event))), "application/json"
    )
    assert made.status_code == 201, made.content
    again = Event.objects.get()
    assert again.card_lists is not None
    assert again.card_lists.owner == stranger
    after = (
        current_rules(FORMAT).lists_dated,
        current_rules(FORMAT, owner_id=stranger.pk).lists_dated,
    )
    assert after == before
    assert formats_with_list_dates() == dates
    page = client.get(f"/formats/{FORMAT}/").content.decode()
    assert "2031" not in page
    rows, dated = [{"list": "banned", "card": "Altra"}], date(2031, 1, 1)
    assert load_lists(slug=FORMAT, rows=rows, dated=dated, for_site=False, by=stranger).is_new


def test_what_is_brought_goes_with_its_event(by: Actor) -> None:
    document = brought(taken_out(make.event(by, format=FORMAT)))
    again = restore_archive(content(document), caller=by.user)
    delete_event(event=again, by=by)
    assert not CardListVersion.objects.exists()


@pytest.mark.deep
def test_a_house_format_of_somebody_else_is_neither_used_nor_locked(by: Actor) -> None:
    assert by.user is not None
    theirs = create_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=theirs.slug))
    stranger = make.organiser()
    again = restore_archive(content(document), caller=stranger.user)
    assert again.format != theirs.slug
    mine = HouseFormat.objects.get(slug=again.format)
    assert (mine.owner, mine.archived_as) == (stranger.user, theirs.slug)
    make.players(again, 4, stranger)
    drawn = draws.draw_start_order(event=again, by=stranger)
    starting.start_event(event=again, draw_number=drawn.number, by=stranger)
    theirs.refresh_from_db()
    assert theirs.locked_at is None
    assert [row["slug"] for row in format_rows()["house"]] == [theirs.slug]
    without = json.loads(content(document))
    without["tables"]["house_formats"] = []
    with pytest.raises(BadInput):
        restore_archive(content(without), slug="other", caller=stranger.user)


def test_a_house_format_that_nobody_could_read_is_refused(by: Actor) -> None:
    assert by.user is not None
    house = create_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=house.slug))
    document["tables"]["house_formats"][0]["changes"] = {"zones": 7}
    with pytest.raises(BadInput):
        restore_archive(content(document), caller=make.user())
    assert len(formats_with_list_dates()) > 0


def test_a_formula_of_somebody_else_stays_theirs(by: Actor) -> None:
    assert by.user is not None
    theirs = save_formula(owner=by.user, data=groups())
    document = taken_out(make.event(by, formula=theirs.slug))
    stranger = make.user()
    again = restore_archive(content(document), caller=stranger)
    mine = SavedFormula.objects.get(slug=again.formula)
    assert (mine.owner, mine.archived_as) == (stranger, theirs.slug)
    assert not SavedFormula.objects.made_here().filter(owner=stranger).exists()
    assert again.formula not in {each.key for each in available_formulas(stranger.pk)}
    named = document["tables"]["formulas"]
    for wrong in ([], [named[0] | {"slug": "single-group"}]):
        document["tables"]["formulas"] = wrong
        with pytest.raises(BadInput):
            restore_archive(content(document), slug="other", caller=stranger)


@pytest.mark.deep
@pytest.mark.parametrize("own", ["format", "formula"])
def test_what_is_renamed_here_keeps_chain_and_archive(by: Actor, own: str) -> None:
    assert by.user is not None
    if own == "format":
        house = create_house_format(base="thoom", name="Corta", changes={}, by=by.user)
        event = make.started(by, 4, formula="single-group", format=house.slug)
    else:
        event = make.started(by, 6, formula=save_formula(owner=by.user, data=groups()).slug)
    make.play_round(make.next_round(event, by), by)
    slug, first = getattr(event, own), event_archive(event)
    event.delete()
    again = restore_archive(first, caller=make.user())
    assert getattr(again, own) != slug
    assert list(verify_event(again)) == []
    assert event_archive(again) == first
    departures.withdraw(entry=again.entries.get(number=1), reason="", by=Actor(again.created_by))
    assert list(verify_event(Event.objects.get(pk=again.pk))) == []


@pytest.mark.parametrize("extra", ["card_lists", "house_formats", "formulas"])
def test_what_the_event_does_not_name_is_refused(by: Actor, extra: str) -> None:
    document = taken_out(make.event(by, format=FORMAT))
    named = {
        "card_lists": brought(json.loads(content(document)))["tables"]["card_lists"],
        "house_formats": [{"slug": "thoom--x", "base": "thoom", "name": "x", "changes": {}}],
        "formulas": [{"slug": "custom_x", "name": "x", "definition": {}}],
    }
    document["tables"][extra] = named[extra]
    with pytest.raises(BadInput):
        restore_archive(content(document), caller=make.user())
    assert not CardListVersion.objects.exists()


def test_a_formula_that_cannot_be_played_is_refused_once(by: Actor) -> None:
    assert by.user is not None
    document = taken_out(make.event(by, formula=save_formula(owner=by.user, data=groups()).slug))
    document["tables"]["formulas"][0]["definition"]["players"]["lowest"] = 2
    with pytest.raises(BadInput) as refused:
        restore_archive(content(document), caller=make.user())
    assert refused.value.sentence.values["path"] == "tables.formulas[0].definition"


def began_before_a_change(by: Actor) -> Event:
    """Return an event that began with the first of two versions."""
    assert by.user is not None
    house = create_custom_format(FormatInput(**PAUPER), by=by.user)
    event = make.started(by, 4, formula="single-group", format=house.slug, decklists="off")
    make.play_round(make.next_round(event, by), by)
    other = PAUPER | {"rules": {**PAUPER["rules"], "match": {"best_of": 5}}}
    change_custom_format(FormatInput(**other), slug=house.slug, by=by.user)
    return Event.objects.get(pk=event.pk)


def gone(event: Event) -> None:
    event.delete()
    HouseFormat.objects.all().delete()
    FormatVersion.objects.all().delete()


@pytest.mark.deep
def test_the_version_that_it_began_with_comes_back_elsewhere(by: Actor) -> None:
    event = began_before_a_change(by)
    first = event_archive(event)
    gone(event)
    again = restore_archive(first, caller=make.user())
    assert load_format(again.format_key).match.best_of == 3
    assert event_archive(again) == first
    assert list(verify_event(again)) == []


@pytest.mark.deep
def test_beside_the_format_itself_it_has_one_of_its_own(by: Actor) -> None:
    event = began_before_a_change(by)
    slug, first = event.format, event_archive(event)
    event.delete()
    again = restore_archive(first, caller=make.user())
    assert again.format != slug
    assert load_format(again.format_key).match.best_of == 3
    assert load_format(slug).match.best_of == 5
    assert event_archive(again) == first
    assert Client().get(f"/events/{again.slug}/").status_code == 200


@pytest.mark.deep
@pytest.mark.parametrize("wrong", ["none", "other", "rules"])
def test_rules_that_are_missing_or_not_the_events_are_refused(by: Actor, wrong: str) -> None:
    event = began_before_a_change(by)
    document = json.loads(event_archive(event))
    (row,) = document["tables"]["format_versions"]
    if wrong == "none":
        document["tables"]["format_versions"] = []
    elif wrong == "other":
        row["version"] = 7
    else:
        row["rules"] = {"zones": []}
    gone(event)
    with pytest.raises(BadInput):
        restore_archive(json.dumps(document).encode(), caller=make.user())
    assert not FormatVersion.objects.exists()


@pytest.mark.deep
@pytest.mark.parametrize("key", ["chess", "pokemon-standard", "magic-constructed"])
def test_halves_floor_and_shares_of_a_game_are_played_and_verified(by: Actor, key: str) -> None:
    assert by.user is not None
    found = next(one for one in shipped_rules() if one.key == key)
    rules: Any = rules_to_json(found.rules)
    content = FormatInput(game=found.game, name=found.name, lists=found.lists, rules=rules)
    house = create_custom_format(content, by=by.user)
    formula = "single-group" if key == "chess" else "swiss-cut"  # which has byes
    event = make.started(by, 5, formula=formula, format=house.slug, decklists="off")
    make.play_event(event, by)
    event = Event.objects.get(pk=event.pk)
    points = event_points(event)
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
    draws_of(event_transcript(event))
    first = event_archive(event)
    gone(event)
    assert event_archive(restore_archive(first, caller=make.user())) == first


@pytest.mark.deep
def test_who_drops_between_rounds_counts_at_most_75_percent_in_pokemon(by: Actor) -> None:
    assert by.user is not None
    found = next(one for one in shipped_rules() if one.key == "pokemon-standard")
    rules: Any = rules_to_json(found.rules)
    content = FormatInput(game=found.game, name=found.name, lists="off", rules=rules)
    house = create_custom_format(content, by=by.user)
    options = {"rounds": 4, "cut": 0}
    event = make.started(
        by, 8, formula="swiss-cut", format=house.slug, decklists="off", options=options
    )
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    first = load_facts(event).stages[0].outcome.standings["Swiss"].rows[0].player

    def shares() -> dict[Any, Any]:
        rows = load_facts(event).stages[0].outcome.standings["Swiss"].rows
        return {row.player: row.values["opponents_match_win"] for row in rows}

    before = shares()
    withdraw(entry=event.entries.get(number=first), by=by)
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
    arguments = parse_rank_document(document)
    usual = replace(arguments["points"], floor=Fraction(1, 4), byes_left_out=True)
    arguments["points"] = replace(usual, draw_share=Fraction(1, 2))
    expected = {row.player: row.values["opponents_match_win"] for row in rank(**arguments).rows}
    assert shares() == expected
    arguments["dropped"] = frozenset()
    assert expected != {
        row.player: row.values["opponents_match_win"] for row in rank(**arguments).rows
    }
