"""Results reported by a player, and entered by the staff, through the services."""

from rules.matches.match_rules import Claim
from tournaments.core.permissions import Actor
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
