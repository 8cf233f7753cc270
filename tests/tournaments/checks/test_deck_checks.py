"""Deck checks: who is picked, what is kept, what stays, and penalties that end one."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from rules.errors import BadInput, RuleError
from rules.events.deck_checks import pick_table
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.checks import services as check_ticks
from tournaments.checks import services as checks
from tournaments.clock import services as extensions
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import DeckCheck, LogLine, Penalty, StaffRole, TimeExtension
from tournaments.penalties import services as penalties
from tournaments.players.services import departures
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db
Outcome, Level = DeckCheck.Outcome, Penalty.Level


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


def pick(event, by, **more):
    known = event.deck_checks.count()
    return checks.begin_random_check(event=event, expected_checks=known, by=by, **more)


def finish(check, by, outcome=Outcome.CLEAN, **more):
    return check_ticks.finish_check(
        check=check, version=check.version, lines=(), points=(), outcome=outcome, by=by, **more
    )


def last_line(event) -> LogLine:
    return event.log.order_by("-number")[0]


def took(check, minutes: float) -> None:
    begun = timezone.now() - timedelta(minutes=minutes)
    DeckCheck.objects.filter(pk=check.pk).update(started_at=begun)


def test_a_table_is_picked_by_the_seed_that_is_kept(event, judge):
    found = pick(event, judge)
    line = last_line(event)
    assert len(found) == 2
    assert {check.seed for check in found} == {line.after["seed"]}
    assert line.after["tables"] == [1, 2, 3, 4, 5, 6]
    assert line.after["table"] == pick_table(line.after["seed"], line.after["tables"])
    assert {check.match.table for check in found} == {line.after["table"]}
    assert all(check.submission_id == check.entry.submission_id for check in found)


@pytest.mark.deep
def test_nobody_is_picked_twice_unless_asked(event, judge):
    seen = []
    for _turn in range(6):
        seen += [finish(check, judge).entry_id for check in pick(event, judge)]
    assert len(seen) == len(set(seen)) == 12
    with pytest.raises(RuleError) as refused:
        pick(event, judge)
    assert refused.value.code == "no_table_left"
    assert len(pick(event, judge, again=True)) == 2


def test_tables_with_a_result_are_not_picked(event, by, judge):
    make.play_round(event.rounds.get(), by)
    with pytest.raises(RuleError) as refused:
        pick(event, judge)
    assert refused.value.code == "no_table_left"


def test_a_named_table_and_only_those_of_it_who_were_not_checked(event, judge):
    match = event.rounds.get().matches.get(table=3)
    finish(checks.begin_player_check(entry=match.players[0], by=judge), judge)
    (check,) = checks.begin_table_check(event=event, table=3, by=judge)
    assert check.entry_id == match.seats[1]
    assert check.seed == ""
    with pytest.raises(RuleError) as refused:
        checks.begin_table_check(event=event, table=3, by=judge)
    assert refused.value.code == "check_open"
    finish(check, judge)
    with pytest.raises(RuleError) as refused:
        checks.begin_table_check(event=event, table=3, by=judge)
    assert refused.value.code == "checked_already"
    assert len(checks.begin_table_check(event=event, table=3, again=True, by=judge)) == 2


def test_a_table_that_is_not_there(event, judge):
    with pytest.raises(BadInput) as refused:
        checks.begin_table_check(event=event, table=99, by=judge)
    assert refused.value.code == "no_table"


def test_one_open_check_a_player(event, judge):
    entry = event.entries.get(number=1)
    checks.begin_player_check(entry=entry, by=judge)
    with pytest.raises(RuleError) as refused:
        checks.begin_player_check(entry=entry, again=True, by=judge)
    assert refused.value.code == "check_open"
    with pytest.raises(IntegrityError), transaction.atomic():
        DeckCheck.objects.create(event=event, entry=entry)


def test_a_check_left_unfinished_does_not_count_as_checked(event, judge):
    entry = event.entries.get(number=1)
    finish(checks.begin_player_check(entry=entry, by=judge), judge, Outcome.ABANDONED)
    assert checks.begin_player_check(entry=entry, by=judge)


def test_before_the_start_and_after_the_end_nobody_is_checked(by):
    waiting = make.open_event(by)
    entry = make.players(waiting, 4, by)[0]
    with pytest.raises(RuleError) as refused:
        checks.begin_player_check(entry=entry, by=by)
    assert refused.value.code == "event_not_running"


@pytest.mark.parametrize("role", [StaffRole.Role.SCOREKEEPER, None])
def test_only_judges_and_the_organiser_check(event, role, judge):
    actor = make.staff(event, role) if role else Actor(entry=event.entries.get(number=2))
    entry = event.entries.get(number=1)
    check = checks.begin_player_check(entry=entry, by=judge)
    match = event.rounds.get().matches.get(table=1)
    for act in (
        lambda: checks.begin_player_check(entry=entry, by=actor),
        lambda: checks.begin_table_check(event=event, table=1, by=actor),
        lambda: pick(event, actor),
        lambda: check_ticks.replace_ticks(check=check, version=0, lines=[], points=[], by=actor),
        lambda: finish(check, actor),
        lambda: extensions.extend_time(match=match, minutes=3, reason="Prova", by=actor),
        lambda: penalties.give_penalty(entry=entry, level="caution", infraction="x", by=actor),
    ):
        with pytest.raises(PermissionDenied):
            act()


def test_ticks_are_kept_and_a_second_judge_overwrites_nothing(event, judge):
    check = checks.begin_player_check(entry=event.entries.get(number=1), by=judge)
    lines = event.log.count()
    kept = check_ticks.replace_ticks(
        check=check, version=0, lines=[2, 0, 2], points=["1"], by=judge
    )
    assert (kept.ticked, kept.points, kept.version) == ([0, 2], ["1"], 1)
    with pytest.raises(RuleError) as refused:
        check_ticks.replace_ticks(check=check, version=0, lines=[5], points=[], by=judge)
    assert refused.value.code == "stale"
    assert DeckCheck.objects.get(pk=check.pk).ticked == [0, 2]
    assert event.log.count() == lines


def test_what_is_finished_stays(event, judge):
    check = finish(checks.begin_player_check(entry=event.entries.get(number=1), by=judge), judge)
    assert check.finished_at is not None
    for act in (
        lambda: finish(check, judge),
        lambda: check_ticks.replace_ticks(
            check=check, version=check.version, lines=[], points=[], by=judge
        ),
    ):
        with pytest.raises(RuleError) as refused:
            act()
        assert refused.value.code == "check_finished"


def test_an_outcome_is_needed(event, judge):
    check = checks.begin_player_check(entry=event.entries.get(number=1), by=judge)
    with pytest.raises(BadInput) as refused:
        finish(check, judge, "")
    assert refused.value.code == "impossible_outcome"
    check.refresh_from_db()
    assert (check.version, check.finished_at) == (0, None)


def test_the_table_gets_the_time_back(event, judge):
    first, second = checks.begin_table_check(event=event, table=2, by=judge)
    for check, minutes in ((first, 5.5), (second, 5.5)):
        took(check, minutes)
    finish(first, judge)
    assert list(first.match.extensions.values_list("minutes", flat=True)) == [7]
    finish(second, judge)
    assert TimeExtension.objects.count() == 1
    assert last_line(event).action == "check.finished"


def test_a_table_that_has_finished_gets_none(event, by, judge):
    check, _other = checks.begin_table_check(event=event, table=2, by=judge)
    make.play_round(event.rounds.get(), by)
    finish(check, judge)
    assert not TimeExtension.objects.exists()


def test_extra_minutes_by_hand(event, by, judge):
    match = event.rounds.get().matches.get(table=1)
    extensions.extend_time(match=match, minutes=5, reason="Chiamata lunga", by=judge)
    assert last_line(event).after == {"minutes": 5}
    for minutes, reason, code in (
        (0, "Prova", "impossible_minutes"),
        (61, "Prova", "impossible_minutes"),
        (5, " ", "reason_missing"),
    ):
        with pytest.raises(BadInput) as refused:
            extensions.extend_time(match=match, minutes=minutes, reason=reason, by=judge)
        assert refused.value.code == code
    make.play_round(event.rounds.get(), by)
    with pytest.raises(RuleError) as refused:
        extensions.extend_time(match=match, minutes=5, reason="Prova", by=judge)
    assert refused.value.code == "match_final"
    assert TimeExtension.objects.count() == 1


def test_extra_minutes_given_more_than_once_add_up(event, by, judge):
    item = event.rounds.get()
    for table, minutes in ((1, 5), (2, 3), (1, 7), (1, 2)):
        match = item.matches.get(table=table)
        extensions.extend_time(match=match, minutes=minutes, reason="Chiamata lunga", by=judge)
    stage = load_facts(event).open_stage
    given = {match.table: match.extra_minutes for match in stage.matches if match.extra_minutes}
    assert given == {1: 14, 2: 3}
    assert len(stage.matches) == item.matches.count()


def test_a_player_who_has_left_can_still_be_checked(event, by, judge):
    entry = event.entries.get(number=5)
    departures.withdraw(entry=entry, by=by)
    assert checks.begin_player_check(entry=entry, by=judge).entry_id == entry.pk


def test_a_check_that_ends_with_a_penalty(event, judge):
    check, _other = checks.begin_table_check(event=event, table=2, by=judge)
    secret = "Due Zafferanino Segreto oltre la lista"
    finish(check, judge, Outcome.PENALTY, level=Level.WARNING, infraction=secret, note=secret)
    penalty = Penalty.objects.get()
    given = (penalty.entry_id, penalty.level, penalty.infraction)
    assert given == (check.entry_id, Level.WARNING, secret)
    assert (penalty.check_made_id, penalty.match_id) == (check.pk, check.match_id)
    told = list(event.log.values_list("subject", "before", "after", "reason"))
    assert secret not in str(told)


@pytest.mark.parametrize(
    ("level", "infraction", "code"),
    [("", "Buste segnate", "impossible_penalty"), (Level.WARNING, " ", "infraction_missing")],
)
def test_a_penalty_needs_level_and_words(event, judge, level, infraction, code):
    check = checks.begin_player_check(entry=event.entries.get(number=1), by=judge)
    with pytest.raises(BadInput) as refused:
        finish(check, judge, Outcome.PENALTY, level=level, infraction=infraction)
    assert refused.value.code == code
    check.refresh_from_db()
    assert check.finished_at is None


def test_a_penalty_belongs_to_the_match_in_play(event, judge):
    match = event.rounds.get().matches.get(table=4)
    words = {"infraction": "Gioco lento", "note": "Due volte"}
    penalty = penalties.give_penalty(entry=match.players[1], level=Level.CAUTION, **words, by=judge)
    assert (penalty.match_id, penalty.round_id) == (match.pk, match.round_id)
    assert last_line(event).after == {"level": "caution"}


def test_who_rests_is_checked_and_punished_in_the_round_too(by):
    event = make.started(by, 5, formula="single-group")
    item = make.next_round(event, by)
    seated = {key for match in item.matches.all() for key in match.seats}
    resting = event.entries.exclude(pk__in=seated).get()
    check = checks.begin_player_check(entry=resting, by=by)
    assert (check.match, check.round) == (None, item)
    finish(check, by, Outcome.PENALTY, level=Level.CAUTION, infraction="Prova")
    assert Penalty.objects.get().round_id == item.pk
    assert not TimeExtension.objects.exists()


def test_a_disqualification_needs_the_head_judge_and_takes_the_player_out(event, judge):
    check, _other = checks.begin_table_check(event=event, table=2, by=judge)
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


@pytest.mark.deep
def test_fewest_penalties_rank_who_is_level_and_a_closed_stage_keeps_its_order(by):
    criteria, options = ["points", "fewest_penalties", "lots"], {"legs": 1}
    event = make.started(by, 4, formula="single-group", criteria=criteria, options=options)

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
