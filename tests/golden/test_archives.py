"""Archives of before seats had numbers (version 2) restore, verify and go out as version 3."""

import json
import lzma
from pathlib import Path

import pytest

from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.models import Event, LogLine, Match
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

FILES = sorted((Path(__file__).parent / "archives").glob("*.json.xz"))


@pytest.fixture(params=FILES, ids=lambda file: file.name.removesuffix(".json.xz"))
def before(request):
    """Return an archive as it was written."""
    return lzma.decompress(request.param.read_bytes())


def test_there_are_some_with_byes():
    assert len(FILES) >= 3
    for file in FILES:
        document = json.loads(lzma.decompress(file.read_bytes()))
        assert document["girone"] == 2
        assert any(match["b"] is None for match in document["tables"]["matches"])


def test_a_has_seat_1_and_b_seat_2(before):
    event = restore(before)
    matches = Match.objects.filter(round__event=event)
    assert {match.size for match in matches} == {1, 2}
    for match in matches:
        seated = list(match.match_seats.order_by("number").values_list("number", "entry"))
        assert seated == list(enumerate(filter(None, (match.a_id, match.b_id)), start=1))


def test_the_record_holds_and_every_digest_stays(before):
    event = restore(before)
    assert list(map(str, verify_event(event))) == []
    told = [line["digest"] for line in json.loads(before)["tables"]["log"]]
    kept = LogLine.objects.filter(event=event).order_by("number").values_list("digest", flat=True)
    assert list(kept)[: len(told)] == told


def test_it_goes_out_with_numbers_and_comes_in_again(before):
    event = restore(before)
    content = archive(event)
    tables = json.loads(content)["tables"]
    assert json.loads(content)["girone"] == 3
    assert {match["size"] for match in tables["matches"]} == {1, 2}
    assert {seat["number"] for seat in tables["match_seats"]} == {1, 2}
    again = restore(content, slug="again")
    assert list(map(str, verify_event(again))) == []
    assert Event.objects.count() == 2
    again.delete()
    event.delete()
    assert archive(restore(content)) == content
