"""What still can be done in a finished event, service by service, and what is refused.

Whatever ranks, seats, pairs or times stays as it is until the organiser opens the event again;
words, lists, links, people with rights and snapshots may change. A service that stands in
neither table fails the run.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.clock import ClockAction
from rules.errors import RuleError
from rules.matches import Claim
from tests import factories as make
from tests.around import tables
from tests.level_players import all_drawn
from tournaments import services
from tournaments.models import Event, Match, StaffRole
from tournaments.permissions import Actor
from tournaments.selectors.facts import load_facts
from tournaments.selectors.undo import undoing
from tournaments.services import (
    announcements,
    apart,
    calls,
    check_ticks,
    checks,
    clock,
    deck_drafts,
    deck_locks,
    decklists,
    departures,
    discards,
    drafts,
    draws,
    entries,
    events,
    extensions,
    extra,
    late_entries,
    links,
    notes,
    penalties,
    published_lists,
    reports,
    results,
    rounds,
    seeds,
    snapshots,
    staff,
    stages,
    starting,
    strikes,
    tokens,
    undo,
)

pytestmark = pytest.mark.django_db


@dataclass
class Over:
    """A finished event of four, all level, with something of every kind left over."""

    by: Actor
    event: Event
    match: Match
    call: Any
    check: Any
    penalty: Any
    told: Any
    given: Any
    role: StaffRole
    pair: Any
    snapshot: Any

    def entry(self, number: int) -> Any:
        """Return a player: 3 has left, 4 is disqualified."""
        return self.event.entries.get(number=number)

    def act(self, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on the event as the organiser."""
        return service(event=self.event, by=self.by, **more)

    def of(self, number: int, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on a player as the organiser."""
        return service(entry=self.entry(number), by=self.by, **more)

    def at(self, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on the first match as the organiser."""
        return service(match=self.match, by=self.by, **more)


@pytest.fixture
def over() -> Over:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group", decklists=Event.Decklists.OPTIONAL)
    pair = apart.keep_apart(event=event, numbers=(1, 2), by=by)
    item = make.next_round(event, by)
    match = item.matches.select_related("round__event", "a").order_by("number")[0]
    call = calls.call_judge(match=match, entry=match.a, by=Actor(entry=match.a))
    given = extensions.extend(match=match, minutes=5, reason="prova", by=by)
    told = announcements.announce(event=event, text="Ecco", minutes=600, by=by)
    check = checks.check_player(entry=event.entries.get(number=1), by=by)
    penalty = penalties.give_penalty(
        entry=event.entries.get(number=1), level="warning", infraction="Ritardo", by=by
    )
    role = staff.give_role(event=event, email=make.user().email, role="judge", by=by)
    make.play_round(item, by, all_drawn)
    make.play_stage(event, by, all_drawn)
    departures.withdraw(entry=event.entries.get(number=3), by=by)
    departures.disqualify(entry=event.entries.get(number=4), reason="prova", by=by)
    fresh = Event.objects.get(pk=event.pk)
    snapshot = snapshots.take_snapshot(fresh, "round.discarded", by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    event = events.move_event(event=event, action="finish", by=by)
    match = Match.objects.select_related("round__event", "a", "b").get(pk=match.pk)
    return Over(by, event, match, call, check, penalty, told, given, role, pair, snapshot)


def player(over: Over, number: int) -> Actor:
    return Actor(entry=over.entry(number))


RUNNING, STARTED, ENDED = "event_not_running", "event_started", "event_finished"
LOCKED = "deck_locked"
WON = Claim(score=(40, 10))
PENALTY = {"level": "warning", "infraction": "prova"}
REFUSED: dict[str, tuple[str, Callable[[Over], Any]]] = {
    "announcements.announce": (
        RUNNING,
        lambda over: over.act(announcements.announce, text="Ecco", minutes=5),
    ),
    "apart.keep_apart": (ENDED, lambda over: over.act(apart.keep_apart, numbers=(2, 3))),
    "apart.let_meet": (ENDED, lambda over: over.act(apart.let_meet, pair_id=over.pair.pk)),
    "calls.call_judge": (
        RUNNING,
        lambda over: calls.call_judge(
            match=over.match, entry=over.match.a, by=Actor(entry=over.match.a)
        ),
    ),
    "calls.take_call": (RUNNING, lambda over: over.act(calls.take_call, call_id=over.call.pk)),
    "checks.pick_check": (RUNNING, lambda over: over.act(checks.pick_check, expected_checks=1)),
    "checks.check_table": (RUNNING, lambda over: over.act(checks.check_table, table=1)),
    "checks.check_player": (RUNNING, lambda over: over.of(2, checks.check_player)),
    "check_ticks.finish_check, with a penalty": (
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
    "deck_drafts.keep_draft": (
        LOCKED,
        lambda over: deck_drafts.keep_draft(entry=over.entry(1), text="1 A", by=player(over, 1)),
    ),
    "deck_locks.open_list": (
        ENDED,
        lambda over: over.of(
            1, deck_locks.open_list, until=timezone.now() + timedelta(hours=1), reason="prova"
        ),
    ),
    "deck_locks.close_list": ("list_not_open", lambda over: over.of(1, deck_locks.close_list)),
    "decklists.submit_decklist, by the player": (
        LOCKED,
        lambda over: decklists.submit_decklist(entry=over.entry(1), text="1 A", by=player(over, 1)),
    ),
    "departures.withdraw": (ENDED, lambda over: over.of(1, departures.withdraw)),
    "departures.withdraw, by the player": (
        ENDED,
        lambda over: departures.withdraw(entry=over.entry(1), by=player(over, 1)),
    ),
    "departures.disqualify": (
        ENDED,
        lambda over: over.of(1, departures.disqualify, reason="prova"),
    ),
    "departures.come_back": (ENDED, lambda over: over.of(3, departures.come_back)),
    "departures.come_back, disqualified": (
        ENDED,
        lambda over: over.of(4, departures.come_back),
    ),
    "discards.discard_round": (
        RUNNING,
        lambda over: over.act(discards.discard_round, ordinal=3, confirm="3"),
    ),
    "drafts.change_draft": (
        RUNNING,
        lambda over: over.act(
            drafts.change_draft, ordinal=3, asked=drafts.ByHand(action="swap", players=(1, 2))
        ),
    ),
    "draws.draw_start_order": (STARTED, lambda over: over.act(draws.draw_start_order)),
    "draws.record_start_order": (
        STARTED,
        lambda over: over.act(draws.record_start_order, order=(1, 2), witnesses="Uno"),
    ),
    "draws.draw_lots": (RUNNING, lambda over: over.act(draws.draw_lots, tied=(1, 2, 3, 4))),
    "draws.record_lots": (
        RUNNING,
        lambda over: over.act(draws.record_lots, order=(1, 2, 3, 4), witnesses="Uno"),
    ),
    "entries.add_entry": (STARTED, lambda over: over.act(entries.add_entry, name="Zita")),
    "entries.add_entries": (STARTED, lambda over: over.act(entries.add_entries, text="Zita")),
    "entries.register": (
        "registration_closed",
        lambda over: over.act(entries.register, name="Zita", user=None),
    ),
    "entries.change_entry, the seed": (
        STARTED,
        lambda over: over.of(1, entries.change_entry, changes={"seed": 1}),
    ),
    "entries.check_in": (ENDED, lambda over: over.of(1, entries.check_in)),
    "entries.check_in, by the player": (
        ENDED,
        lambda over: entries.check_in(entry=over.entry(1), by=player(over, 1)),
    ),
    "entries.remove_entry": (STARTED, lambda over: over.of(1, entries.remove_entry)),
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
    "events.move_event, to the end": (
        RUNNING,
        lambda over: over.act(events.move_event, action="finish"),
    ),
    "events.delete_event": (STARTED, lambda over: over.act(events.delete_event)),
    "extensions.extend": (
        RUNNING,
        lambda over: over.at(extensions.extend, minutes=5, reason="prova"),
    ),
    "extensions.take_extension_back": (
        RUNNING,
        lambda over: over.act(extensions.take_extension_back, extension_id=over.given.pk),
    ),
    "extra.make_extra_round": (
        RUNNING,
        lambda over: over.act(extra.make_extra_round, sets=[(1, 2, 3, 4)], expected_round=4),
    ),
    "late_entries.add_late_entry": (
        RUNNING,
        lambda over: over.act(late_entries.add_late_entry, name="Zita", missed="loss"),
    ),
    "penalties.give_penalty": (
        RUNNING,
        lambda over: over.of(1, penalties.give_penalty, **PENALTY),
    ),
    "penalties.take_penalty_back": (
        RUNNING,
        lambda over: over.act(penalties.take_penalty_back, penalty_id=over.penalty.pk),
    ),
    "reports.report_result": (
        RUNNING,
        lambda over: reports.report_result(
            match=over.match, claim=WON, by=Actor(entry=over.match.a)
        ),
    ),
    "reports.confirm_result": (
        RUNNING,
        lambda over: reports.confirm_result(
            match=over.match, version=1, by=Actor(entry=over.match.a)
        ),
    ),
    "results.decide_result": (
        RUNNING,
        lambda over: over.at(results.decide_result, version=1, claim=WON),
    ),
    "results.correct_result": (
        RUNNING,
        lambda over: over.at(results.correct_result, version=1, claim=WON, reason="prova"),
    ),
    "rounds.draft_round": (RUNNING, lambda over: over.act(rounds.draft_round, expected_round=4)),
    "rounds.publish_round": (RUNNING, lambda over: over.act(rounds.publish_round, ordinal=3)),
    "rounds.undo_round": (RUNNING, lambda over: over.act(rounds.undo_round, ordinal=3)),
    "seeds.change_seeds": (STARTED, lambda over: over.act(seeds.change_seeds, seeds={1: "1"})),
    "starting.start_event": (STARTED, lambda over: over.act(starting.start_event, draw_number=1)),
    "stages.close_stage": (RUNNING, lambda over: over.act(stages.close_stage, expected_stage=1)),
    "stages.decide_second_leg": (
        RUNNING,
        lambda over: over.act(stages.decide_second_leg, expected_stage=1),
    ),
    "stages.take_back_stage": (
        RUNNING,
        lambda over: over.act(stages.take_back_stage, expected_stage=1),
    ),
    "strikes.strike": (RUNNING, lambda over: over.of(3, strikes.strike, reason="prova")),
    "strikes.lift_strike": (RUNNING, lambda over: over.of(3, strikes.lift_strike, reason="prova")),
}
"""What is refused, with the code; after a comma, which of the ways of a service."""

ALLOWED: dict[str, Callable[[Over], Any]] = {
    "announcements.end_announcement": lambda over: over.act(
        announcements.end_announcement, announcement_id=over.told.pk
    ),
    "calls.close_call": lambda over: over.act(calls.close_call, call_id=over.call.pk),
    "check_ticks.tick": lambda over: check_ticks.tick(
        check=over.check, version=0, lines=(), points=(), by=over.by
    ),
    "check_ticks.finish_check": lambda over: check_ticks.finish_check(
        check=over.check, version=0, lines=(), points=(), outcome="clean", by=over.by
    ),
    "deck_drafts.drop_draft": lambda over: deck_drafts.drop_draft(
        entry=over.entry(1), by=player(over, 1)
    ),
    "decklists.submit_decklist, by the staff": lambda over: over.of(
        1, decklists.submit_decklist, text="1 A", reason="prova"
    ),
    "entries.change_entry": lambda over: over.of(
        1, entries.change_entry, changes={"name": "Adele"}
    ),
    "events.change_event": lambda over: over.act(events.change_event, changes={"about": "Ecco"}),
    "events.move_event": lambda over: over.act(events.move_event, action="reopen"),
    "links.make_link": lambda over: over.of(1, links.make_link),
    "links.revoke_link": lambda over: over.of(1, links.revoke_link),
    "notes.note_match": lambda over: over.at(notes.note_match, text="Ecco"),
    "notes.rule_match": lambda over: over.at(notes.rule_match, text="Ecco"),
    "notes.rule_event": lambda over: over.act(
        notes.rule_event, rulings="Ecco", seen=notes.fingerprint("")
    ),
    "published_lists.publish_lists": lambda over: over.act(published_lists.publish_lists),
    "published_lists.hide_lists": lambda over: (
        over.act(published_lists.publish_lists),
        over.act(published_lists.hide_lists),
    ),
    "snapshots.restore_snapshot": lambda over: over.act(
        snapshots.restore_snapshot, snapshot_id=over.snapshot.pk, confirm=over.event.name
    ),
    "staff.give_role": lambda over: over.act(
        staff.give_role, email=make.user().email, role="judge"
    ),
    "staff.take_role": lambda over: over.act(staff.take_role, role_id=over.role.pk),
    "tokens.make_token": lambda over: over.act(tokens.make_token, level="read"),
    "tokens.revoke_token": lambda over: (
        over.act(tokens.make_token, level="read"),
        over.act(tokens.revoke_token, scope_id=over.event.token_scopes.get().pk),
    ),
    "undo.undo": lambda over: over.act(undo.undo, expected=over.event.version),
    "undo.redo": lambda over: (
        over.act(undo.undo, expected=over.event.version),
        over.act(undo.redo, expected=over.event.log.latest("number").number),
    ),
}
"""What may still be done; each call leaves everything else as it is."""

OF_NO_EVENT = {
    *("events.create_event", "formulas.save_formula", "formulas.delete_formula"),
    "confirmations.confirm_due",  # every match of a finished event is final
}


def every_service() -> set[str]:
    """Return the names of the services that write: each is a transaction of its own."""
    found = set()
    for module in pkgutil.iter_modules(services.__path__):
        inside = importlib.import_module(f"{services.__name__}.{module.name}")
        for name, thing in vars(inside).items():
            own = inspect.isfunction(thing) and thing.__module__ == inside.__name__
            writes = hasattr(thing, "__wrapped__") or name == "submit_decklist"
            if own and writes and not name.startswith("_"):
                found.add(f"{module.name}.{name}")
    return found


def test_every_service_stands_in_a_table() -> None:
    named = {name.partition(",")[0] for name in (*REFUSED, *ALLOWED)}
    assert named | OF_NO_EVENT == every_service()


def undone(service: Callable[[Over], Any], over: Over) -> tuple[str, str, bool]:
    """Call a service and undo it: the code and sentence of the refusal, and whether it wrote."""
    before, code, words = tables(), "", ""
    with transaction.atomic():
        try:
            service(over)
        except RuleError as refused:
            code, words = refused.code, str(refused)
        wrote = tables() != before
        transaction.set_rollback(True)
    return code, words, wrote


def test_what_ranks_seats_or_times_is_refused_and_nothing_is_stored(over: Over) -> None:
    wrong = []
    for name, (code, service) in REFUSED.items():
        found, words, wrote = undone(service, over)
        told = "Nothing was" in words or "nobody was called" in words
        if found != code or wrote or not told:
            wrong.append(
                f"{name}: {found or 'accepted'} instead of {code}; wrote: {wrote}; {words}"
            )
    assert not wrong, "\n".join(wrong)


def test_the_rest_may_be_done_and_changes_no_rank(over: Over) -> None:
    ranking = load_facts(over.event).ranking
    for name, service in ALLOWED.items():
        with transaction.atomic():
            service(over)
            assert load_facts(Event.objects.get(pk=over.event.pk)).ranking == ranking, name
            transaction.set_rollback(True)


def test_a_penalty_is_not_taken_back_by_way_of_the_log(over: Over) -> None:
    line = over.event.log.get(action="penalty.given").number
    with pytest.raises(RuleError) as refused:
        over.act(undo.undo, expected=line)
    assert refused.value.code == "stale"
    assert line not in {act.line.number for act in undoing(over.event).others}
    again = over.act(events.move_event, action="reopen")
    assert line in {act.line.number for act in undoing(again).others}


GONE = re.compile(r"/(leave|check-in|lots/draw|lots/hand|lots/extra|take-back|remove)/?$")


def test_no_page_offers_what_is_refused(over: Over) -> None:
    browser, slug = Client(), over.event.slug
    browser.force_login(over.by.user)
    match = over.match.pk
    pages = [("manage-player", slug, number) for number in (1, 3, 4)]
    pages += [(name, slug) for name in ("manage", "manage-players", "penalties", "lots", "desk")]
    for name, *parts in [*pages, ("match", slug, match), ("check", slug, over.check.pk)]:
        page = browser.get(reverse(f"tournaments:{name}", args=parts)).content.decode()
        offered = [to for to in re.findall(r'action="([^"]*)"', page) if GONE.search(to)]
        assert not offered, (name, offered)


def test_the_page_that_was_open_says_why(over: Over) -> None:
    browser, slug = Client(headers={"accept-language": "en"}), over.event.slug
    browser.force_login(over.by.user)
    for name, parts, body in (
        ("manage-player-leave", [3], {"action": "come_back"}),
        ("lots-draw", [], {"tied": "1,2,3,4"}),
        ("penalty-take-back", [over.penalty.pk], {}),
    ):
        answer = browser.post(reverse(f"tournaments:{name}", args=[slug, *parts]), body)
        assert answer.status_code == 409, name
        assert "Nothing was" in answer.content.decode(), name


def test_a_program_is_told_the_same(over: Over) -> None:
    browser, slug = Client(), over.event.slug
    browser.force_login(over.by.user)
    json, order = {"content_type": "application/json"}, {"order": [1, 2, 3, 4]}
    lots = browser.post(f"/api/v1/events/{slug}/stages/1/lots/", order, **json)
    back = browser.patch(f"/api/v1/events/{slug}/players/3/", {"status": "registered"}, **json)
    assert (lots.status_code, lots.json()["code"]) == (409, RUNNING)
    assert (back.status_code, back.json()["code"]) == (409, ENDED)
