"""The ranks that a correction changes, before and after, and where the line stands in each."""

import pytest
from django.utils.translation import override

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.scenes.base import GROUP
from tests.tournaments.corrections.test_follow import foretold
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors import page
from tournaments.corrections.selectors.choices import Correction, correction_of
from tournaments.corrections.selectors.page import line_below, rank_tables
from tournaments.models import Event, Match
from tournaments.results.services.results import checked_correction

pytestmark = pytest.mark.django_db


def first_match(event: Event, **only: object) -> Match:
    found = Match.objects.select_related("round__event", "group__stage", "decision")
    return found.filter(round__event=event, **only).first()


def drawn(match: Match, by: Actor) -> Correction:
    """Return what follows if a match was a draw."""
    claim = Claim(score=(10, 10))
    outcome = checked_correction(match, match.version, claim, reason="x", by=by)
    return correction_of(load_facts(match.round.event), match, outcome)


def test_ranks_that_lots_would_have_to_settle_are_shown_as_shared(by: Actor) -> None:
    event = make.playing(by, 4, **GROUP)
    won = Claim(score=(20, 10))
    make.play_round(
        event.rounds.get(), by, lambda m, index: Claim(score=(10, 10)) if index else won
    )
    match = first_match(event, decision__score_a=20)
    with override("en"):
        (table,) = rank_tables(foretold(match, by))
        assert [row.rank for row in table.rows] == [1, 4]
        assert [row.gap for row in table.rows] == [False, True]
        assert all(row.changes and not row.shared for row in table.rows)
        assert table.rows[1].figures[0] == "Pts 0, before 3"
        assert table.through == 0
        (table,) = rank_tables(drawn(match, by))
        assert all(row.shared for row in table.rows)


@pytest.fixture
def swiss(by: Actor) -> Event:
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}
    return make.stage_played(by, 8, format="doomtrooper-original", **options)


def test_who_changes_and_who_stands_at_the_line_is_shown_on_both_sides(
    swiss: Event, by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override("en"):
        for ordinal in (1, 3):
            match = first_match(swiss, round__ordinal=ordinal)
            (table,) = rank_tables(foretold(match, by))
            ranks_shown = [row.rank for row in table.rows]
            assert {4, 5} <= {*ranks_shown}
            assert [row.rank for row in table.rows if row.last_before] == [4]
            assert [row.rank for row in table.rows if row.last_after] == [4]
            assert [row.rank for row in table.rows if row.line] == [4]
            assert (table.through, table.straight, table.every) == (4, True, ())
            before = {row.before for row in table.rows}
            after = {row.after: row.figures for row in table.rows}
            for player in match.players:
                assert str(player) in before
                assert ", before " in after[str(player)][0]
            assert not {*after} & {name for name, _words in table.others}
            gaps = [row.rank for row in table.rows if row.gap]
            assert gaps == [r for r in ranks_shown if r > 1 and r - 1 not in ranks_shown]
        monkeypatch.setattr(page, "MOST_RANKS", 2)
        (short,) = rank_tables(foretold(match, by))
        assert short.every in (table.rows, ())
        assert {row.rank for row in short.rows} <= {*ranks_shown}
        assert {4, 5} <= {row.rank for row in short.rows}


def test_the_line_lies_below_who_goes_on_though_somebody_above_has_left(
    swiss: Event, by: Actor
) -> None:
    (standings,) = load_facts(swiss).stages[0].outcome.standings.values()
    players = [row.player for row in standings.rows]
    assert line_below(standings.rows, 4, ()) == 4
    assert line_below(standings.rows, 4, {players[1], players[6]}) == 5
    assert line_below(standings.rows, 4, {players[5]}) == 4
    assert line_below(standings.rows, 0, ()) == 0
    assert line_below(standings.rows, 9, ()) == 8


def test_a_rank_compared_across_groups_shows_who_goes_on_there(by: Actor) -> None:
    event = make.stage_played(by, 12, formula="mutant-chronicles", format="doomtrooper-original")
    found = Match.objects.select_related("round__event", "group__stage", "decision")
    label = "Groups: those on rank 3 of each group, compared"
    with override("en"):
        tables = [
            {table.label: table for table in rank_tables(foretold(match, by))}
            for match in found.filter(round__event=event, group__name="A")
        ]
    compared = [shown[label] for shown in tables if label in shown]
    assert {table.through for table in compared} == {2}
    assert any(row.changes for table in compared for row in table.rows)
