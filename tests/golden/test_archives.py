"""Archives of before (versions 2 and 3) restore, verify and go out in the present version.

Before version 3 seats had no numbers, before version 4 matches had columns of their seats.
"""

import json
import lzma
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import VERSION, event_archive
from tournaments.models import Event, LogLine, Match
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

FILES = sorted((Path(__file__).parent / "archives").glob("*.json.xz"))


@pytest.fixture(params=FILES, ids=lambda file: file.name.removesuffix(".json.xz"))
def before(request):
    """Return an archive as it was written."""
    return lzma.decompress(request.param.read_bytes())


def players_of(document: dict[str, Any]) -> dict[tuple[int, int], list[int]]:
    """Return the players of each match by round and number, as its archive says."""
    tables = document["tables"]
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    for seat in tables["match_seats"]:
        match = tables["matches"][seat["match"] - 1]
        number = seat.get("number", 2 if seat["entry"] == match.get("b") else 1)
        seats[seat["match"]][number] = tables["entries"][seat["entry"] - 1]["number"]
    return {
        (tables["rounds"][match["round"] - 1]["ordinal"], match["number"]): [
            player for _number, player in sorted(seats[at].items())
        ]
        for at, match in enumerate(tables["matches"], start=1)
    }


def test_there_are_some_of_each_version_with_byes_and_tables():
    documents = [json.loads(lzma.decompress(file.read_bytes())) for file in FILES]
    assert [one["girone"] for one in documents].count(2) >= 3
    assert [one["girone"] for one in documents].count(3) >= 2
    sizes = {len(players) for one in documents for players in players_of(one).values()}
    assert sizes == {1, 2, 3}


@pytest.mark.deep
def test_who_played_has_the_seats_of_then(before):
    event = restore_archive(before)
    found = {
        (match.round.ordinal, match.number): [player.number for player in match.players]
        for match in Match.objects.filter(round__event=event).select_related("round")
    }
    assert found == players_of(json.loads(before))


@pytest.mark.deep
def test_the_record_holds_and_every_digest_stays(before):
    event = restore_archive(before)
    assert list(map(str, verify_event(event))) == []
    told = [line["digest"] for line in json.loads(before)["tables"]["log"]]
    kept = LogLine.objects.filter(event=event).order_by("number").values_list("digest", flat=True)
    assert list(kept)[: len(told)] == told


@pytest.mark.deep
def test_it_goes_out_in_the_present_version_and_comes_in_again(before):
    event = restore_archive(before)
    content = event_archive(event)
    tables = json.loads(content)["tables"]
    assert json.loads(content)["girone"] == VERSION == 4
    assert not any({"a", "b", "size"} & match.keys() for match in tables["matches"])
    assert players_of(json.loads(content)) == players_of(json.loads(before))
    again = restore_archive(content, slug="again")
    assert list(map(str, verify_event(again))) == []
    assert Event.objects.count() == 2
    again.delete()
    event.delete()
    assert event_archive(restore_archive(content)) == content
