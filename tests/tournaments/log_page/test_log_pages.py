"""Pages of the log: every line once, found by its number."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.log_page import selectors as lines
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by: Actor, monkeypatch: pytest.MonkeyPatch) -> Event:
    monkeypatch.setattr(lines, "LINES_A_PAGE", 2)
    return make.started(by, 4)


def test_every_line_stands_on_one_page(event: Event) -> None:
    pages = lines.log_page(event)["page"].paginator.num_pages
    assert pages > 2
    shown = [
        row["line"].number
        for n in range(1, pages + 1)
        for row in lines.log_page(event, "", n)["rows"]
    ]
    assert shown == list(range(event.log.count(), 0, -1))


@pytest.mark.parametrize("number", ["999", "nonsense", "-1"])
def test_a_page_that_is_not_there_gives_the_nearest(event: Event, number: str) -> None:
    page = lines.log_page(event, "", number)["page"]
    assert page.number == (1 if number == "nonsense" else page.paginator.num_pages)
    assert 0 < len(page) <= 2


def test_a_late_page_reads_its_own_lines_alone(event: Event) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        lines.log_page(event, "", 2)
    assert len(asked) == 2
    assert "OFFSET" not in asked[1]["sql"]
    assert '"number" <=' in asked[1]["sql"]


def test_an_event_without_lines_has_an_empty_page(event: Event) -> None:
    page = lines.log_page(Event(pk=event.pk + 1))["page"]
    assert (list(page), page.paginator.num_pages) == ([], 1)
