"""Who may correct a result, and the rounds that a correction contradicts, in words."""

from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext as _

from rules.stages.stage_snapshot import Met
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.permissions import Actor, can_enter_results, can_rule
from tournaments.core.rows import RoundRow
from tournaments.matches.words import names_in_seats
from tournaments.models import Match, Stage
from tournaments.results.selectors.effects import ContradictedRound, Effects

MOST_OPEN = 8
"""Pairings of a round that the page lists at most without folding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPairings:
    """The pairings of a round that a correction contradicts, and those it would give.

    Both are the names of matches in the order of seats; a bye's second name is empty.
    """

    round: str
    made: tuple[tuple[str, ...], ...]
    instead: tuple[tuple[str, ...], ...]

    @property
    def is_short(self) -> bool:
        """Return whether the page lists all of them without folding."""
        return max(len(self.made), len(self.instead)) <= MOST_OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictedRounds:
    """Rounds that would be paired otherwise, and extra ones that would decide nothing any more."""

    pairings: tuple[OtherPairings, ...]
    idle: tuple[str, ...]

    @property
    def others_meet(self) -> bool:
        """Return whether other players would have met, not only the same in other matches."""
        return any(each.made or each.instead for each in self.pairings)


def may_correct(actor: Actor, match: Match) -> bool:
    """Return whether the actor may correct a result; one query unless they may rule.

    Results of an earlier round or of a closed stage can only be corrected by the organiser or the
    head judge.
    """
    event = match.round.event
    if can_rule(actor, event):
        return True
    if match.group.stage.state == Stage.State.CLOSED or not can_enter_results(actor, event):
        return False
    return match.round.ordinal == event.rounds.aggregate(last=Max("ordinal"))["last"]


def contradicted_rounds(
    facts: EventFacts, stage: StageFacts, effects: Effects
) -> ContradictedRounds:
    """Return the rounds of a stage that a correction contradicts, as text; no query."""
    return ContradictedRounds(
        pairings=tuple(_pairings(facts, stage, each) for each in effects.repairings),
        idle=tuple(_extra(stage, item) for item in effects.idle),
    )


def _round(stage: StageFacts, item: RoundRow) -> str:
    """Return the name of a contradicted round, marked if some of it was paired by hand."""
    words = round_label(stage, item)
    if any(match.reason.get("by_hand") for match in stage.matches_of(item)):
        return _("%(round)s (partly paired by hand: look it over)") % {"round": words}
    return words


def _pairings(facts: EventFacts, stage: StageFacts, changed: ContradictedRound) -> OtherPairings:
    """Return the differing pairings of a round, with names."""

    def named(meetings: tuple[Met, ...]) -> tuple[tuple[str, ...], ...]:
        every = ([facts.entries[p].display_name for p in players] for _g, _n, players in meetings)
        return tuple(map(names_in_seats, every))

    words = _round(stage, changed.round)
    return OtherPairings(round=words, made=named(changed.gone), instead=named(changed.instead))


def _extra(stage: StageFacts, item: RoundRow) -> str:
    """Return the name of an extra round: its number and the places it decides."""
    values = {"number": item.ordinal, "what": round_label(stage, item)}
    return _("Round %(number)s: %(what)s") % values
