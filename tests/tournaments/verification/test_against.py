"""What a chain alone can't show is seen beside a transcript that somebody else holds."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests import factories as make
from tests.planting import sql
from tournaments.chain.lines import chain_log
from tournaments.core.permissions import Actor
from tournaments.exports.views import event_transcript
from tournaments.models import Event
from tournaments.players.services.entries import change_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def event(by: Actor) -> Event:
    return make.played(by, 4, formula="single-group")


@pytest.fixture
def transcript(event: Event, tmp_path: Path) -> Path:
    path = tmp_path / "transcript.json"
    path.write_text(json.dumps(event_transcript(event)))
    return path


def said(event: Event, transcript: Path) -> tuple[int, str]:
    """Return the exit code of ``verify --against`` and what it prints."""
    out = StringIO()
    try:
        call_command("verify", event.slug, against=transcript, stdout=out)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    return 0, out.getvalue()


def chained_anew(event: Event) -> Event:
    """Compute the chain again from what the tables hold, as who has the database can."""
    event.log.update(facts={}, words={}, salt="", closed_digest="", digest="")
    Event.objects.filter(pk=event.pk).update(head="")
    chain_log(Event.objects.get(pk=event.pk))
    return Event.objects.get(pk=event.pk)


def test_the_same_log_is_the_same_also_where_it_has_gone_on(event, by, transcript):
    assert said(event, transcript)[0] == 0
    change_entry(entry=event.entries.get(number=1), changes={"club": "Nord"}, by=by)
    assert said(event, transcript)[0] == 0


def test_a_chain_computed_again_is_another_one(event, transcript):
    sql("UPDATE tournaments_entry SET name = 'Eva' WHERE event_id = %s AND number = 1", event.pk)
    event = chained_anew(event)
    out = StringIO()
    call_command("verify", event.slug, stdout=out)
    assert "No differences found." in out.getvalue(), "by itself the chain is right"
    code, words = said(event, transcript)
    assert code == 1
    assert "against: Line 1:" in words
    assert words.count("against:") == 1


def test_an_end_that_was_cut_off_is_missing(event, by, tmp_path):
    change_entry(entry=event.entries.get(number=1), changes={"club": "Nord"}, by=by)
    event = Event.objects.get(pk=event.pk)
    path = tmp_path / "later.json"
    path.write_text(json.dumps(event_transcript(event)))
    last = event.version - 1
    head = event.log.get(number=last).digest
    sql("DELETE FROM tournaments_logline WHERE event_id = %s AND number > %s", event.pk, last)
    sql("UPDATE tournaments_event SET version = %s, head = %s WHERE id = %s", last, head, event.pk)
    code, words = said(event, path)
    assert code == 1
    assert f"Line {last + 1}: – in the log, {event.head[:16]} in the transcript." in words


@pytest.mark.deep
def test_the_transcript_of_another_event_is_another_log(event, by, transcript):
    other = make.played(by, 4, formula="single-group")
    assert said(other, transcript)[0] == 1


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"log": {"lines": []}}', '{"log": {"lines": [[]]}}', "[" * 99_999]
)
def test_what_is_no_transcript_is_refused(event, tmp_path, content):
    path = tmp_path / "transcript.json"
    path.write_text(content)
    with pytest.raises(CommandError, match="This is not an event transcript") as refused:
        said(event, path)
    assert refused.value.returncode == 2


def test_a_missing_file_and_a_transcript_for_all_events_are_refused(event, transcript, tmp_path):
    with pytest.raises(CommandError, match="can’t be read"):
        said(event, tmp_path / "nothing.json")
    with pytest.raises(CommandError, match="belongs to one event") as refused:
        call_command("verify", all=True, against=transcript)
    assert refused.value.returncode == 2
