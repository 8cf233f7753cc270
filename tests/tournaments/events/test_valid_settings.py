"""What an event may hold is the same for form, API and services: years, limits, control signs."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db.models import JSONField
from django.test import Client

from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_tables import ARCHIVED
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import COLUMNS, limits, reader_of
from tournaments.events.api import EventInput
from tournaments.events.forms.event import EventForm
from tournaments.events.services.events import copy_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db
API, NEW = "/api/v1/events/", "/events/new/"
MADE = {"name": "Coppa", "format": "thoom", "formula": "single-group", "time_zone": "Europe/Rome"}
YEARS = ("1999-12-31T23:00:00Z", "2101-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
MOMENTS = ("starts_at", "registration_opens", "registration_closes")


@pytest.fixture
def client(by: Actor) -> Client:
    return signed_in(by)


@pytest.mark.parametrize("field", MOMENTS)
def test_the_api_takes_the_years_of_this_century(client: Client, field: str) -> None:
    for moment in YEARS:
        answer = client.post(API, MADE | {field: moment}, "application/json")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field]), moment
    for moment in ("2000-01-01T00:00:00+01:00", "2100-12-31T23:59:00-10:00"):
        answer = client.post(API, MADE | {field: moment}, "application/json")
        assert answer.status_code == 201, answer.content


@pytest.mark.parametrize("year", [1999, 2101, 9999])
def test_the_form_refuses_another_year_at_the_field(client: Client, year: int) -> None:
    answer = client.post(NEW, {"starts_at": f"{year}-06-01T10:00"})
    assert "starts_at" in answer.context["form"].errors
    assert not Event.objects.exists()


def test_no_service_stores_another_year_nor_a_copy(by: Actor) -> None:
    source = make.event(by)
    for year in (1999, 2102, 9999):
        values = make.EVENT | {"starts_at": datetime(year, 6, 1, tzinfo=UTC)}
        for write in (
            lambda values=values: make.event(by, **values),
            lambda values=values: copy_event(source=source, values=values, by=by),
        ):
            with pytest.raises(BadInput) as refused:
                write()
            assert refused.value.code == "bad_value"
            assert refused.value.sentence.values["field"] == "starts_at"
    assert Event.objects.count() == 1


@pytest.mark.parametrize("field", ["venue", "fee", "about"])
def test_a_control_sign_that_no_feed_can_hold_is_refused(client: Client, field: str) -> None:
    answer = client.post(API, MADE | {field: "Sala\x0bgrande"}, "application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    answer = client.post(NEW, {field: "Sala\x0bgrande"})
    assert field in answer.context["form"].errors
    assert client.get("/feed/").status_code == 200


def test_numbers_have_the_same_limits_in_form_and_api() -> None:
    form, sent = EventForm(owner_id=None), EventInput()
    for name in ("minutes", "overtime", "capacity", "confirm_after"):
        own = limits(Event, name)
        for field in (form.fields[name], sent.fields[name]):
            assert {"min_value": field.min_value, "max_value": field.max_value} == own


def test_every_column_of_an_archive_has_a_kind() -> None:
    for table in ARCHIVED:
        for column in table.columns:
            if not column.is_relation:
                assert callable(reader_of(column))
            if isinstance(column, JSONField):
                assert column.name in COLUMNS[table.model]
    known = set(apps.get_models())
    for model, columns in COLUMNS.items():
        assert model in known
        assert set(columns) <= {column.name for column in model._meta.concrete_fields}
