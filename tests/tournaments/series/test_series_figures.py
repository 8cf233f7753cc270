"""What a series costs: queries of a table that nothing changed, and of a result of an event."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tests.large_series import large_series
from tournaments.models import FinalRows, SeriesEvent
from tournaments.series.selectors import load_series_facts, load_series_table

pytestmark = pytest.mark.django_db
PAGES = ("/series/season/", "/api/v1/series/season/table/")


@pytest.fixture
def season(by):
    return large_series(by, events=5, players=8, crowd=12)


@pytest.mark.parametrize("address", PAGES)
def test_a_table_that_nothing_changed_takes_three_queries(season, address):
    assert Client().get(address).status_code == 200
    with CaptureQueriesContext(connection) as made:
        Client().get(address)
    assert len(made) <= 3, [query["sql"] for query in made]


def test_a_table_is_made_anew_by_six_queries_from_the_kept_rows(season):
    kept = list(FinalRows.objects.order_by("pk").values_list("event", "head"))
    with CaptureQueriesContext(connection) as made:
        table = load_series_table(load_series_facts(season))
    assert len(made) <= 7, [query["sql"] for query in made]
    assert table is not None
    assert len(table.standings.rows) == 12
    assert list(FinalRows.objects.order_by("pk").values_list("event", "head")) == kept


def test_a_result_of_a_running_event_asks_no_table_of_series(season, by):
    event = make.started(by, 4, formula="single-group")
    SeriesEvent.objects.create(series=season, event=event)
    item = make.next_round(event, by)
    with CaptureQueriesContext(connection) as made:
        make.play_round(item, by)
    asked = {word for query in made for word in query["sql"].split('"')}
    assert "tournaments_report" in asked
    models = (SeriesEvent, FinalRows, *(f.related_model for f in season._meta.related_objects))
    assert not asked & {model._meta.db_table for model in models}
