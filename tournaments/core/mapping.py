"""Map rows and model instances to the values of ``rules``; no query.

The rules identify players by their number in the event.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from decks.rulebook import base_format
from rules.deckbuilding.formats import Play
from rules.half_points import in_parts
from rules.matches.match_rules import MatchRules, Outcome
from rules.plans.plan import FormulaPlan, StagePlan, shares_of
from rules.results import EndedBy, PlayerId, Points, Result, TieBreak, Winner
from rules.stages.base import ExtraRound, Pairing, Played, StageState
from tournaments.core.rows import AnyMatch, AnyReport, GroupRow, MatchRow, RoundRow
from tournaments.models import Event, Match, Stage

Numbers = Mapping[int, int]


def points_of(event: Event) -> Points:
    """Return the points for a win, a draw and a loss in the event, and what shares count."""
    shares = shares_of((event.plan or {}).get("shares", {}))
    return Points(
        win=event.points_win,
        draw=event.points_draw,
        loss=event.points_loss,
        parts=event.points_parts or 1,
        floor=shares.get("floor", Points.floor),
        draw_share=shares.get("draw"),
    )


def worth_of(event: Event) -> tuple[Fraction, Fraction, Fraction]:
    """Return what a win, a draw and a loss are worth in points, which may be halves."""
    parts = event.points_parts or 1
    return (
        Fraction(event.points_win, parts),
        Fraction(event.points_draw, parts),
        Fraction(event.points_loss, parts),
    )


def worth_in_columns(win: Fraction, draw: Fraction, loss: Fraction) -> dict[str, int | None]:
    """Return the columns of an event that hold these points."""
    (win_parts, draw_parts, loss_parts), parts = in_parts((win, draw, loss))
    return {
        "points_win": win_parts,
        "points_draw": draw_parts,
        "points_loss": loss_parts,
        "points_parts": None if parts == 1 else parts,
    }


def play_of(event: Event) -> Play:
    """Return how the event's game is played: its defaults of matches, also for a house format."""
    return base_format(event.format_key).match


def plan_of(event: Event) -> FormulaPlan:
    """Return the plan stored when the event started. Raises ValueError before the start."""
    return FormulaPlan.from_json(_stored_plan(event))


def stage_plan_of(event: Event, number: int) -> StagePlan:
    """Return the stage with this number, from 1, of that plan. Raises ValueError as `plan_of`."""
    return StagePlan.from_json(_stored_plan(event)["stages"][number - 1])


def _stored_plan(event: Event) -> dict[str, Any]:
    if event.plan is None:
        raise ValueError(f"{event} has not started, so it has no plan.")
    plan: dict[str, Any] = event.plan
    return plan


def number_of(entry_id: int | None, numbers: Numbers) -> int | None:
    """Return the player's number for an entry's primary key; None for no entry."""
    return None if entry_id is None else numbers[entry_id]


def score_of(report: AnyReport) -> tuple[int, int] | None:
    """Return the score (a, b) of a report, None if it has none."""
    if report.score_a is None or report.score_b is None:
        return None
    return report.score_a, report.score_b


def games_of(report: AnyReport) -> tuple[int, int, int] | None:
    """Return (games won by a, by b, drawn); None if games were not counted."""
    if report.games_a is None or report.games_b is None:
        return None
    return report.games_a, report.games_b, report.games_drawn or 0


def sides_of(match: MatchRow, numbers: Numbers) -> tuple[int, int | None]:
    """Return the numbers of a match's players a and b; without an opponent b is None.

    Raises ValueError for a match of more than two.
    """
    if len(match.seats) == 2:  # without a list: asked twice of every match of an event
        a, b = match.seats
        return numbers[a], numbers[b]
    (alone,) = match.seats
    return numbers[alone], None


WINNERS = {str(winner): winner for winner in Winner}
ENDINGS = {str(ending): ending for ending in EndedBy}


def result_of(match: MatchRow, round_number: int, numbers: Numbers) -> Result:
    """Return the result of a match from its decision."""
    return result_by(match.decision, match, round_number, numbers)


