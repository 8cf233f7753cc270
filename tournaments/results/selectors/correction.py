"""The page shown before a correction is stored: old result, new result, effects."""

from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext as _

from config.wording import translate
from rules.matches.match_rules import Outcome
from rules.results import PlayerId, pair_of
from rules.stages.stage_snapshot import Met
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, place_label, round_label
from tournaments.core.permissions import Actor, can_enter_results, can_rule
from tournaments.core.rows import RoundRow
from tournaments.matches.selectors import names_of
from tournaments.matches.words import report_of, with_names
from tournaments.models import Match, Stage
from tournaments.results.selectors.effects import ContradictedRound, Effects, correction_effects
from tournaments.standings.selectors.rank_details import RankMove

MOST_OPEN = 8
"""Pairings of a round that the page lists at most without folding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPairings:
    """The pairings of a round that a correction contradicts, and those it would give.

    Both are pairs of names; the second name is empty for a bye.
    """

    round: str
    made: tuple[tuple[str, str], ...]
    instead: tuple[tuple[str, str], ...]

    @property
    def is_short(self) -> bool:
        """Return whether the page lists all of them without folding."""
        return max(len(self.made), len(self.instead)) <= MOST_OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPage:
    """Old and new result; ``moves`` and ``places`` as (player or place, before, after)."""

    match: Match
    table: int
    before: str
    after: str
    effects: Effects
    moves: tuple[RankMove, ...]
    places: tuple[tuple[str, str, str], ...]
    rounds: tuple[str, ...]
    pairings: tuple[OtherPairings, ...]
    stages: tuple[str, ...]
    idle: tuple[str, ...]


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


def correction_page(facts: EventFacts, match: Match, outcome: Outcome) -> CorrectionPage:
    """Return the effects of correcting a loaded match, as text; no query beyond ``facts``."""
    stage = next(s for s in facts.stages if s.stage.pk == match.group.stage_id)
    effects = correction_effects(facts, match, outcome)
    a, b = names_of(match)

    def name(number: PlayerId | None) -> str:
        return str(facts.entries[number]) if number is not None else _("nobody yet")

    return CorrectionPage(
        match=match,
        table=match.table or match.number,
        before=with_names(match.decision, a, b) if match.decision else "",
        after=with_names(report_of(outcome), a, b),
        effects=effects,
        moves=tuple(
            RankMove(
                name=name(move.number),
                table=group_label(stage.plan, move.group),
                before=move.before,
                after=move.after,
            )
            for move in effects.moves
        ),
        places=tuple(
            (place_label(change.place), name(change.before), name(change.after))
            for change in effects.places
        ),
        rounds=tuple(_round(stage, item) for item in effects.rounds),
        pairings=tuple(_pairings(facts, stage, each) for each in effects.repairings),
        stages=tuple(
            translate(facts.stages[item.number - 1].plan.label) for item in effects.stages
        ),
        idle=tuple(_extra(stage, item) for item in effects.idle),
    )


def _round(stage: StageFacts, item: RoundRow) -> str:
    """Return the name of a contradicted round, marked if some of it was paired by hand."""
    words = _("Round %(number)s") % {"number": item.ordinal}
    if any(match.reason.get("by_hand") for match in stage.matches_of(item)):
        return _("%(round)s (partly paired by hand: look it over)") % {"round": words}
    return words


def _pairings(facts: EventFacts, stage: StageFacts, changed: ContradictedRound) -> OtherPairings:
    """Return the differing pairings of a round, with names."""

    def named(meetings: tuple[Met, ...]) -> tuple[tuple[str, str], ...]:
        every = ([facts.entries[p].display_name for p in players] for _g, _n, players in meetings)
        return tuple(pair_of(names, "") for names in every)

    words = _round(stage, changed.round)
    return OtherPairings(round=words, made=named(changed.gone), instead=named(changed.instead))


def _extra(stage: StageFacts, item: RoundRow) -> str:
    """Return the name of an extra round: its number and the places it decides."""
    values = {"number": item.ordinal, "what": round_label(stage, item)}
    return _("Round %(number)s: %(what)s") % values
