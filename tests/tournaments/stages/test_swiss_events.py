"""Swiss rounds and single elimination on the site: whole events, byes, leaving, reasons."""

from dataclasses import replace
from io import BytesIO

import pytest
from openpyxl import load_workbook

from rules.results import EndedBy, Winner, outcome_by_winner
from rules.ties.draws import fingerprint
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event, Match, MatchSeat
from tournaments.models.touched import forget
from tournaments.players.services import departures
from tournaments.results.selectors import correction_effects
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

EXO = {"format": "creatures-of-exo"}
MOVES = "seed 3"  # with it two pairs of the last round would change their tables


@pytest.mark.parametrize("players", [3, 8, 13])
@pytest.mark.parametrize("formula", ["swiss-cut", "single-elimination"])
def test_a_whole_event_comes_to_its_end_and_checks_out(formula, players, by):
    event = make.played(by, players, formula=formula, **EXO)
    facts = load_facts(event)
    assert len(facts.ranking[0]) == 1
    assert sorted(number for level in facts.ranking for number in level) == [*range(1, players + 1)]
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


def test_each_swiss_pair_says_why_and_the_bye_is_a_win(by, client):
    event = make.started(by, 9, formula="swiss-cut", **EXO)
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    matches = Match.objects.filter(round__event=event)
    assert all(match.reason["template"] for match in matches)
    byes = matches.exclude(match_seats__number=2)
    assert [match.decision.ended_by for match in byes] == [EndedBy.BYE, EndedBy.BYE]
    assert len({match.seats[0] for match in byes}) == 2
    client.force_login(by.user)
    page = client.get(f"/events/{event.slug}/desk/rounds/2/").content.decode()
    assert "odd number at" in page or "numero dispari" in page


def test_nobody_meets_twice_and_who_has_left_is_not_paired(by):
    event = make.started(by, 10, formula="swiss-cut", options={"rounds": 5, "cut": 0}, **EXO)
    first = make.next_round(event, by)
    make.play_round(first, by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, reason="Treno", by=by)
    make.play_stage(event, by)
    later = MatchSeat.objects.filter(round__event=event).exclude(round=first)
    assert not later.filter(entry=gone).exists()
    pairs = [
        frozenset(match.seats)
        for match in Match.objects.filter(round__event=event, match_seats__number=2)
    ]
    assert len(pairs) == len(set(pairs))
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


def test_the_published_seed_pairs_the_rounds_again(by):
    event = make.started(by, 12, formula="swiss-cut", **EXO)
    make.play_round(make.next_round(event, by), by)
    made = make.next_round(event, by)
    stage = load_facts(event).open_stage
    assert len(stage.stage.seed) == 32
    before = replace(stage.state, rounds=stage.state.rounds[:1])
    again = {pairing.seats for pairing in stage.kind.next_round(before)}
    assert again == set(make.pairs_of(made.matches.all()))
    others = [
        {p.seats for p in stage.kind.next_round(replace(before, seed=f"another {number}"))}
        for number in range(20)
    ]
    assert any(other != again for other in others)


def test_who_meets_at_another_table_is_no_pairing_that_differs(by):
    """A corrected result that moves a pair to another table does not part it."""
    options = {"rounds": 3, "cut": 0}
    event = make.started(by, 8, formula="swiss-cut", options=options, **EXO)
    event.stages.filter(number=1).update(seed=MOVES)
    forget()
    for _round in range(3):
        make.play_round(make.next_round(event, by), by)
    facts = load_facts(event)
    turned = outcome_by_winner(Winner.B, games=("b", "b"), games_won=(0, 2, 0))
    stage = facts.stages[0]
    for match in stage.matches_of(stage.regular_rounds[0]):
        for changed in correction_effects(facts, match, turned).repairings:
            gone, instead = (
                {frozenset(met[2:]) for met in part} for part in (changed.gone, changed.instead)
            )
            assert gone
            assert gone.isdisjoint(instead)


def test_the_workbook_has_swiss_standings_and_no_endless_cross_table(by, client):
    event = make.played(by, 8, formula="swiss-cut", **EXO)
    sent = b"".join(client.get(f"/events/{event.slug}/export.xlsx?whole=1"))
    book = load_workbook(BytesIO(sent))
    keys = {row[1] for row in list(book["Schema"].values)[1:]}
    assert any(key.startswith("standings.1") for key in keys)
    assert not any(key.startswith("cross.") for key in keys)


def test_the_seed_is_public_after_the_stage_and_its_fingerprint_before(by, client):
    event = make.started(by, 8, formula="swiss-cut", **EXO)
    seed = event.stages.get(number=1).seed
    shown = client.get(f"/events/{event.slug}/draws/").content.decode()
    assert fingerprint(seed) in shown
    assert seed not in shown
    make.play_event(event, by)
    assert seed in client.get(f"/events/{event.slug}/draws/").content.decode()
