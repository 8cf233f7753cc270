"""Two players of one name are told apart wherever a name stands without its context."""

import json
import re
from contextlib import suppress
from html import unescape

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, signed_in
from tests.crawling import refusing
from tests.event_addresses import EVENT_PAGES
from tests.recipes import recipe
from tournaments.checks.services import begin_player_check
from tournaments.core.event_state import load_facts
from tournaments.core.names import (
    ListedName,
    compute_name_marks,
    fold_for_search,
    listed_name,
    name_with_mark,
)
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.judging.services import call_judge
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Event, LogLine, Match
from tournaments.paper.contents import rounds
from tournaments.penalties.services import give_penalty
from tournaments.players.services import departures
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db
PASTED = [
    *("Marco Rossi", "marco  rossi; ", "Anna De Luca; Drago", "Anna de Luca; Fenice"),
    *("Ugo Neri; Drago", "Zeno Blu"),
]
TWINS = re.compile(
    r"(?i)(?<!\d\. )(marco rossi|rossi marco|anna de luca|de luca anna)"
    r"(?! \((\d|drago|fenice)\)|, (player (number )?|number )\d)"
)
TWICE = re.compile(r"(?i)\((drago|fenice)\)\s+(?:·\s+)?\1\b")
WITH_CONTEXT = {
    *("log", "transcript", "manage-player-erase"),  # what was stored, and a name to be typed
    # Files with numbers beside the names.
    *("workbook", "csv-players", "csv-ranking", "manage-snapshot-file", "my-data-here"),
}


def player(number, name, club=""):
    return Entry(number=number, name=name, club=club)


@pytest.mark.parametrize(
    ("people", "marks"),
    [
        ([("Marco Rossi", ""), ("Anna Neri", "")], {}),
        ([("Marco Rossi", ""), ("marco  rossi", "")], {1: "1", 2: "2"}),
        ([("Marco Rossi", ""), ("Rossi Marco", "")], {1: "1", 2: "2"}),
        ([("Àda Đorđević", ""), ("ADA DORDEVIC", "")], {1: "1", 2: "2"}),
        ([("Ada", "Drago"), ("Ada", "Fenice")], {1: "Drago", 2: "Fenice"}),
        ([("Ada", "Drago"), ("Ada", "")], {1: "Drago", 2: "2"}),
        ([("Ada", "Drago"), ("Ada", "drago"), ("Ada", "Orso")], {1: "1", 2: "2", 3: "Orso"}),
        ([("Ada", "2"), ("Ada", "x" * 31)], {1: "1", 2: "2"}),
        ([("Ada", ""), ("Ada", ""), ("Ada (2)", "")], {1: "1", 2: "2", 3: "3"}),
        ([("Ada", ""), ("ada", ""), ("Àda  (1)", "")], {1: "1", 2: "2", 3: "3"}),
        ([("Ada (Drago)", ""), ("Ada", "Drago"), ("Ada", "")], {1: "1", 2: "2", 3: "3"}),
        ([("Ada", "Drago"), ("Ada", ""), ("Ada (drago)", "Orso")], {1: "1", 2: "2", 3: "3"}),
        (
            [("Ada (2)", ""), ("Ada", ""), ("Ada", ""), ("Ada (2)", "")],
            {1: "1", 2: "2", 3: "3", 4: "4"},
        ),
        ([("Ada (2) (1)", ""), ("Ada", ""), ("Ada", "")], {2: "2", 3: "3"}),
        ([("Ada (7)", ""), ("Ada", ""), ("Ada", "")], {2: "2", 3: "3"}),
    ],
)
def test_the_club_tells_apart_where_it_differs_else_the_number(people, marks):
    entries = [player(number, *person) for number, person in enumerate(people, 1)]
    assert compute_name_marks(entries) == marks


NAMES_AND_MARKS = st.lists(
    st.tuples(
        st.sampled_from(["Ada", "ada", "Ada (1)", "Ada (2)", "Ada (2) (1)", "Ada (Orso)", "Bo"]),
        st.sampled_from(["", "Orso", "Lupi", "2"]),
    ),
    max_size=7,
)


