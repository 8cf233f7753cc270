"""A whole event out, in and out again: byte for byte the same."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.tournaments.archive.documents import content, taken_out
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.valid_columns import ARCHIVED
from tournaments.models import Entry, Event, LogLine, Match
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_out_in_out_is_the_same_to_the_byte(event):
    first = event_archive(event)
    Event.objects.filter(pk=event.pk).delete()
    User.objects.all().delete()
    again = restore_archive(first)
    assert event_archive(again) == first
    assert list(verify_event(again)) == []


@pytest.mark.deep
@pytest.mark.parametrize(
    "formula", ["groups-knockout", "swiss-cut", "single-elimination", "double-elimination"]
)
def test_every_formula_goes_out_and_in(by, formula):
    event = make.played(by, 9, formula=formula, format="thoom")
    first = event_archive(event)
    ranking = load_facts(event).ranking
    Event.objects.filter(pk=event.pk).delete()
    again = restore_archive(first)
    assert event_archive(again) == first
    assert load_facts(again).ranking == ranking


@pytest.mark.deep
def test_the_restored_event_goes_on(event, by):
    first = event_archive(event)
    Event.objects.filter(pk=event.pk).delete()
    again = restore_archive(first, caller=by.user)
    finished = make.play_event(again, by)
    assert finished.state == "finished"


@pytest.mark.deep
def test_an_event_that_is_there_is_not_overwritten(event):
    written = event_archive(event)
    lines = LogLine.objects.count()
    with pytest.raises(RuleError) as refused:
        restore_archive(written)
    assert refused.value.code == "slug_taken"
    assert LogLine.objects.count() == lines
    copy = restore_archive(written, slug="copia")
    assert copy.slug == "copia"
    assert Match.objects.filter(round__event=copy).count() > 0


@pytest.mark.parametrize("cut", range(0, 5000, 617))
def test_half_a_file_is_refused_and_nothing_is_stored(event, cut):
    written = event_archive(event)
    Event.objects.filter(pk=event.pk).delete()
    with pytest.raises(BadInput):
        restore_archive(written[: len(written) * cut // 5000])
    assert not Event.objects.exists()


def test_every_missing_or_wrong_column_is_refused_and_nothing_is_stored(event):
    document = json.loads(event_archive(event))
    Event.objects.filter(pk=event.pk).delete()
    for table in ARCHIVED:
        rows = document["tables"].get(table.key, [])
        if not rows:
            continue
        kept = dict(rows[0])
        for broken in ({}, {**kept, next(iter(kept)): {"x": [None]}}, [], None):
            rows[0] = broken
            refusal = None
            try:
                assert event_archive(restore_archive(json.dumps(document).encode()))
            except BadInput as refused:
                refusal = refused.code
            assert Event.objects.exists() is (refusal is None)
            assert refusal in (None, "archive_invalid")
            Event.objects.all().delete()
            assert not Entry.objects.exists()
        rows[0] = kept


@pytest.mark.deep
def test_an_archive_of_before_columns_that_may_be_empty_comes_back_whole(event):
    event.entries.filter(number=1).update(submission=None)
    first = event_archive(event)
    document = taken_out(event)
    left_out = set()
    for table in ARCHIVED:
        for row in document["tables"].get(table.key, []):
            for field in table.columns:
                if field.null and row.get(field.name, "") is None:
                    del row[field.name]
                    left_out.add((table.key, field.name, field.has_default()))
    assert ("entries", "fixed_table", False) in left_out
    assert ("entries", "submission", False) in left_out
    assert event_archive(restore_archive(content(document))) == first


@pytest.mark.parametrize("rubbish", [b"", b"[]", b"{}", b'{"girone": 9}', b"\xff\xfe", b"[" * 9999])
def test_rubbish_is_refused(rubbish):
    with pytest.raises(BadInput):
        restore_archive(rubbish)


@pytest.mark.deep
def test_people_without_an_account_are_not_made_for_a_caller(event, by):
    written = event_archive(event)
    Event.objects.filter(pk=event.pk).delete()
    User.objects.exclude(pk=by.user.pk).delete()
    restored = restore_archive(written, caller=by.user)
    assert User.objects.count() == 1
    assert restored.created_by == by.user


@pytest.mark.deep
def test_the_commands(event, tmp_path: Path):
    first, second = tmp_path / "one.json", tmp_path / "two.json"
    call_command("archive", event.slug, str(first), stdout=StringIO())
    assert first.stat().st_mode & 0o077 == 0
    slug = event.slug
    Event.objects.filter(pk=event.pk).delete()
    out = StringIO()
    call_command("restore", str(first), stdout=out)
    assert out.getvalue().strip() == slug
    call_command("archive", slug, str(second), stdout=StringIO())
    assert first.read_bytes() == second.read_bytes()
    for arguments in (("archive", "nessuno", str(first)), ("restore", str(tmp_path / "x"))):
        with pytest.raises(CommandError) as refused:
            call_command(*arguments, stdout=StringIO())
        assert refused.value.returncode == 2
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(first), stdout=StringIO())
    assert refused.value.returncode == 2


def test_the_api_gives_the_archive_to_organisers_and_takes_it_back(event, by, client):
    url = f"/api/v1/events/{event.slug}/archive.json"
    assert client.get(url).status_code == 401
    client.force_login(by.user)
    content = client.get(url).content
    assert content == event_archive(event)
    send = {"data": content, "content_type": "application/json"}
    assert client.post("/api/v1/events/restore/", **send).json()["code"] == "slug_taken"
    made = client.post("/api/v1/events/restore/?slug=copia", **send)
    assert (made.status_code, made.json()["slug"]) == (201, "copia")
    rubbish = client.post("/api/v1/events/restore/", data=b"{", content_type="application/json")
    assert (rubbish.status_code, rubbish.json()["code"]) == (400, "archive_invalid")
    client.logout()
    assert client.post("/api/v1/events/restore/", **send).status_code == 401
