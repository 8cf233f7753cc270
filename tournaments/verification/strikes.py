"""Players struck from a group: all their matches are void, and nobody else's by rule."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rules.results import Winner
from tournaments.core.event_state import EventFacts
from tournaments.models import Report
from tournaments.verification.finding import Finding


def check_strikes(facts: EventFacts) -> Iterator[Finding]:
    """Yield matches of struck players that count, and matches void by rule of nobody struck."""
    numbers = {entry.pk: number for number, entry in facts.entries.items()}
    for stage in facts.stages:
        ordinals = {item.pk: item.ordinal for item in stage.rounds}
        for match in stage.matches:
            decision = match.decision
            if decision is None:
                continue
            sides = {numbers[key] for key in (match.a_id, match.b_id) if key is not None}
            struck = bool(sides & stage.state.struck)
            void = decision.winner == Winner.VOID
            by_rule = void and decision.kind == Report.Kind.AUTOMATIC
            if (struck and not void) or (by_rule and not struck):
                words = _("Round %(round)s, match %(match)s does not fit the players struck.")
                values = {"round": ordinals[match.round_id], "match": match.number}
                yield Finding("strikes", words % values)
