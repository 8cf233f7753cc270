"""Penalties given by deck checks and beside them."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.checks import services as check_ticks
from tournaments.checks import services as checks
from tournaments.core.event_state import load_facts
from tournaments.models import DeckCheck, LogLine, Penalty, StaffRole, TimeExtension
from tournaments.penalties import services as penalties
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db


Outcome, Level = DeckCheck.Outcome, Penalty.Level


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


def finish(check, by, outcome=Outcome.CLEAN, **more):
    return check_ticks.finish_check(
        check=check, version=check.version, lines=(), points=(), outcome=outcome, by=by, **more
    )


def last_line(event) -> LogLine:
    return event.log.order_by("-number")[0]


def test_a_check_that_ends_with_a_penalty(event, judge):
    check, _other = checks.check_table(event=event, table=2, by=judge)
    secret = "Due Zafferanino Segreto oltre la lista"
    finish(check, judge, Outcome.PENALTY, level=Level.WARNING, infraction=secret, note=secret)
    penalty = Penalty.objects.get()
    assert (penalty.entry_id, penalty.level, penalty.infraction) == (
        check.entry_id,
        Level.WARNING,
        secret,
    )
    assert (penalty.check_made_id, penalty.match_id) == (check.pk, check.match_id)
    told = list(event.log.values_list("subject", "before", "after", "reason"))
    assert secret not in str(told)


@pytest.mark.parametrize(
    ("level", "infraction", "code"),
    [("", "Buste segnate", "impossible_penalty"), (Level.WARNING, " ", "infraction_missing")],
)
def test_a_penalty_needs_level_and_words(event, judge, level, infraction, code):
    check = checks.check_player(entry=event.entries.get(number=1), by=judge)
    with pytest.raises(BadInput) as refused:
        finish(check, judge, Outcome.PENALTY, level=level, infraction=infraction)
    assert refused.value.code == code
    check.refresh_from_db()
    assert check.finished_at is None


def test_a_penalty_belongs_to_the_match_in_play(event, judge):
    match = event.rounds.get().matches.get(table=4)
    penalty = penalties.give_penalty(
        entry=match.players[1],
        level=Level.CAUTION,
        infraction="Gioco lento",
        note="Due volte",
        by=judge,
    )
    assert (penalty.match_id, penalty.round_id) == (match.pk, match.round_id)
    assert last_line(event).after == {"level": "caution"}


def test_who_rests_is_checked_and_punished_in_the_round_too(by):
    event = make.started(by, 5, formula="single-group")
    item = make.next_round(event, by)
    seated = {key for match in item.matches.all() for key in match.seats}
    resting = event.entries.exclude(pk__in=seated).get()
    check = checks.check_player(entry=resting, by=by)
    assert (check.match, check.round) == (None, item)
    finish(check, by, Outcome.PENALTY, level=Level.CAUTION, infraction="Prova")
    assert Penalty.objects.get().round_id == item.pk
    assert not TimeExtension.objects.exists()


def test_a_disqualification_needs_the_head_judge_and_takes_the_player_out(event, judge):
    check, _other = checks.check_table(event=event, table=2, by=judge)
    out = {"level": Level.DISQUALIFICATION, "infraction": "Carte segnate"}
    with pytest.raises(PermissionDenied):
        finish(check, judge, Outcome.PENALTY, **out)
    finish(check, make.staff(event, StaffRole.Role.HEAD_JUDGE), Outcome.PENALTY, **out)
    check.entry.refresh_from_db()
    check.match.refresh_from_db()
    assert check.entry.status == "disqualified"
    assert check.match.state == "final"
    assert not TimeExtension.objects.exists()
    numbers = list(event.log.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_penalty_is_taken_back_by_the_head_judge_once(event, by, judge):
    entry = event.entries.get(number=1)
    penalty = penalties.give_penalty(entry=entry, level="warning", infraction="Errore", by=judge)
    with pytest.raises(PermissionDenied):
        penalties.take_penalty_back(event=event, penalty_id=penalty.pk, by=judge)
    penalties.take_penalty_back(event=event, penalty_id=penalty.pk, by=by)
    assert last_line(event).before == {"level": "warning"}
    with pytest.raises(RuleError) as refused:
        penalties.take_penalty_back(event=event, penalty_id=penalty.pk, by=by)
    assert refused.value.code == "penalty_gone"


def test_fewest_penalties_rank_who_is_level_and_a_closed_stage_keeps_its_order(by):
    event = make.started(
        by,
        4,
        formula="single-group",
        criteria=["points", "fewest_penalties", "lots"],
        options={"legs": 1},
    )

    def in_a_circle(match, _index):
        a, b = match.players[0].number, match.players[1].number
        wins = b in (a % 3 + 1, 4) if a != 4 else False
        return Claim(score=(40, 20) if wins else (20, 40))

    make.next_round(event, by)
    for number, level in ((1, "warning"), (1, "caution"), (2, "warning")):
        entry = event.entries.get(number=number)
        penalties.give_penalty(entry=entry, level=level, infraction="Prova", by=by)
    make.play_round(event.rounds.get(), by, in_a_circle)
    make.play_stage(event, by, in_a_circle)

    def order():
        rows = next(iter(load_facts(event).stages[0].outcome.standings.values())).rows
        return [(row.rank, row.player) for row in rows]

    decided = [(1, 3), (2, 2), (3, 1), (4, 4)]
    assert order() == decided
    stages.close_stage(event=event, expected_stage=1, by=by)
    for _again in range(3):
        entry = event.entries.get(number=3)
        penalties.give_penalty(entry=entry, level="caution", infraction="Prova", by=by)
    assert order() == decided
