"""Two players of one name are told apart wherever a name stands without its context."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.event_addresses import EVENT_PAGES
from tests.recipes import recipe
from tournaments.core.event_state import load_facts
from tournaments.core.names import Listed, listed, marks_of
from tournaments.models import Entry, Event, LogLine

pytestmark = pytest.mark.django_db
PASTED = [
    *("Marco Rossi", "marco  rossi; ", "Anna De Luca; Drago", "Anna de Luca; Fenice"),
    *("Ugo Neri; Drago", "Zeno Blu"),
]
TWINS = re.compile(
    r"(?i)(?<!\d\. )(marco rossi|rossi marco|anna de luca|de luca anna)(?! \((\d|drago|fenice)\))"
)
WITH_CONTEXT = {
    *("log", "transcript", "manage-player-erase"),  # what was stored, and a name to be typed
    *("workbook", "manage-snapshot-file", "my-data-here"),  # files with numbers beside the names
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
    ],
)
def test_the_club_tells_apart_where_it_differs_else_the_number(people, marks):
    entries = [player(number, *person) for number, person in enumerate(people, 1)]
    assert marks_of(entries) == marks


def test_lists_by_surname_put_the_mark_last_and_sort_as_without():
    entry = player(12, "Marco Rossi")
    plain = listed(entry)
    entry.mark = "12"
    assert (str(entry), entry.display_name) == ("Marco Rossi", "Marco Rossi (12)")
    assert str(listed(entry)) == "Rossi Marco (12)"
    assert listed(entry).key == plain.key
    assert listed(entry).rest == "Marco (12)"
    assert Listed("Ugo", "", ("ugo", ""), "3").rest == "(3)"


@recipe
def with_twins(by, formula="swiss-cut"):
    """Return an event before its start with two pairs of twins; one more waits."""
    event = make.open_event(by, formula=formula, format="creatures-of-exo", capacity=6)
    make.players_more(event, PASTED, by)
    return Event.objects.get(pk=event.pk)


def begun(event, by):
    from tournaments.lots.services import draw_start_order
    from tournaments.starting.services import start_event

    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def shown(answer):
    """Return what a page shows, without what is typed into its forms."""
    html = answer.content.decode()
    html = re.sub(r"(?s)<(script|style|textarea)\b.*?</\1>|<svg.*?</svg>", " ", html)
    said = re.findall(r'(?:title|aria-label|data-name|data-kept)="([^"]*)"', html)
    text = re.sub(r"<[^>]*>", "", html)
    return " ".join(unescape("\n".join([text, *said])).split())


def offenders(client, event, numbers=(1, 3)):
    """Return (page, what stands there) where a twin is shown without a mark."""
    found = {}
    asked = 0
    for name in sorted(EVENT_PAGES):
        if name in WITH_CONTEXT:
            continue
        for number in numbers:
            address = address_of(event, name, number)
            answer = client.get(address) if address else None
            if answer is None or answer.status_code != 200 or answer.streaming:
                continue
            if not answer["Content-Type"].startswith("text/html"):
                continue
            asked += 1
            text = shown(answer)
            if wrong := TWINS.search(text):
                found[name] = text[max(0, wrong.start() - 60) : wrong.end() + 30]
    assert asked > 10
    return found


def address_of(event, name, number):
    from tournaments.models import Match

    match = Match.objects.filter(round__event=event).order_by("pk").first()
    for args in ([event.slug], [event.slug, number], [event.slug, match.pk if match else 0]):
        try:
            return reverse(f"tournaments:{name}", args=args)
        except Exception:  # noqa: BLE001, S112 - another number of arguments
            continue
    return ""


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def test_every_page_tells_them_apart_before_the_start(by, client):
    event = with_twins(by)
    assert offenders(client, event) == {}


@pytest.mark.parametrize("formula", ["swiss-cut", "single-elimination"])
def test_every_page_tells_them_apart_while_it_runs_and_at_the_end(by, client, formula):
    event = begun(with_twins(by, formula=formula), by)
    first = make.next_round(event, by)
    assert offenders(client, event) == {}
    assert offenders(Client(headers={"accept-language": "en"}), event) == {}
    make.play_round(first, by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    assert offenders(client, event) == {}


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
