"""The tables of an event in the hall, its short address, and what its columns may hold."""

import io
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.apps import apps
from django.db.models import JSONField
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import read, signed_in
from tournaments.core.permissions import Actor
from tournaments.core.slugs import LETTERS, event_id_from_code, event_short_code
from tournaments.core.valid_columns import ARCHIVED, COLUMNS, column_reader, integer_limits
from tournaments.events.api import EventInput
from tournaments.events.forms.event import EventForm
from tournaments.events.selectors.events import count_players, table_clashes
from tournaments.events.services import change_event
from tournaments.models import Entry, Event, Match
from tournaments.players.services.entries import change_entry
from tournaments.repeats.services import repeat_event
from tournaments.rounds.selectors.discards import round_version
from tournaments.rounds.services import draft_round
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def tables_of(event: Event) -> list[int | None]:
    return [
        *Match.objects.filter(round__event=event).order_by("table").values_list("table", flat=True)
    ]


def test_a_round_gets_the_tables_of_its_event_and_none_with_too_few(by: Actor) -> None:
    event = make.started(by, 8, formula="single-group")
    change_event(event=event, changes={"tables": "1-3"}, by=by)
    with pytest.raises(RuleError) as refused:
        draft_round(event=event, expected_round=1, by=by)
    assert refused.value.code == "too_few_tables"
    assert refused.value.sentence.values["missing"] == 1
    assert not event.rounds.exists()
    change_event(event=event, changes={"tables": "21–22; 31-40"}, by=by)
    event.refresh_from_db()
    assert event.tables == "21-22, 31-40"
    draft_round(event=event, expected_round=1, publish=True, by=by)
    assert tables_of(event) == [21, 22, 31, 32]


def test_what_are_no_tables_is_refused_at_the_field(by: Actor, client: Client) -> None:
    event = make.event(by)
    refused = make.refusal(change_event, event=event, changes={"tables": "all of them"}, by=by)
    assert refused == "invalid_tables"
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
    sent = {"tables": str(found.free), "back": "https://example.org/"}
    answer = client.post(f"/events/{other.slug}/manage/tables/", sent)
    assert answer.url == f"/events/{other.slug}/manage/settings/"
    other.refresh_from_db()
    assert other.tables == "9-12"
    assert not table_clashes(other, by).clashes
    assert not table_clashes(first, by).clashes


@pytest.mark.deep
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
    refused = make.refusal(change_event, event=event, changes={"tables": "31-33"}, by=by)
    assert refused == "too_few_tables"
    line = last_act(Event.objects.get(pk=event.pk)).line
    undo(event=event, expected=line.number, by=by)
    assert tables_of(event) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert event.entries.get(number=1).fixed_table == 3
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.deep
def test_different_rooms_are_said_once_for_both(
    two: tuple[Event, Event], by: Actor, client: Client
) -> None:
    first, other = two
    client.force_login(by.user)
    draft = f"/events/{other.slug}/desk/rounds/1/"
    answers = {"other_rooms": "yes", "back": draft}
    assert client.post(f"/events/{other.slug}/manage/tables/", answers).url == draft
    other.refresh_from_db()
    assert not table_clashes(other, by).clashes
    assert not table_clashes(first, by).clashes
    assert b"table-clash" not in client.get(f"/events/{first.slug}/manage/settings/").content
    third = make.event(by, name="Modern", venue=first.venue, starts_at=first.starts_at)
    make.players(third, 8, by)
    assert [clash["event"] for clash in table_clashes(third, by).clashes] == [first, other]
    line = last_act(Event.objects.get(pk=other.pk)).line
    undo(event=other, expected=line.number, by=by)
    other.refresh_from_db()
    assert {clash["event"] for clash in table_clashes(other, by).clashes} == {first, third}


def test_the_warning_names_fixed_tables(two: tuple[Event, Event], by: Actor) -> None:
    _first, other = two
    entry = other.entries.get(number=2)
    change_entry(entry=entry, changes={"fixed_table": 3}, by=by)
    found = table_clashes(other, by)
    assert [(one.number, before, after) for one, before, after in found.fixed] == [(2, 3, 11)]


@pytest.mark.deep
def test_one_table_is_told_as_one(two: tuple[Event, Event], by: Actor) -> None:
    _first, other = two
    change_event(event=other, changes={"tables": "8"}, by=by)
    Entry.objects.filter(event=other, number__gt=2).delete()
    path = f"/events/{other.slug}/manage/settings/"
    shown = read(signed_in(by), path)
    assert "Tables in common with <bdi>Pauper</bdi>: 8" in " ".join(shown.split())
    assert "Move to tables 9" in shown
    assert 'value="9-9"' in shown  # as the setting is read: 9 alone would have no end
    italian = " ".join(read(signed_in(by), path, "it").split())
    assert "Tavoli in comune con <bdi>Pauper</bdi>: 8" in italian
    assert "Passa ai tavoli 9" in italian


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
def test_events_that_do_not_meet_warn_of_nothing(
    two: tuple[Event, Event], by: Actor, change: dict[str, Any]
) -> None:
    first, other = two
    Event.objects.filter(pk=first.pk).update(**change)
    assert not table_clashes(other, by).clashes


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


@given(st.integers(min_value=1, max_value=20**4 + 20**5 + 1_000_000))
def test_every_event_has_letters_of_its_own(key):
    code = event_short_code(key)
    assert 4 <= len(code) <= 6
    assert event_id_from_code(code) == event_id_from_code(code.lower()) == key