@given(NAMES_AND_MARKS)
def test_no_two_players_are_shown_alike(people):
    entries = [player(number, *person) for number, person in enumerate(people, 1)]
    marks = compute_name_marks(entries)
    shown = {
        fold_for_search(name_with_mark(each.name, marks.get(each.number, ""))) for each in entries
    }
    assert len(shown) == len(entries)


def test_lists_by_surname_put_the_mark_last_and_sort_as_without():
    entry = player(12, "Marco Rossi")
    plain = listed_name(entry)
    entry.mark = "12"
    assert (str(entry), entry.display_name) == ("Marco Rossi", "Marco Rossi (12)")
    assert str(listed_name(entry)) == "Rossi Marco (12)"
    assert listed_name(entry).key == plain.key
    assert listed_name(entry).rest == "Marco (12)"
    assert ListedName("Ugo", "", ("ugo", ""), "3").rest == "(3)"


@recipe
def with_twins(by, formula="swiss-cut"):
    """Return an event before its start with two pairs of twins; one more waits."""
    event = make.open_event(by, formula=formula, format="creatures-of-exo", capacity=6)
    make.players_more(event, PASTED, by)
    return Event.objects.get(pk=event.pk)


def begun(event, by):
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def busy(event, by):
    """Give the twins a penalty, a call and a deck check each."""
    match = event.rounds.get().match_seats.get(entry__number=1).match
    for number in (1, 2, 3):
        entry = event.entries.get(number=number)
        give_penalty(entry=entry, level="warning", infraction="Ritardo", by=by)
        begin_player_check(entry=entry, by=by)
    if len(match.players) > 1:
        call_judge(match=match, entry=match.players[0], by=Actor(entry=match.players[0]))


def shown(answer):
    """Return what a page shows, without what is typed into its forms."""
    html = answer.content.decode()
    html = re.sub(r"(?s)<(script|style|textarea)\b.*?</\1>", " ", html)
    said = re.findall(r'(?:title|aria-label|data-name|data-kept|data-a|data-b)="([^"]*)"', html)
    text = re.sub(r"<[^>]*>", "", html)
    # A line of the log, as it is stored:
    text = re.sub(r"(?s)Last action:.*?Undo", "", text)
    return " ".join(unescape("\n".join([text, *said])).split())


def offenders(client, event):
    """Return (page, what stands there) where a twin has no mark, or a club beside the same mark."""
    found, asked = {}, 0
    for name in sorted(EVENT_PAGES.keys() - WITH_CONTEXT):
        if f"tournaments:{name}" in refusing("GET"):
            continue
        for address in addresses_of(event, name):
            answer = client.get(address)
            html = answer.get("Content-Type", "").startswith("text/html")
            if answer.status_code == 200 and html and not answer.streaming:
                asked += 1
                text = shown(answer)
                if wrong := TWINS.search(text) or TWICE.search(text):
                    found[name] = text[max(0, wrong.start() - 60) : wrong.end() + 30]
    assert asked > 10
    return found


def addresses_of(event, name):
    """Yield the addresses of a page for the event, a twin, each match or check of theirs."""
    things = (*event.entries.filter(number__in=(1, 3)), *event.deck_checks.all()[:1])
    match = Match.objects.filter(round__event=event).order_by("pk").first()
    keys = {1, 3, match.pk if match else 1, *(thing.pk for thing in things)}
    for args in ([event.slug], *([event.slug, key] for key in sorted(keys))):
        with suppress(NoReverseMatch):
            yield reverse(f"tournaments:{name}", args=args)


@pytest.fixture
def client(by):
    return signed_in(by)


@pytest.mark.deep
def test_every_page_tells_them_apart_before_the_start(by, client):
    event = with_twins(by)
    assert offenders(client, event) == {}


