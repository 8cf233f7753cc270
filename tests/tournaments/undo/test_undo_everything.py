"""Every kind of act: done, taken back, done again, taken back again.

Safety notes, I19 and I20. What was there before is there again, also keys, moments and the
waiting list; reports, versions of matches and the log only grow.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.scenes import SCENES
from tests.scenes.base import ACCEPTED, GROUP, entry, full
from tournaments.archive.writer import internal_archive
from tournaments.core.acts import REDONE
from tournaments.core.permissions import Actor
from tournaments.models import Event, LogLine, StaffRole
from tournaments.players.services import entries
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.staff import services as staff
from tournaments.undo.selectors import (
    confirmation_names,
    find_redoable_undo,
    last_act,
    logged_action_key,
)
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def facts(event: Event) -> dict[str, Any]:
    """Return an event's rows without what only grows; those left out of archives, too.

    An invitation that is accepted stays used, whatever is taken back.

    A match tells the result that counts.
    """
    now = Event.objects.get(pk=event.pk)
    tables = json.loads(internal_archive(now))["tables"]
    tables["other_rooms"] = now.other_rooms
    del tables["log"]
    for key in ("version", "head"):
        tables["events"][0].pop(key)
    unused = event.invitations.exclude(email=ACCEPTED).order_by("pk")
    tables["invitations"] = list(unused.values("token_hash", "role"))
    reports = tables.pop("reports")
    for match in tables["matches"]:
        del match["version"], match["earlier"]
        decision = match.pop("decision")
        if decision:
            told = reports[decision - 1]
            match["result"] = [told[key] for key in ("winner", "score_a", "score_b", "ended_by")]
    for row in tables["clocks"]:
        del row["version"]
    return tables


def sound(event: Event) -> list[Any]:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def lines(event: Event) -> int:
    return LogLine.objects.filter(event=event).count()


@pytest.mark.deep
@pytest.mark.parametrize("action", sorted(SCENES))
def test_undo_then_redo_changes_nothing(action: str, by: Actor) -> None:
    taken_back_and_done_again(*SCENES[action](by), action=action, by=by, times=1)


@pytest.mark.deep
@pytest.mark.parametrize("action", sorted(SCENES))
def test_undo_then_redo_over_and_over(action: str, by: Actor) -> None:
    taken_back_and_done_again(*SCENES[action](by), action=action, by=by, times=3)


def taken_back_and_done_again(
    event: Event, act: Callable[[], object], *, action: str, by: Actor, times: int
) -> None:
    """Do an act, undo and redo it repeatedly, and undo it at the end."""
    before = facts(event)
    act()
    done = facts(event)
    assert done != before
    for _turn in range(times):
        event = Event.objects.get(pk=event.pk)
        offered = last_act(event)
        assert logged_action_key(offered.line) == action
        told = lines(event)
        undo(event=event, expected=offered.line.number, by=by)
        assert facts(event) == before
        assert sound(event) == []
        assert lines(event) > told
        event = Event.objects.get(pk=event.pk)
        again = find_redoable_undo(event)
        name, *_other = confirmation_names(event, again, again=True) or ("",)
        redo(event=event, expected=again.number, confirm=name, by=by)
        assert facts(event) == done
        assert sound(event) == []
        assert LogLine.objects.filter(event=event).last().action == REDONE.key
    event = Event.objects.get(pk=event.pk)
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert facts(event) == before


@pytest.mark.deep
def test_acts_are_taken_back_in_order_and_done_again_in_order(by: Actor) -> None:
    event = make.started(by, 4, **GROUP)
    seen = [facts(event)]
    for ordinal in (1, 2):
        rounds.draft_round(event=event, expected_round=ordinal, by=by)
        seen.append(facts(event))
        rounds.publish_round(event=event, ordinal=ordinal, by=by)
        seen.append(facts(event))
        for match in event.rounds.get(ordinal=ordinal).matches.select_related("round__event"):
            results.decide_result(match=match, version=0, claim=Claim(score=(40, 5)), by=by)
            seen.append(facts(event))
    for earlier in reversed(seen[:-1]):
        event = Event.objects.get(pk=event.pk)
        undo(event=event, expected=last_act(event).line.number, by=by)
        assert facts(event) == earlier
    for later in seen[1:]:
        event = Event.objects.get(pk=event.pk)
        redo(event=event, expected=find_redoable_undo(event).number, by=by)
        assert facts(event) == later
    assert find_redoable_undo(event) is None
    assert sound(event) == []


def test_nothing_is_done_again_after_something_else(by: Actor) -> None:
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    event = Event.objects.get(pk=event.pk)
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert find_redoable_undo(Event.objects.get(pk=event.pk)) is not None
    entries.check_in(entry=entry(event, 2), by=by)
    assert find_redoable_undo(Event.objects.get(pk=event.pk)) is None


def test_an_event_keeps_an_organiser(by: Actor) -> None:
    event, other = make.event(by), make.user()
    organiser = StaffRole.Role.ORGANISER
    staff.give_role(event=event, email=other.email, role=organiser, by=by)
    event = Event.objects.get(pk=event.pk)
    given = last_act(event).line.number
    own = event.staff.get(user=by.user)
    staff.remove_role(event=event, role_id=own.pk, by=Actor(user=other))
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=given, by=Actor(user=other))
    assert refused.value.code == "last_organiser"
