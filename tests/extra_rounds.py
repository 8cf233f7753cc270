"""Rounds of extra matches made and played by the services."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tournaments.core.event_state import load_facts
from tournaments.models import Event, Match
from tournaments.results.services import results
from tournaments.rounds.services import make_extra_round
from tournaments.verification.event import verify_event


def tied_in(event: Event) -> tuple[int, ...]:
    return load_facts(event).open_stage.outcome.lots_needed[0]


def extra(event: Event, by, tied=None, *, publish=True):
    return extra_round(event, by, [tied or tied_in(event)], publish=publish)


def extra_round(event: Event, by, sets=None, *, publish=True):
    """Make a round for these sets of players, else for all that are level."""
    facts = load_facts(event)
    sets = sets or facts.open_stage.outcome.lots_needed
    number = facts.last_ordinal + 1
    return make_extra_round(event=event, sets=sets, expected_round=number, publish=publish, by=by)


def code(call, *args, **values) -> str:
    with pytest.raises(RuleError) as refused:
        call(*args, **values)
    return refused.value.code


def faults(event: Event) -> list:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def win(match: Match, winner: int, by) -> None:
    first = match.players[0].number == winner
    claim = Claim(score=(40, 10) if first else (10, 40))
    results.decide_result(match=match, version=match.version, claim=claim, by=by)


def play(item, by, better=max) -> None:
    """Let the better number win every match of a round."""
    for match in item.matches.exclude(state=Match.State.FINAL):
        win(match, better(match.players[0].number, match.players[1].number), by)


def table(event: Event):
    facts = load_facts(event)
    (standings,) = facts.open_stage.outcome.standings.values()
    return standings
