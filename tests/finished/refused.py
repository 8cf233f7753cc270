"""What services refuse in a finished event, with the code."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from rules.events.clock import ClockAction
from rules.people.person_names import Person
from tests.finished.corrections import AWAY, CORRECTED, CORRECTIONS, RUNNING, WON
from tests.finished.event import Over, player
from tournaments.arrivals import services as arrivals
from tournaments.checks import services as check_ticks
from tournaments.checks import services as checks
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_locks
from tournaments.decklists import services as decklists
from tournaments.decklists import services as published_lists
from tournaments.drafts import services as drafts
from tournaments.events import services as events
from tournaments.joining import services as joining
from tournaments.judging import services as announcements
from tournaments.judging import services as calls
from tournaments.keeping_apart import services as apart
from tournaments.lots import services as draws
from tournaments.penalties import services as penalties
from tournaments.plan_changes import services as plan_changes
from tournaments.players.services import contacts, departures, entries, late_entries, seeds
from tournaments.players.services import departures as returns
from tournaments.players.services import entries as answers
from tournaments.players.services import entries as pasted
from tournaments.players.services import entries as waiting_list
from tournaments.questions import services as questions
from tournaments.questions.services import questions_fingerprint
from tournaments.repeats import services as repeats
from tournaments.results.services import reports, results
from tournaments.results.services import results as absences
from tournaments.rounds import services as rounds
from tournaments.rounds.services import make_extra_round
from tournaments.stages import services as stages
from tournaments.standings import services as standings
from tournaments.starting import services as starting
from tournaments.strikes import services as strikes

ZITA = [Person("Zita")]
STARTED, ENDED = "event_started", "event_finished"
LOCKED = "deck_locked"
PENALTY = {"level": "warning", "infraction": "prova"}
REFUSED: dict[str, tuple[str, Callable[[Over], Any]]] = CORRECTIONS | {
    "standings.release_standings": (
        "nothing_held",
        lambda over: over.act(standings.release_standings, expected_round=1),
    ),
    "joining.request_sign_in": (
        ENDED,
        lambda over: joining.request_sign_in(event=over.event, number=1),
    ),
    "joining.confirm_request": (ENDED, lambda over: over.act(joining.confirm_request, claim_id=1)),
    "joining.confirm_by_code": (
        ENDED,
        lambda over: over.act(joining.confirm_by_code, number=1, code="0000"),
    ),
    "joining.refuse_request": (ENDED, lambda over: over.of(1, joining.refuse_request)),
    "judging.create_announcement": (
        RUNNING,
        lambda over: over.act(announcements.create_announcement, text="Ecco", minutes=5),
    ),
    "keeping_apart.add_separated_pair": (
        ENDED,
        lambda over: over.act(apart.add_separated_pair, numbers=(2, 3)),
    ),
    "keeping_apart.remove_separated_pair": (
        ENDED,
        lambda over: over.act(apart.remove_separated_pair, pair_id=over.pair.pk),
    ),
    "judging.call_judge": (
        RUNNING,
        lambda over: calls.call_judge(
            match=over.match, entry=over.match.players[0], by=Actor(entry=over.match.players[0])
        ),
    ),
    "judging.close_call": (  # a call is closed with its stage
        "call_closed",
        lambda over: over.act(calls.close_call, call_id=over.call.pk),
    ),
    "judging.take_call": (RUNNING, lambda over: over.act(calls.take_call, call_id=over.call.pk)),
    "checks.begin_random_check": (
        RUNNING,
        lambda over: over.act(checks.begin_random_check, expected_checks=1),
    ),
    "checks.begin_table_check": (RUNNING, lambda over: over.act(checks.begin_table_check, table=1)),
    "checks.begin_match_check": (RUNNING, lambda over: over.at(checks.begin_match_check)),
    "checks.begin_player_check": (RUNNING, lambda over: over.of(2, checks.begin_player_check)),
    "checks.finish_check, with a penalty": (
        RUNNING,
        lambda over: check_ticks.finish_check(
            check=over.check,
            version=0,
            lines=(),
            points=(),
            outcome="penalty",
            **PENALTY,
            by=over.by,
        ),
    ),
    "clock.run_clock": (
        RUNNING,
        lambda over: over.act(clock.run_clock, ordinal=1, action=ClockAction.START),
    ),
    "decklists.store_draft": (
        LOCKED,
        lambda over: decklists.store_draft(entry=over.entry(1), text="1 A", by=player(over, 1)),
    ),
    "decklists.unlock_decklist": (
        ENDED,
        lambda over: over.of(
            1, deck_locks.unlock_decklist, until=timezone.now() + timedelta(hours=1), reason="prova"
        ),
    ),
    "decklists.lock_decklist": ("list_not_open", lambda over: over.of(1, deck_locks.lock_decklist)),
    "decklists.submit_decklist, by the player": (
        LOCKED,
        lambda over: decklists.submit_decklist(entry=over.entry(1), text="1 A", by=player(over, 1)),
    ),
    "players.withdraw": (ENDED, lambda over: over.of(1, departures.withdraw)),
    "players.drop_after_round": (ENDED, lambda over: over.of(1, departures.drop_after_round)),
    "players.withdraw, by the player": (
        ENDED,
        lambda over: departures.withdraw(entry=over.entry(1), by=player(over, 1)),
    ),
    "players.disqualify": (
        ENDED,
        lambda over: over.of(1, departures.disqualify, reason="prova"),
    ),
    "players.rejoin": (ENDED, lambda over: over.of(3, departures.rejoin)),
    "players.rejoin, disqualified": (
        ENDED,
        lambda over: over.of(4, departures.rejoin),
    ),
    "decklists.release_decklists": (
        RUNNING,
        lambda over: over.act(published_lists.release_decklists, expected_stage=1),
    ),
    "rounds.discard_round": (
        RUNNING,
        lambda over: over.act(rounds.discard_round, ordinal=3, confirm="3"),
    ),
    "drafts.change_draft": (
        RUNNING,
        lambda over: over.act(
            drafts.change_draft,
            ordinal=3,
            asked=drafts.ChangeRequest(action="swap", players=(1, 2)),
        ),
    ),
    "lots.draw_start_order": (STARTED, lambda over: over.act(draws.draw_start_order)),
    "lots.record_start_order": (
        STARTED,
        lambda over: over.act(draws.record_start_order, order=(1, 2), witnesses="Uno"),
    ),
    "lots.draw_tied_order": (
        RUNNING,
        lambda over: over.act(draws.draw_tied_order, tied=(1, 2, 3, 4)),
    ),
    "lots.record_tied_order": (
        RUNNING,
        lambda over: over.act(draws.record_tied_order, order=(1, 2, 3, 4), witnesses="Uno"),
    ),
    "players.add_entry": (STARTED, lambda over: over.act(entries.add_entry, name="Zita")),
    "players.add_entries": (STARTED, lambda over: over.act(pasted.add_entries, people=ZITA)),
    "players.register": (
        "registration_closed",
        lambda over: over.act(entries.register, name="Zita", user=None),
    ),
    "players.change_entry, the seed": (
        STARTED,
        lambda over: over.of(1, entries.change_entry, changes={"seed": 1}),
    ),
    "arrivals.check_in_many": (
        ENDED,
        lambda over: over.act(arrivals.check_in_many, numbers={1}),
    ),
    "questions.add_question": (
        STARTED,
        lambda over: over.act(questions.add_question, kind="text", text="Stanza?"),
    ),
    "questions.change_question": (
        "no_question",
        lambda over: over.act(questions.change_question, key="none", seen="", text="Stanza?"),
    ),
    "questions.move_question": (
        "no_question",
        lambda over: over.act(
            questions.move_question, key="none", up=True, seen=questions_fingerprint()
        ),
    ),
    "questions.remove_question": (
        "no_question",
        lambda over: over.act(questions.remove_question, key="none"),
    ),
    "players.change_answers": (
        ENDED,
        lambda over: over.of(1, answers.change_answers, answers={}),
    ),
    "players.change_contact": (
        "bad_email",
        lambda over: over.of(1, contacts.change_contact, email="none"),
    ),
    "players.change_own_contact": (
        "bad_email",
        lambda over: contacts.change_own_contact(
            entry=over.entry(1), email="none", memberships={}, by=player(over, 1)
        ),
    ),
    "arrivals.record_fee_payment": (
        ENDED,
        lambda over: over.of(1, arrivals.record_fee_payment, paid=True),
    ),
    "arrivals.drop_absent_players": (
        STARTED,
        lambda over: over.act(arrivals.drop_absent_players, numbers={1}),
    ),
    "arrivals.drop_players_without_list": (
        STARTED,
        lambda over: over.act(arrivals.drop_players_without_list, numbers={1}),
    ),
    "players.check_in": (ENDED, lambda over: over.of(1, entries.check_in)),
    "players.check_in, by the player": (
        ENDED,
        lambda over: entries.check_in(entry=over.entry(1), by=player(over, 1)),
    ),
    "players.remove_entry": (STARTED, lambda over: over.of(1, entries.remove_entry)),
    "events.change_event, the criteria": (
        ENDED,
        lambda over: over.act(
            events.change_event, changes={"criteria": ["points", "lots"]}, reason="prova"
        ),
    ),
    "events.change_event, a rule": (
        STARTED,
        lambda over: over.act(events.change_event, changes={"points_win": 5}),
    ),
    "events.change_event_state, to the end": (
        RUNNING,
        lambda over: over.act(events.change_event_state, action="finish"),
    ),
    "events.delete_event": (STARTED, lambda over: over.act(events.delete_event)),
    "clock.extend_time": (
        RUNNING,
        lambda over: over.at(clock.extend_time, minutes=5, reason="prova"),
    ),
    "clock.delete_extension": (
        RUNNING,
        lambda over: over.act(clock.delete_extension, extension_id=over.given.pk),
    ),
    "rounds.make_extra_round": (
        RUNNING,
        lambda over: over.act(make_extra_round, sets=[(1, 2, 3, 4)], expected_round=4),
    ),
    "players.admit_waiting_player": (
        ENDED,
        lambda over: over.of(1, waiting_list.admit_waiting_player),
    ),
    "players.move_to_waiting_list_end": (
        ENDED,
        lambda over: over.of(1, waiting_list.move_to_waiting_list_end),
    ),
    "players.request_rejoin": (ENDED, lambda over: over.themselves(3, returns.request_rejoin)),
    "players.refuse_rejoin": (ENDED, lambda over: over.of(3, returns.refuse_rejoin)),
    "players.enter_late": (ENDED, lambda over: over.of(1, late_entries.enter_late)),
    "players.add_late_entry": (
        RUNNING,
        lambda over: over.act(late_entries.add_late_entry, name="Zita", missed="loss"),
    ),
    "penalties.give_penalty": (RUNNING, lambda over: over.of(1, penalties.give_penalty, **PENALTY)),
    "penalties.remove_penalty": (
        RUNNING,
        lambda over: over.act(penalties.remove_penalty, penalty_id=over.penalty.pk),
    ),
    "results.report_result": (
        RUNNING,
        lambda over: reports.report_result(
            match=over.match, claim=WON, by=Actor(entry=over.match.players[0])
        ),
    ),
    "results.confirm_result": (
        RUNNING,
        lambda over: reports.confirm_result(
            match=over.match, version=1, by=Actor(entry=over.match.players[0])
        ),
    ),
    "results.decide_result": (
        RUNNING,
        lambda over: over.at(results.decide_result, version=1, claim=WON),
    ),
    "results.decide_and_withdraw": (
        RUNNING,
        lambda over: over.at(results.decide_and_withdraw, version=1, claim=WON),
    ),
    "results.mark_absent": (RUNNING, lambda over: over.at(absences.mark_absent, **AWAY)),
    "results.correct_result": (
        RUNNING,
        lambda over: over.at(results.correct_result, **CORRECTED),
    ),
    "results.enter_result": (
        RUNNING,
        lambda over: over.at(results.enter_result, **CORRECTED),
    ),
    "results.enter_result, without a reason": (
        RUNNING,
        lambda over: over.at(results.enter_result, version=1, claim=WON, reason=None),
    ),
    "plan_changes.change_plan": (
        RUNNING,
        lambda over: over.act(plan_changes.change_plan, change={"rounds": 2}),
    ),
    "repeats.add_regulars": (STARTED, lambda over: over.act(repeats.add_regulars, keys=[])),
    "rounds.close_and_draft": (
        RUNNING,
        lambda over: over.act(rounds.close_and_draft, expected_stage=1, expected_round=4),
    ),
    "plan_changes.draft_pasted_round": (
        RUNNING,
        lambda over: over.act(plan_changes.draft_pasted_round, expected_round=4, given=()),
    ),
    "rounds.draft_round": (RUNNING, lambda over: over.act(rounds.draft_round, expected_round=4)),
    "rounds.publish_round": (RUNNING, lambda over: over.act(rounds.publish_round, ordinal=3)),
    "rounds.delete_last_round": (
        RUNNING,
        lambda over: over.act(rounds.delete_last_round, ordinal=3),
    ),
    "players.change_seeds": (STARTED, lambda over: over.act(seeds.change_seeds, seeds={1: "1"})),
    "starting.start_event": (STARTED, lambda over: over.act(starting.start_event, draw_number=1)),
    "starting.start_and_pair": (STARTED, lambda over: over.act(starting.start_and_pair)),
    "stages.close_stage": (RUNNING, lambda over: over.act(stages.close_stage, expected_stage=1)),
    "stages.decide_second_leg": (
        RUNNING,
        lambda over: over.act(stages.decide_second_leg, expected_stage=1),
    ),
    "stages.reopen_previous_stage": (
        RUNNING,
        lambda over: over.act(stages.reopen_previous_stage, expected_stage=1),
    ),
    "strikes.strike": (RUNNING, lambda over: over.of(3, strikes.strike, reason="prova")),
    "strikes.lift_strike": (RUNNING, lambda over: over.of(3, strikes.lift_strike, reason="prova")),
}
"""What is refused, with the code; after a comma, which of the ways of a service."""