@pytest.mark.deep
@pytest.mark.parametrize(
    "formula", ["swiss-cut", pytest.param("single-elimination", marks=pytest.mark.deep)]
)
def test_every_page_tells_them_apart_while_it_runs_and_at_the_end(by, client, formula):
    event = begun(with_twins(by, formula=formula), by)
    first = make.next_round(event, by)
    busy(event, by)
    anybody = Client(headers={"accept-language": "en"})
    own = by_link(event.entries.get(number=1), by)
    for reader in (client, anybody, own):
        assert offenders(reader, event) == {}
    make.play_round(first, by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    for reader in (client, anybody, own):
        assert offenders(reader, event) == {}


@pytest.mark.parametrize("sheet", ["pairings", "tables", "match_slips"])
def test_the_sheets_of_a_round_tell_them_apart(by, sheet):
    event = begun(with_twins(by), by)
    make.next_round(event, by)
    facts = load_facts(Event.objects.get(pk=event.pk))
    more = [rounds.SlipAddresses(at_the_desk=str, short="")] if sheet == "match_slips" else []
    content = getattr(rounds, f"{sheet}_sheet")(facts, pairings_page(facts), timezone.now(), *more)
    said = json.dumps(content)
    assert "Marco (1)" in said or "Rossi M. (1)" in said
    assert "Anna (Drago)" in said or "De Luca A. (Drago)" in said


@pytest.mark.deep
def test_nothing_of_an_erased_twin_stays_and_the_other_needs_no_mark(by, client):
    event = begun(with_twins(by), by)
    make.play_event(event, by)
    erase_player(event=event, number=3, confirm="Anna De Luca", by=by)
    rows = load_facts(Event.objects.get(pk=event.pk)).entries
    assert "Anna" not in rows[3].display_name
    assert (rows[3].mark, rows[4].display_name) == ("", "Anna de Luca")
    page = client.get(reverse("tournaments:players", args=[event.slug])).content.decode()
    assert "Drago)" not in page


def test_what_is_stored_stays_as_it_was(by):
    event = begun(with_twins(by), by)
    rows = list(load_facts(event).entries.values())
    assert [row.name for row in rows[:2]] == ["Marco Rossi", "marco rossi"]
    line = LogLine.objects.get(event=event, action="entry.pasted")
    assert line.after["players"][:2] == ["Marco Rossi", "marco rossi"]


def test_the_api_gives_both_names(by, client):
    event = with_twins(by)
    address = f"/api/v1/events/{event.slug}/players/"
    listed_ = client.get(address).json()["results"]
    assert [(one["name"], one["display_name"]) for one in listed_[:3]] == [
        ("Marco Rossi", "Marco Rossi (1)"),
        ("marco rossi", "marco rossi (2)"),
        ("Anna De Luca", "Anna De Luca (Drago)"),
    ]
    one = client.patch(f"{address}2/", {"club": "Orso"}, content_type="application/json").json()
    assert one["display_name"] == client.get(f"{address}2/").json()["display_name"]
    assert one["display_name"] == "marco rossi (Orso)"


def test_a_refused_start_says_which_of_two_lacks_a_list(by):
    event = make.open_event(by, decklists="required")
    make.players_more(event, ["Marco Rossi; Drago", "Marco Rossi; Fenice"], by)
    draw = draw_start_order(event=event, by=by)
    with pytest.raises(RuleError) as refused:
        start_event(event=event, draw_number=draw.number, by=by)
    assert set(refused.value.sentence.values["names"]) == {
        "Marco Rossi (Drago)",
        "Marco Rossi (Fenice)",
    }


def test_the_door_says_which_of_two_is_let_in(by):
    event = make.open_event(by, capacity=1)
    make.players_more(event, ["Ugo Neri", "Marco Rossi; Drago", "Marco Rossi; Fenice"], by)
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    Entry.objects.filter(number=2).update(status=Entry.Status.WITHDRAWN)
    client = signed_in(by)
    page = client.post(reverse("tournaments:arrivals-waiting", args=[event.slug, 3]), follow=True)
    assert "Saved: Marco Rossi (Fenice)" in unescape(page.content.decode())
