"""Rounds of extra matches: who was to meet, and who did."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.extra_matches.selectors import series_with
from tournaments.verification.finding import Finding


def check_extra(facts: EventFacts) -> Iterator[Finding]:
    """Yield extra matches that are not those in which their players meet once each; no query."""
    for stage in facts.stages:
        yield from _strangers(stage)
        for item, extra in stage.extra_sets:
            series = series_with(stage, extra)
            index = next(i for i, each in enumerate(series.rounds) if each is extra)
            made = [(p.a, p.b) for p, _result in extra.played if not p.missed]
            would = list(series.pairs(index))
            if sorted(made, key=str) != sorted(would, key=str):
                words = _("Round %(round)s: stored extra matches %(made)s, computed %(would)s.")
                values = {"round": item.ordinal, "made": made, "would": would}
                yield Finding("extra_matches", words % values)


def _strangers(stage: StageFacts) -> Iterator[Finding]:
    """Yield extra rounds of players not of the stage, with drawn matches or those of others."""
    for item, extra in stage.extra_sets:
        seated = set(extra.level) <= set(stage.state.players)
        drawn = any(pairing.draws and not pairing.missed for pairing, _result in extra.played)
        others = len(stage.matches_of(item)) != sum(
            len(each.played) for of, each in stage.extra_sets if of.pk == item.pk
        )
        if not seated or drawn or others or len(set(extra.level)) < 2:
            words = _("Round %(round)s is no round of extra matches of %(level)s.")
            values = {"round": item.ordinal, "level": list(extra.level)}
            yield Finding("extra_matches", words % values)