def test_no_two_events_share_letters_and_neighbours_look_unlike():
    codes = [event_short_code(key) for key in range(1, 20_001)]
    assert len(set(codes)) == len(codes)
    alike = [
        (one, other)
        for one, other in pairwise(codes)
        if sum(a != b for a, b in zip(one, other, strict=True)) < 2
    ]
    assert alike == []
    assert not set("AEIOU01IL") & set(LETTERS)


@pytest.mark.parametrize("code", ["", "BCD", "AAAA", "BCD0", "B" * 9, "ÄBCD"])
def test_other_letters_are_of_no_event(code):
    assert event_id_from_code(code) is None


def test_it_leads_to_the_event_in_upper_and_lower_case(by):
    event = make.open_event(by)
    code = event_short_code(event.pk)
    for path in (f"/e/{code}", f"/e/{code.lower()}", f"/e/{code}/"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"]) == (302, f"/events/{event.slug}/")
    assert Client().post(f"/e/{code}").status_code == 405


def test_a_draft_is_found_by_its_staff_alone(by):
    event = make.event(by)
    path = f"/e/{event_short_code(event.pk)}"
    assert Client().get(path).status_code == 404
    assert Client().get(f"/e/{event_short_code(event.pk + 1)}").status_code == 404
    assert Client().get("/e/AAAA").status_code == 404
    organiser = Client()
    organiser.force_login(by.user)
    assert organiser.get(path).status_code == 302


@pytest.mark.deep
def test_page_poster_screen_and_slips_name_it(by):
    event = make.playing(by, 4, formula="swiss-cut", decklists="off")
    short = f"testserver/e/{event_short_code(event.pk)}"
    client = signed_in(by)
    joining = f"testserver/j/{event_short_code(event.pk)}"  # until the first round is over
    for path, shown in (("", short), ("screen/", joining)):
        page = client.get(f"/events/{event.slug}/{path}").content.decode()
        assert shown in page.replace("<wbr>", ""), "a line may end before the code"
    for sheet, shown in (("poster", joining), ("slips", short)):
        answer = client.get(f"/events/{event.slug}/print/{sheet}.pdf")
        text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
        assert shown in text


def test_players_are_counted_before_the_start_and_after_it(by: Actor, client: Client) -> None:
    coming = make.open_event(by, capacity=8)
    make.players(coming, 3, by)
    begun = make.started(by, 4, formula="single-group")
    count_players([coming, begun])
    assert (coming.players, begun.players) == (3, 4)  # type: ignore[attr-defined]
    page = client.get("/", headers={"accept-language": "en"}).content.decode()
    assert "Places left: 5" in " ".join(page.split())


API, NEW = "/api/v1/events/", "/events/new/"
MADE = {"name": "Coppa", "format": "thoom", "formula": "single-group", "time_zone": "Europe/Rome"}
YEARS = ("1999-12-31T23:00:00Z", "2101-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
MOMENTS = ("starts_at", "registration_opens", "registration_closes")


@pytest.mark.parametrize("field", MOMENTS)
def test_the_api_takes_the_years_of_this_century(signed: Client, field: str) -> None:
    for moment in YEARS:
        answer = signed.post(API, MADE | {field: moment}, "application/json")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field]), moment
    for moment in ("2000-01-01T00:00:00+01:00", "2100-12-31T23:59:00-10:00"):
        answer = signed.post(API, MADE | {field: moment}, "application/json")
        assert answer.status_code == 201, answer.content


@pytest.mark.parametrize("year", [1999, 2101, 9999])
def test_the_form_refuses_another_year_at_the_field(signed: Client, year: int) -> None:
    answer = signed.post(NEW, {"starts_at": f"{year}-06-01T10:00"})
    assert "starts_at" in answer.context["form"].errors
    assert not Event.objects.exists()


def test_no_service_stores_another_year_nor_a_copy(by: Actor) -> None:
    source = make.event(by)
    for year in (1999, 2102, 9999):
        values = make.EVENT | {"starts_at": datetime(year, 6, 1, tzinfo=UTC)}
        for write in (
            lambda values=values: make.event(by, **values),
            lambda year=year: repeat_event(
                source=source, starts_at=datetime(year, 6, 1, tzinfo=UTC), by=by
            ),
        ):
            with pytest.raises(BadInput) as refused:
                write()
            assert refused.value.code == "bad_value"
            assert refused.value.sentence.values["field"] == "starts_at"
    assert Event.objects.count() == 1


@pytest.mark.parametrize("field", ["venue", "fee", "about"])
def test_a_control_sign_that_no_feed_can_hold_is_refused(signed: Client, field: str) -> None:
    answer = signed.post(API, MADE | {field: "Sala\x0bgrande"}, "application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    answer = signed.post(NEW, {field: "Sala\x0bgrande"})
    assert field in answer.context["form"].errors
    assert signed.get("/feed/").status_code == 200


def test_numbers_have_the_same_limits_in_form_and_api() -> None:
    form, sent = EventForm(owner_id=None), EventInput()
    for name in ("minutes", "overtime", "capacity", "confirm_after"):
        own = integer_limits(Event, name)
        for field in (form.fields[name], sent.fields[name]):
            assert {"min_value": field.min_value, "max_value": field.max_value} == own


def test_every_column_of_an_archive_has_a_kind() -> None:
    for table in ARCHIVED:
        for column in table.columns:
            if not column.is_relation:
                assert callable(column_reader(column))
            if isinstance(column, JSONField):
                assert column.name in COLUMNS[table.model]
    known = set(apps.get_models())
    for model, columns in COLUMNS.items():
        assert model in known
        assert set(columns) <= {column.name for column in model._meta.concrete_fields}
