"""A draft of a Swiss round, changed by hand, and what of it tests compare."""

import pytest

from rules.errors import RuleError
from tournaments.core.event_state import load_facts
from tournaments.drafts.selectors import draft_check
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.models import Event, Match, MatchSeat
from tournaments.rounds import services as rounds
from tournaments.verification.event import verify_event


def draft(event, by):
    expected = load_facts(event).last_ordinal + 1
    return rounds.draft_round(event=event, expected_round=expected, by=by)


def fresh(event):
    return Event.objects.get(pk=event.pk)


def ask(event, by, action, ordinal=2, **asked):
    """Change the draft; the event stays sound."""
    change_draft(event=event, ordinal=ordinal, asked=ChangeRequest(action=action, **asked), by=by)
    assert list(verify_event(fresh(event))) == []


def who(event, ordinal=2):
    """Return who meets whom: (a, b) with the smaller number first, (a, None) for a bye."""
    found = Match.objects.filter(round__event=event, round__ordinal=ordinal)
    pairs = (sorted(player.number for player in match.players) for match in found)
    return {(*seats, None)[:2] for seats in pairs}


def tables(event, ordinal=2):
    found = Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)
    return {m.table: {player.number for player in m.players} for m in found}


def codes(event, ordinal=2):
    facts = load_facts(fresh(event))
    stage = facts.open_stage
    item = next(item for item in stage.rounds if item.ordinal == ordinal)
    return [line.remark.code for line in draft_check(facts, stage, item).lines]


def bye_of(event, ordinal=2):
    return next(a for a, b in who(event, ordinal) if b is None)


def two_tables(event, most=2):
    """Return up to ``most`` pairs of the draft."""
    return sorted(pair for pair in who(event) if pair[1] is not None)[:most]


def refused(event, by, action, **asked):
    before = rows(event)
    with pytest.raises(RuleError) as error:
        ask(event, by, action, **asked)
    assert rows(event) == before
    return error.value.code


def rows(event):
    matches = Match.objects.filter(round__event=event).order_by("pk")
    seats = MatchSeat.objects.filter(round__event=event).order_by("match", "entry")
    return [*matches.values()], [*seats.values("match", "entry", "round")], fresh(event).version
