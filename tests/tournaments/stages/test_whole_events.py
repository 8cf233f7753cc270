"""Whole events through the services, for every formula and many numbers of players."""

from io import BytesIO

import pytest
from django.test import Client
from openpyxl import load_workbook

from rules.results import MatchEnding, Winner, outcome_by_winner
from rules.ties.draws import seed_fingerprint
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_state import load_facts
from tournaments.events.selectors.rules_in_words import rules_page_context
from tournaments.models import Event, Match, Stage
from tournaments.models.tables import clear_row_marks
from tournaments.results.selectors import correction_effects
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
EXO = {"format": "creatures-of-exo"}
WITH_LISTS = EXO | {"decklists": "required"}
TWICE = {"options": {"legs": 2}}


def sizes(formula, *usual, deep=(), **values):
    """Return events of some numbers of players; of some more for ``make test-all``."""
    marked = [pytest.param(formula, number, values, marks=pytest.mark.deep) for number in deep]
    return [*((formula, number, values) for number in usual), *marked]


@pytest.mark.parametrize(
    ("formula", "how_many", "values"),
    [
        *sizes("mutant-chronicles", 3, 7, 12, 13, 25, deep=(5, 8, 9, 11, 16)),
        *sizes("groups-knockout", 6, 10, 19, deep=(7, 13, 16), **WITH_LISTS),
        *sizes("single-group", 3, 8, deep=(4,), **TWICE),
        *sizes("swiss-cut", 3, 8, 13, **EXO),
        *sizes("single-elimination", 3, 8, 13, **EXO),
    ],
)
def test_it_ends_with_a_ranking_of_everybody_and_checks_out(by, formula, how_many, values):
    event = make.played(by, how_many, formula=formula, **values)
    facts = load_facts(event)
    assert event.state == Event.State.FINISHED
    assert {stage.stage.state for stage in facts.stages} == {Stage.State.CLOSED}
    ranked = [number for level in facts.ranking for number in level]
    assert sorted(ranked) == sorted(facts.entries) == [*range(1, how_many + 1)]
    assert len(facts.ranking[0]) == 1 or formula == "single-group"
    event.refresh_from_db()
    assert list(verify_event(event)) == []


MOVES = "seed 3"  # with it two pairs of the last round would change their tables


@pytest.mark.deep
def test_each_swiss_pair_says_why_and_the_bye_is_a_win(by, client):
    event = make.started(by, 9, formula="swiss-cut", **EXO)
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    matches = Match.objects.filter(round__event=event)
    assert all(match.reason["template"] for match in matches)
    byes = matches.exclude(match_seats__number=2)
    assert [match.decision.ended_by for match in byes] == [MatchEnding.BYE, MatchEnding.BYE]
    assert len({match.seats[0] for match in byes}) == 2
    client.force_login(by.user)
    page = client.get(f"/events/{event.slug}/desk/rounds/2/").content.decode()
    assert "odd number of players at" in page or "numero dispari" in page


@pytest.mark.deep
def test_who_meets_at_another_table_is_no_pairing_that_differs(by):
    """A corrected result that moves a pair to another table does not part it."""
    options = {"rounds": 3, "cut": 0}
    event = make.started(by, 8, formula="swiss-cut", options=options, **EXO)
    event.stages.filter(number=1).update(seed=MOVES)
    clear_row_marks()
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


@pytest.mark.deep
def test_the_workbook_has_swiss_standings_and_no_endless_cross_table(by, client):
    event = make.played(by, 8, formula="swiss-cut", **EXO)
    sent = b"".join(client.get(f"/events/{event.slug}/export.xlsx?whole=1"))
    book = load_workbook(BytesIO(sent))
    keys = {row[1] for row in list(book["Schema"].values)[1:]}
    assert any(key.startswith("standings.1") for key in keys)
    assert not any(key.startswith("cross.") for key in keys)


@pytest.mark.deep
def test_the_seed_is_public_after_the_stage_and_its_fingerprint_before(by, client):
    event = make.started(by, 8, formula="swiss-cut", **EXO)
    seed = event.stages.get(number=1).seed
    shown = client.get(f"/events/{event.slug}/record/").content.decode()
    assert seed_fingerprint(seed) in shown
    assert seed not in shown
    make.play_event(event, by)
    assert seed in client.get(f"/events/{event.slug}/record/").content.decode()


ALL = "All matches count"
FEWER = "Matches against last place don’t count"


def groups_of(by, players, uneven):
    options = {"uneven_groups": uneven, "third_place": False}
    event = make.started(by, players, formula="groups-knockout", options=options)
    make.play_stage(event, by)
    return event


@pytest.mark.deep
@pytest.mark.parametrize(("uneven", "words"), [(0, ALL), (1, FEWER)])
def test_the_pages_say_how_they_are_compared(by, uneven, words) -> None:
    event = groups_of(by, 7, uneven)
    client = signed_in(by)
    for page in ("standings", "advance"):
        assert words in client.get(f"/events/{event.slug}/{page}/").content.decode(), page
    assert any(words in sentence for sentence in rules_page_context(event, 7)["formula"])


@pytest.mark.deep
def test_groups_of_one_size_need_no_words(by) -> None:
    event = groups_of(by, 8, 1)
    shown = Client(headers={"accept-language": "en"}).get(f"/events/{event.slug}/standings/")
    assert ALL not in shown.content.decode()
    assert FEWER not in shown.content.decode()


@pytest.mark.deep
def test_the_compared_have_as_many_matches_and_the_event_is_sound(by) -> None:
    event = groups_of(by, 11, 1)
    compared = load_facts(event).stages[0].outcome.compared
    for standings in compared.values():
        assert {row.played for row in standings.rows} == {2}
    assert list(verify_event(make.play_event(event, by))) == []
