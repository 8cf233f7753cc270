"""A round as one PDF: opened by the staff, written to a folder after the publication is stored."""

import io
import logging

import pytest
from django.test import Client
from pypdf import PdfReader

from tests import factories as make
from tests.tournaments.paper.test_sheets import beyond, pages, sheet
from tournaments.core.event_state import load_facts
from tournaments.models import Event
from tournaments.paper import services as paper
from tournaments.paper.services import facts_before
from tournaments.players.services.entries import make_links
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(by):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    return client


@pytest.fixture
def printing(by, settings, tmp_path):
    """Return an event before its first round that writes its rounds to a folder."""
    settings.PAPER_FOLDER, settings.SITE_ADDRESS = str(tmp_path), "https://girone.example"
    event = make.started(by, 8, formula="swiss-cut")
    Event.objects.filter(pk=event.pk).update(prints_rounds=True)
    event.refresh_from_db()
    return event


@pytest.mark.deep
def test_the_packet_holds_every_sheet_of_the_round(organiser, by):
    event = make.playing(by, 64, formula="swiss-cut")
    make.play_round(event.rounds.get(), by)
    make.next_round(event, by)
    for size in ("a4", "letter"):
        answer = sheet(organiser, event, "round", f"?paper={size}")
        texts = pages(answer)
        titles = [next(t for t in text.splitlines() if t.strip()) for text in texts]
        assert len(texts) == 1 + 1 + 2 + 8 + 2  # by name, by table, standings, slips, by hand
        assert titles[:2] == ["Round 2: which table?", "Round 2: tables"]
        assert beyond(answer) == []
    assert sheet(Client(), event, "round").status_code == 403
    assert sheet(organiser, make.open_event(by), "round").status_code == 404


def test_the_standings_are_those_before_the_round(by):
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut")
    facts = load_facts(event, drafts=False)
    assert facts_before(facts, 1) is None
    before = facts_before(facts, 2)
    played = {row.won + row.drawn + row.lost for row in stage_standings(before)[0].tables[0].rows}
    assert played == {1}
    now = {row.won + row.drawn + row.lost for row in stage_standings(facts)[0].tables[0].rows}
    assert now == {2}


def test_a_published_round_is_written_when_it_is_stored(
    printing, by, tmp_path, django_capture_on_commit_callbacks
):
    make_links(event=printing, by=by)
    file = tmp_path / printing.slug / "round-1.pdf"
    with django_capture_on_commit_callbacks() as later:
        make.next_round(printing, by)
    assert not file.exists()  # not before it is stored
    for write in later:
        write()
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(file.read_bytes())).pages]
    assert sum("girone.example/e/" in text for text in texts) == 1  # the slips
    assert not any("/p/" in text for text in texts)  # no personal link
    assert [each.name for each in file.parent.iterdir()] == ["round-1.pdf"]


def test_nothing_is_written_unless_it_was_switched_on(
    by, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.PAPER_FOLDER = str(tmp_path)
    event = make.started(by, 4)
    with django_capture_on_commit_callbacks(execute=True):
        make.next_round(event, by)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_blocks_nothing_and_is_told(
    printing, by, organiser, settings, tmp_path, caplog, django_capture_on_commit_callbacks
):
    (tmp_path / "full").write_text("no folder")
    settings.PAPER_FOLDER = str(tmp_path / "full")
    with caplog.at_level(logging.ERROR), django_capture_on_commit_callbacks(execute=True):
        make.next_round(printing, by)
    assert printing.rounds.get().published_at is not None
    line = printing.log.get(action="paper.failed")
    assert (line.subject, line.reason) == ("1", "Not a directory")
    assert "The sheets of round 1" in caplog.text
    text = organiser.get(f"/events/{printing.slug}/desk/").content.decode()
    assert "The sheets of round 1 are not in the folder (Not a directory)." in text


def test_a_round_that_was_taken_back_meanwhile_is_not_written(printing, by, tmp_path):
    paper.write_round(printing.pk, 1, language="en", by=by)
    assert list(tmp_path.iterdir()) == []
    assert not printing.log.filter(action="paper.failed").exists()


def test_the_organiser_switches_it_on_where_the_site_has_a_folder(
    by, organiser, settings, tmp_path
):
    event = make.started(by, 4)
    address = f"/events/{event.slug}/print/folder/"
    settings.PAPER_FOLDER = ""
    assert "Write each round" not in organiser.get(f"/events/{event.slug}/print/").content.decode()
    settings.PAPER_FOLDER = str(tmp_path)
    assert "Write each round" in organiser.get(f"/events/{event.slug}/print/").content.decode()
    assert organiser.post(address, {"on": "1"}).status_code == 302
    event.refresh_from_db()
    assert event.prints_rounds
    organiser.post(address, {"on": "0"})
    event.refresh_from_db()
    assert not event.prints_rounds
    assert Client().post(address, {"on": "1"}).status_code == 403
