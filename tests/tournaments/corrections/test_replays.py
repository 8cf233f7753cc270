"""What is to be played again says so, and when, wherever its players look."""

from dataclasses import replace

import pytest
from django.utils import translation

from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tests.tournaments.corrections.test_follow import (
    corrections,
    own_page,
    sound,
    turned,
    two_groups,
)
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.replays import replays
from tournaments.corrections.selectors.choices import ShortNames
from tournaments.corrections.selectors.page import choices_page
from tournaments.corrections.services.results import follow, take_back
from tournaments.models import Entry, Event, Match
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def put_up(by: Actor, *, now: bool) -> Event:
    """Return an event in which matches are to be played again."""
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    follow(match=match, shown=shown.mark, now=now, by=by, **values)
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize("now", [False, True])
def test_it_is_said_on_every_page_until_it_is_played(by: Actor, client, now: bool) -> None:
    event = put_up(by, now=now)
    found = replays(load_facts(event))
    assert found
    assert {each.before for each in found} == {0 if now else load_facts(event).last_ordinal + 1}
    last = load_facts(event).last_ordinal
    words = f"during round {last}" if now else f"before round {found[0].before}"
    with translation.override("en"):
        assert {each.when for each in found} == {words}
    names = [entry.display_name for entry in found[0].players]
    staff = signed_in(by)
    pages = {
        "pairings": client.get(url("pairings", event), headers=ENGLISH),
        "screen": staff.get(url("screen", event), headers=ENGLISH),
        "desk": staff.get(url("desk", event), headers=ENGLISH),
    }
    for name, answer in pages.items():
        told = text(answer).partition("Still to be played")[2][:900]
        assert words in told, name
        assert all(each in told for each in names), name
    assert url("match", event, found[0].match.pk) in text(pages["desk"])
    own = by_link(event.entries.get(number=found[0].players[0].number), by)
    told = text(own.get(url("me", event), headers=ENGLISH))
    assert f"is to be played, {words}: you against {names[1]}." in told
    for each in found:
        match = Match.objects.select_related("round__event").get(pk=each.match.pk)
        claim = make.a_wins(match)
        make.results.decide_result(match=match, version=match.version, claim=claim, by=by)
    assert replays(load_facts(event)) == ()
    assert "Still to be played" not in text(client.get(url("pairings", event), headers=ENGLISH))
    assert sound(event) == []


def test_undo_takes_it_away_and_redo_puts_it_up_at_the_same_moment_and_table(by: Actor) -> None:
    event = put_up(by, now=False)
    before = [(each.pair, each.before, each.table) for each in replays(load_facts(event))]
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert replays(load_facts(event)) == ()
    assert sound(event) == []
    redo(event=event, expected=undone_act(event).number, by=by)
    again = [(each.pair, each.before, each.table) for each in replays(load_facts(event))]
    assert again == before
    assert sound(event) == []


def test_rounds_taken_back_are_told_until_one_is_public_again(by: Actor) -> None:
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].takes_back)
    facts, names = shown.facts, ShortNames(shown.facts.entries)
    number = facts.numbers[shown.results_gone[0][1].seats[0]]
    away = facts.entries[number]._replace(status=Entry.Status.WITHDRAWN)
    left = replace(shown, facts=replace(facts, entries={**facts.entries, number: away}))
    again = choices_page(shown, names)["back"].second
    assert choices_page(left, names)["back"].second == again - 1, "who has left does not play again"
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    take_back(match=match, shown=shown.mark, confirm=event.name, by=by, **values)
    number = load_facts(event).open_stage.state.players[0]
    (told,) = (line for line in own_page(event, number) if "back" in line)
    assert told.startswith("The staff took rounds 4, 5 back ")
    assert told.endswith(": what was played there counts no more.")
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert not [line for line in own_page(event, number) if "back" in line]


def test_the_page_of_its_own_round_names_the_table_where_it_is_played(by: Actor) -> None:
    facts = load_facts(put_up(by, now=False), drafts=False)
    for each in replays(facts):
        page = pairings_page(facts, each.round.ordinal)
        assert page is not None
        numbers = {entry.pk for entry in each.players}
        (row,) = (row for row in page.tables if {one.pk for one in row.players} == numbers)
        assert row.table == each.table
