"""Corrections at random in lives of events: what was foretold is what happens, and is honest."""

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction

from tests.lives.corrected import Corrected
from tests.transcripts import check
from tournaments.exports.views import whole_transcript

pytestmark = pytest.mark.django_db
MET = {
    *("result follow", "result keep", "result take_back", "result cannot_follow"),
    *("lots follow", "lots keep", "lots take_back", "bye follow", "bye take_back"),
    *("seat follow", "seats given", "foretold", "undone", "redone"),
    *("seeds follow", "seeds keep", "seeds take_back", "seeds cannot_follow"),
    *("player follow", "player keep", "player take_out", "player take_back"),
    "player cannot_follow",
}


def lives(seeds: range, folder: Path) -> Iterator[Corrected]:
    for seed in seeds:
        with transaction.atomic():
            life = Corrected(seed)
            life.live(60)
            event = life.life.end()
            life.sound()
            _code, said = check(folder / "transcript.json", whole_transcript(event), event.head)
            assert "wrong 0" in said, (seed, said)
            transaction.set_rollback(True)
        yield life


@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 62), marks=pytest.mark.deep)], ids=["one", "many"]
)
def test_what_is_foretold_happens(seeds: range, tmp_path: Path) -> None:
    logging.disable(logging.CRITICAL)
    done: Counter[str] = Counter()
    try:
        for life in lives(seeds, tmp_path):
            done += life.done
    finally:
        logging.disable(logging.NOTSET)
    assert not len(seeds) > 10 or set(done) >= MET, done
    assert done.total(), done
