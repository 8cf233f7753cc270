"""What a reader without account makes the site read and make does not grow with its events.

``python -m bench anonymous`` measures the same addresses.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Timezone

from tests.costly_site import OF_SITE, addresses, costly_site, forget
from tournaments.public import views as calendars

pytestmark = pytest.mark.django_db

EVENTS = 1_000
MOST_ROWS = 750
"""Rows that one answer may be made of: the events of the calendar, or players, matches and seats of
the twelve finished events of a page whose winners nobody asked for before."""
MOST_QUERIES = 150
"""Twelve finished events of a page whose winners nobody asked for before, at eight queries each."""
OF_A_DAY = (1_500, 600)
"""Rows and queries of a day, which shows sixty events at most (``series.today.MOST``): their facts,
which nobody asked for before."""
MOST_CARDS = 300
LONGEST = 103 * 366
"""Days for which a zone may be defined: the years of events, with one before and one after."""


class Work:
    """Counts what answers are made of: rows, queries, cards, definitions of zones."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: Counter[str] = Counter()
        self.define = Timezone.from_tzinfo
        monkeypatch.setattr(Timezone, "from_tzinfo", self.defined)

    def read(self, sender: type, **_more: Any) -> None:
        """Count a row."""
        self.made["rows"] += 1

    def defined(self, hours: Any, zone: str, **span: Any) -> Timezone:
        """Count a zone."""
        self.made["zones"] += 1
        self.made["too long"] += (span["last_date"] - span["first_date"]).days > LONGEST
        return self.define(hours, zone, **span)

    def too_much(self, asked: Iterator[str]) -> list[Any]:
        """Return the addresses whose answers take too much, with what they take."""
        post_init.connect(self.read)
        found = []
        try:
            for address in asked:
                forget()
                self.made.clear()
                with CaptureQueriesContext(connection) as sent:
                    answer = Client().get(address)
                body = b"" if answer.streaming else answer.content
                self.made["queries"] = len(sent)
                of_events = not address.startswith("/api/docs/")  # those list fields
                self.made["cards"] = body.count(b"<li") if of_events else 0
                self.made["zones"] -= body.count(b"BEGIN:VEVENT")
                of_a_day = address.startswith("/today/")
                most = OF_A_DAY if of_a_day else (MOST_ROWS, MOST_QUERIES)
                if self.is_too_much(*most) or answer.status_code >= 500:
                    found.append((address, answer.status_code, dict(self.made)))
        finally:
            post_init.disconnect(self.read)
        return found

    def is_too_much(self, rows: int, queries: int) -> bool:
        """Say whether the answer took more than so many rows and queries, or too much else."""
        far = self.made["rows"] > rows or self.made["queries"] > queries
        zones = self.made["zones"] > 0 or self.made["too long"] > 0
        return far or zones or self.made["cards"] > MOST_CARDS


@pytest.mark.deep
def test_no_list_for_anybody_grows_with_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    costly_site(EVENTS, players=4)
    work = Work(monkeypatch)
    assert work.too_much(iter(("/", "/events.ics", "/feed/", *OF_SITE))) == []
    monkeypatch.setattr(calendars, "MOST", 5 * EVENTS)
    ((address, _status, made),) = work.too_much(iter(("/events.ics",)))
    assert (address, made["rows"] > EVENTS // 2) == ("/events.ics", True)


@pytest.mark.deep
def test_no_answer_for_anybody_grows_with_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    site = costly_site(EVENTS, players=4)
    assert Work(monkeypatch).too_much(addresses(site)) == []