def result_by(
    decision: AnyReport | None, match: MatchRow, round_number: int, numbers: Numbers
) -> Result:
    """Return the result of a match if this report decided it."""
    a, b = sides_of(match, numbers)
    if decision is None:
        return Result(a=a, b=b, round=round_number)
    return Result(
        a=a,
        b=b,
        round=round_number,
        winner=WINNERS[decision.winner],
        score=score_of(decision),
        games=games_of(decision),
        ended_by=ENDINGS[decision.ended_by],
    )


def pairing_of(match: MatchRow, group: str, numbers: Numbers) -> Pairing:
    """Return the pairing of a match."""
    a, b = sides_of(match, numbers)
    return Pairing(
        group=group,
        number=match.number,
        a=a,
        b=b,
        best_of=match.best_of,
        draws=match.draws,
        leg=match.leg,
        missed=match.missed,
        by_hand=match.by_hand,
    )


def stage_state(
    *,
    stage: Stage,
    plan: StagePlan,
    groups: Iterable[GroupRow],
    rounds: Sequence[RoundRow],
    matches: Mapping[int, Sequence[MatchRow]],
    numbers: Numbers,
    withdrawn: frozenset[PlayerId],
    points: Points,
    drawn_at: Sequence[datetime] = (),
    known: Mapping[int, Played],
) -> StageState:
    """Return the state of a stage. ``matches`` are by key of their round.

    ``known`` are rounds, by key, that were made of the same rows before.

    ``drawn_at`` holds the moments of the event's drawings of lots: an extra round overrides those
    drawn before it.
    """
    groups = tuple(groups)
    names = {group.pk: group.name for group in groups}
    struck = frozenset[PlayerId](
        numbers[seat.entry_id]
        for group in groups
        for seat in group.seats
        if seat.entry_id is not None and seat.struck
    )

    def played(item: RoundRow, among: Container[PlayerId] | None = None) -> Played:
        return tuple(
            (
                pairing_of(match, names[match.group_id], numbers),
                result_of(match, item.number, numbers),
            )
            for match in matches.get(item.pk, ())
            if among is None or numbers[match.seats[0]] in among
        )

    regular = [item for item in rounds if not item.is_extra]
    return StageState(
        plan=plan,
        seats={
            group.name: tuple(number_of(seat.entry_id, numbers) for seat in group.seats)
            for group in groups
        },
        legs=stage.legs,
        rounds=tuple(known.get(item.pk) or played(item) for item in regular),
        withdrawn=withdrawn,
        struck=struck,
        points=points,
        seed=stage.seed,
        rounds_apart=tuple(frozenset(map(frozenset, item.apart)) for item in regular),
        extra=tuple(
            ExtraRound(
                level=level,
                played=played(item, level if len(item.level_sets) > 1 else None),
                after=sum(moment <= item.drafted_at for moment in drawn_at),
            )
            for item in rounds
            for level in item.level_sets
        ),
    )


def match_rules(match: Match, event: Event) -> MatchRules:
    """Return the rules that a result of the match must meet; ``group.stage`` must be loaded."""
    return match_rules_in(stage_plan_of(event, match.group.stage.number), match, event)


def match_rules_in(plan: StagePlan, match: AnyMatch, event: Event) -> MatchRules:
    """Return the rules that a result of a match of this stage must meet."""
    play = play_of(event)
    return MatchRules(
        best_of=match.best_of,
        draws=match.draws and play.draws,
        score=play.score,
        timed=plan.timed,
        target=play.target or 0,
    )


def outcome_of(report: AnyReport) -> Outcome:
    """Return the outcome that a report states."""
    return Outcome(
        winner=Winner(report.winner),
        score=score_of(report),
        games=tuple(report.games),
        games_won=games_of(report),
        ended_by=EndedBy(report.ended_by),
        tie_break=TieBreak(report.tie_break) if report.tie_break else None,
        by_decision=report.by_decision,
    )
