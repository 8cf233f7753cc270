"""Corrections at random in lives of events: what was foretold is what happens, and is honest."""

import logging
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from django.db import transaction

from rules.matches.match_rules import MatchRules
from rules.matches.settling import resolve_claim
from tests.lives import results
from tests.lives.corrected import Corrected
from tests.transcripts import draws_of
from tournaments.exports.views import event_transcript

pytestmark = pytest.mark.django_db
MET = {
    *("result follow", "result keep", "result take_back", "result cannot_follow"),
    *("lots follow", "lots keep", "lots take_back", "bye follow", "bye take_back"),
    *("seat follow", "seats given", "foretold", "undone", "redone"),
    *("seeds follow", "seeds keep", "seeds take_back", "seeds cannot_follow"),
    *("player follow", "player keep", "player take_out", "player take_back"),
    "player cannot_follow",
}


def lives(seeds: range) -> Iterator[Corrected]:
    for seed in seeds:
        with transaction.atomic():
            life = Corrected(seed)
            life.live(60)
            event = life.life.end()
            life.sound()
            draws_of(event_transcript(event))
            transaction.set_rollback(True)
        yield life


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("score", ["games", "promotion"])
def test_a_usual_result_is_possible_and_says_what_was_sent(size: int, score: str) -> None:
    rules = MatchRules(best_of=1 if size > 2 else 3, draws=True, score=score, timed=True, size=size)
    for seed in range(40):
        body = results.usual(rules, Random(seed).choice)
        outcome = resolve_claim(rules, results.claim_of(body))
        if size > 2:
            drawn = body.get("drawn", ())
            first = {*range(1, size + 1)} if drawn is True else {*drawn}
            first |= {body["winner_seat"]} if "winner_seat" in body else set()
            first |= {body["places"].index(1) + 1} if "places" in body else set()
            assert {seat for seat, at in enumerate(outcome.places, 1) if at == 1} == first


@pytest.mark.deep
@pytest.mark.parametrize(
    ("fewest", "most"),
    [(1, 1), pytest.param(60, 180, marks=pytest.mark.deep)],
    ids=["one", "many"],
)
def test_what_is_foretold_happens(fewest: int, most: int) -> None:
    """Many lives put right all there is; lives go on for what is rare, at most ``most``."""
    logging.disable(logging.CRITICAL)
    done, wanted = Counter[str](), MET if most > fewest else set[str]()
    try:
        for number, life in enumerate(lives(range(most)), start=1):
            done += life.done
            if number >= fewest and set(done) >= wanted:
                break
    finally:
        logging.disable(logging.NOTSET)
    assert set(done) >= wanted, done
    assert done.total(), done
