"""Results reported by a player, and entered by the staff, and how the desk shows a match then."""

from typing import Any

from rules.matches.match_rules import Claim
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, DeskRights
from tournaments.desk.selectors.desk import desk_content, desk_row
from tournaments.judging.selectors import open_calls
from tournaments.models import Event
from tournaments.results.services import reports, results


def report(match, entry, *score):
    return reports.report_result(match=match, claim=Claim(score=score), by=Actor(entry=entry))


def decide(match, by, *score, version=None):
    return results.decide_result(
        match=match,
        version=match.version if version is None else version,
        claim=Claim(score=score),
        by=by,
    )


def correct(match, by, *, take_back=False, **claim: Any):
    """Correct a result; return the match and what the correction reaches."""
    return results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(**claim),
        reason="slip",
        take_back=take_back,
        by=by,
    )


def row_at_desk(match):
    """Return the row of a match at the desk, read anew."""
    event = Event.objects.get(pk=match.round.event_id)
    facts, called = load_facts(event), {row.match.pk for row in open_calls(event)}
    return desk_row(
        facts, desk_content(facts, DeskRights(run=True, rule=True, manage=True), called), match
    )
