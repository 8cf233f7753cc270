"""The tables of an event in the hall: its own numbers, too few of them, and those of another."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import read, signed_in
from tournaments.core.permissions import Actor
from tournaments.events.selectors.table_clashes import table_clashes
from tournaments.events.services.events import change_event
from tournaments.models import Entry, Event, Match
from tournaments.players.services.entries import change_entry
from tournaments.rounds.selectors.discards import round_version
from tournaments.rounds.services import draft_round
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event


def tables_of(event: Event) -> list[int | None]:
    return [
        *Match.objects.filter(round__event=event).order_by("table").values_list("table", flat=True)
    ]


@pytest.mark.django_db
def test_a_round_gets_the_tables_of_its_event(by: Actor) -> None:
    event = make.started(by, 8, formula="single-group")
    change_event(event=event, changes={"tables": "21–22; 31-40"}, by=by)
    event.refresh_from_db()
    assert event.tables == "21-22, 31-40"
    draft_round(event=event, expected_round=1, publish=True, by=by)
    assert tables_of(event) == [21, 22, 31, 32]


@pytest.mark.django_db
def test_no_round_is_made_with_too_few_tables(by: Actor) -> None:
    event = make.started(by, 8, formula="single-group")
    change_event(event=event, changes={"tables": "1-3"}, by=by)
    with pytest.raises(RuleError) as refused:
        draft_round(event=event, expected_round=1, by=by)
    assert refused.value.code == "too_few_tables"
    assert "missing: 1" in str(refused.value)
    assert not event.rounds.exists()


@pytest.mark.django_db
def test_what_are_no_tables_is_refused_at_the_field(by: Actor, client: Client) -> None:
    event = make.event(by)
    with pytest.raises(BadInput) as refused:
        change_event(event=event, changes={"tables": "all of them"}, by=by)
    assert refused.value.code == "invalid_tables"
    client.force_login(by.user)
    answer = client.patch(
        f"/api/v1/events/{event.slug}/", {"tables": "9-1"}, content_type="application/json"
    )
    assert answer.status_code == 400
    assert "tables" in answer.content.decode()
    assert Event.objects.get(pk=event.pk).tables == ""


@pytest.fixture
def two(by: Actor) -> tuple[Event, Event]:
    """Two events of one evening in one place, of eight and four tables."""
    begins = timezone.now().replace(hour=12) + timedelta(days=2)
    values: dict[str, Any] = {"venue": "Circolo La Torre", "starts_at": begins}
    first = make.event(by, name="Pauper", **values)
    other = make.event(by, name="Lega", **values | {"venue": "circolo la torre "})
    make.players(first, 16, by)
    make.players(other, 8, by)
    return first, other


@pytest.mark.django_db
def test_events_of_one_evening_in_one_place_warn_of_their_tables(
    two: tuple[Event, Event], by: Actor, client: Client
) -> None:
    first, other = two
    found = table_clashes(other, by)
    assert [(each["event"], each["tables"].in_words) for each in found.clashes] == [(first, "1–4")]
    assert str(found.free) == "9-12"
    client.force_login(by.user)
    page = client.get(f"/events/{other.slug}/manage/settings/").content.decode()
    assert "Pauper" in page
    sent = client.patch(
        f"/api/v1/events/{other.slug}/", {"about": "x"}, content_type="application/json"
    )
    assert sent.json()["table_clashes"] == [{"event": first.slug, "tables": "1–4"}]
    answer = client.post(f"/events/{other.slug}/manage/tables/", {"tables": str(found.free)})
    assert answer.status_code == 302
    other.refresh_from_db()
    assert other.tables == "9-12"
    assert not table_clashes(other, by).clashes
    assert not table_clashes(first, by).clashes


@pytest.mark.django_db
def test_a_draft_and_fixed_tables_move_along_and_come_back(by: Actor) -> None:
    event = make.started(by, 8, formula="single-group")
    change_event(event=event, changes={"tables": "1-6"}, by=by)
    one = event.entries.get(number=1)
    change_entry(entry=one, changes={"fixed_table": 3}, by=by)
    make.play_round(make.next_round(event, by), by)
    draft_round(event=event, expected_round=2, by=by)
    before = round_version(event, 2)
    change_event(event=event, changes={"tables": "21-26"}, by=by)
    assert round_version(event, 2) > before  # who looks at the draft is told
    assert tables_of(event) == [1, 2, 3, 4, 21, 22, 23, 24]
    assert event.entries.get(number=1).fixed_table == 23
    sits = Match.objects.filter(round__event=event, round__ordinal=2, table=23)
    assert one in sits.get().players
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    with pytest.raises(RuleError) as refused:
        change_event(event=event, changes={"tables": "31-33"}, by=by)
    assert refused.value.code == "too_few_tables"
    line = last_act(Event.objects.get(pk=event.pk)).line
    undo(event=event, expected=line.number, by=by)
    assert tables_of(event) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert event.entries.get(number=1).fixed_table == 3
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.django_db
def test_different_rooms_are_said_once_for_both(
    two: tuple[Event, Event], by: Actor, client: Client
) -> None:
    first, other = two
    client.force_login(by.user)
    page = client.get(f"/events/{other.slug}/manage/settings/").content.decode()
    assert page.count('<li class="both">') == 1 + 4
    assert page.count('<li class="own">') == 1
    assert page.count('<li class="free">') == 1 + 4
    client.post(f"/events/{other.slug}/manage/tables/", {"other_rooms": "yes"})
    other.refresh_from_db()
    assert not table_clashes(other, by).clashes
    assert not table_clashes(first, by).clashes
    assert "hall-map" not in client.get(f"/events/{first.slug}/manage/settings/").content.decode()
    third = make.event(by, name="Modern", venue=first.venue, starts_at=first.starts_at)
    make.players(third, 8, by)
    assert [clash["event"] for clash in table_clashes(third, by).clashes] == [first, other]
    line = last_act(Event.objects.get(pk=other.pk)).line
    undo(event=other, expected=line.number, by=by)
    other.refresh_from_db()
    assert {clash["event"] for clash in table_clashes(other, by).clashes} == {first, third}


@pytest.mark.django_db
def test_the_warning_names_fixed_tables_and_draws_no_large_hall(
    two: tuple[Event, Event], by: Actor
) -> None:
    first, other = two
    entry = other.entries.get(number=2)
    change_entry(entry=entry, changes={"fixed_table": 3}, by=by)
    found = table_clashes(other, by)
    assert [(one.number, before, after) for one, before, after in found.fixed] == [(2, 3, 11)]
    assert len(found.hall) == 20
    change_event(event=first, changes={"tables": "2-61"}, by=by)
    assert table_clashes(other, by).hall == ()


@pytest.mark.django_db
def test_one_table_is_told_as_one(two: tuple[Event, Event], by: Actor) -> None:
    _first, other = two
    change_event(event=other, changes={"tables": "8"}, by=by)
    Entry.objects.filter(event=other, number__gt=2).delete()
    path = f"/events/{other.slug}/manage/settings/"
    shown = read(signed_in(by), path)
    assert "Table 8 is also one of <bdi>Pauper</bdi>" in " ".join(shown.split())
    assert "Move to table 9" in shown
    assert 'value="9-9"' in shown  # as the setting is read: 9 alone would have no end
    italian = " ".join(read(signed_in(by), path, "it").split())
    assert "Il tavolo 8 è anche di <bdi>Pauper</bdi>" in italian
    assert "Passa al tavolo 9" in italian


@pytest.mark.django_db
def test_an_event_that_the_reader_may_not_see_has_no_name(
    two: tuple[Event, Event], by: Actor
) -> None:
    first, other = two
    assert first.state == Event.State.DRAFT
    (clash,) = table_clashes(other, Actor()).clashes
    assert clash["event"] is None
    assert clash["tables"].in_words == "1–4"


@pytest.mark.parametrize(
    "change",
    [
        {"venue": "Elsewhere"},
        {"venue": ""},
        {"starts_at": timezone.now() + timedelta(days=9)},
        {"tables": "30"},
        {"state": Event.State.FINISHED},
    ],
)
@pytest.mark.django_db
def test_events_that_do_not_meet_warn_of_nothing(
    two: tuple[Event, Event], by: Actor, change: dict[str, Any]
) -> None:
    first, other = two
    Event.objects.filter(pk=first.pk).update(**change)
    assert not table_clashes(other, by).clashes


@pytest.mark.django_db
def test_tables_of_four_are_as_many_as_they_are(two: tuple[Event, Event], by: Actor) -> None:
    first, other = two
    change_event(event=other, changes={"tables": "5-8"}, by=by)
    assert [clash["tables"].in_words for clash in table_clashes(first, by).clashes] == ["5–8"]
    values = {"formula": "tables-cut", "format": "thoom", "criteria": ["points", "lots"]}
    change_event(event=first, changes=values | {"options": {}}, by=by)
    first.refresh_from_db()
    assert table_clashes(first, by).clashes == ()  # 16 players at 4 tables
    change_event(event=other, changes={"tables": "4-8"}, by=by)
    assert [clash["tables"].in_words for clash in table_clashes(first, by).clashes] == ["4"]
