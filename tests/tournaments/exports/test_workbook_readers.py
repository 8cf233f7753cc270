"""Who reads what of the workbook, and in which language."""

from datetime import datetime
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from tests import factories as make
from tests.tournaments.exports.books import book, rows
from tournaments.models import StaffRole
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


def test_drafts_and_decklists_are_only_for_those_who_may_see_them(played, client):
    event, by = played
    rounds.draft_round(event=event, expected_round=2, by=by)
    assert len(rows(book(event, staff=True)["Results"])) == 12
    assert len(rows(book(event, staff=False)["Results"])) == 6
    address = reverse("tournaments:workbook", args=[event.slug]) + "?whole=1"
    anonymous = load_workbook(BytesIO(client.get(address).content))
    client.force_login(by.user)
    response = client.get(address, headers={"Accept-Language": "en"})
    assert len(anonymous.sheetnames) == len(load_workbook(BytesIO(response.content)).sheetnames) - 1
    assert response["Content-Disposition"] == (
        f'attachment; filename="{event.slug}-2026-12-05-archive.xlsx"'
    )
    assert response["Cache-Control"] == "no-store"


def test_a_draft_event_has_no_workbook_for_others(client):
    event = make.event(make.organiser())
    address = reverse("tournaments:workbook", args=[event.slug]) + "?whole=1"
    assert client.get(address).status_code == 404


def test_a_scorekeeper_gets_no_decklists(played, client):
    event, _by = played
    client.force_login(make.staff(event, StaffRole.Role.SCOREKEEPER).user)
    response = client.get(
        reverse("tournaments:workbook", args=[event.slug]) + "?whole=1",
        headers={"Accept-Language": "en"},
    )
    assert "Decklists" not in load_workbook(BytesIO(response.content)).sheetnames


@pytest.mark.parametrize(
    ("language", "shown"), [("it", "dd/mm/yyyy hh:mm"), ("en", "d mmm yyyy hh:mm")]
)
def test_dates_are_written_as_the_reader_writes_them(language, shown):
    sheet = book(make.event(make.organiser()), language=language).worksheets[0]
    starts = next(row[1] for row in sheet.iter_rows() if isinstance(row[1].value, datetime))
    assert starts.number_format == shown


def test_it_speaks_the_readers_language(played):
    titles = book(played[0], language="it").sheetnames
    assert "Torneo" in titles
    assert "Event" not in titles
