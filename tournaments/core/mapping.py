"""Rows to the values that the rules understand; makes no query.

Players go by their number in the event.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime

from decks.rulebook import base_format
from rules.deckbuilding.formats import Play
from rules.matches.settling import MatchRules, Outcome
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import EndedBy, PlayerId, Points, Result, TieBreak, Winner
from rules.stages.base import ExtraRound, Pairing, Played, StageState
from tournaments.models import Event, Group, Match, Report, Round, Seat, Stage

Numbers = Mapping[int, int]


def points_of(event: Event) -> Points:
    """Return what results are worth in the event."""
    return Points(win=event.points_win, draw=event.points_draw, loss=event.points_loss)


def play_of(event: Event) -> Play:
    """Return how a match of the event's game is played; a house format changes nothing of it."""
    return base_format(event.format).match


def plan_of(event: Event) -> FormulaPlan:
    """Return the plan with which the event started; ValueError before the start."""
    if event.plan is None:
        raise ValueError(f"{event} has not started, so it has no plan.")
    return FormulaPlan.from_json(event.plan)


def number_of(entry_id: int | None, numbers: Numbers) -> int | None:
    """Return the player's number of an entry's key."""
    return None if entry_id is None else numbers[entry_id]


def score_of(report: Report) -> tuple[int, int] | None:
    """Return the score of a report, None where it has none."""
    if report.score_a is None or report.score_b is None:
        return None
    return report.score_a, report.score_b


def games_of(report: Report) -> tuple[int, int, int] | None:
    """Return games won by a, by b, and drawn; None where games were not counted."""
    if report.games_a is None or report.games_b is None:
        return None
    return report.games_a, report.games_b, report.games_drawn or 0


def result_of(match: Match, round_number: int, numbers: Numbers) -> Result:
    """Return the result that counts of a match whose decision is loaded."""
    a, b = numbers[match.a_id], number_of(match.b_id, numbers)
    decision = match.decision
    if decision is None:
        return Result(a=a, b=b, round=round_number)
    return Result(
        a=a,
        b=b,
        round=round_number,
        winner=Winner(decision.winner),
        score=score_of(decision),
        games=games_of(decision),
        ended_by=EndedBy(decision.ended_by),
    )


def pairing_of(match: Match, group: str, numbers: Numbers) -> Pairing:
    """Return who was paired in a match."""
    return Pairing(
        group=group,
        number=match.number,
        a=numbers[match.a_id],
        b=number_of(match.b_id, numbers),
        best_of=match.best_of,
        draws=match.draws,
        leg=match.leg,
        missed=match.missed,
        by_hand=bool(match.reason.get("by_hand")),
    )


def stage_state(
    *,
    stage: Stage,
    plan: StagePlan,
    groups: Iterable[Group],
    seats: Iterable[Seat],
    rounds: Iterable[Round],
    matches: Mapping[int, list[Match]],
    numbers: Numbers,
    withdrawn: frozenset[PlayerId],
    points: Points,
    drawn_at: Sequence[datetime] = (),
) -> StageState:
    """Return a stage as its facts stand. ``matches`` are by the key of their round.

    ``drawn_at`` says when each of the event's lots was drawn: extra rounds decide over those
    drawn before.
    """
    names = {group.pk: group.name for group in groups}
    seated: dict[str, list[int | None]] = {name: [] for name in names.values()}
    struck, rounds = set[PlayerId](), tuple(rounds)
    for seat in sorted(seats, key=lambda seat: (seat.group_id, seat.number)):
        if seat.entry_id is not None and seat.struck_at is not None:
            struck.add(numbers[seat.entry_id])
        seated[names[seat.group_id]].append(number_of(seat.entry_id, numbers))

    def played(item: Round, among: Container[PlayerId] | None = None) -> Played:
        return tuple(
            (
                pairing_of(match, names[match.group_id], numbers),
                result_of(match, item.number, numbers),
            )
            for match in matches.get(item.pk, [])
            if among is None or numbers[match.a_id] in among
        )

    regular = [item for item in rounds if not item.is_extra]
    return StageState(
        plan=plan,
        seats={name: tuple(numbers_) for name, numbers_ in seated.items()},
        legs=stage.legs,
        rounds=tuple(map(played, regular)),
        withdrawn=withdrawn,
        struck=frozenset(struck),
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
    """Return what a result of the match may be; its group's stage must be loaded."""
    plan = plan_of(event).stages[match.group.stage.number - 1]
    return match_rules_in(plan, match, event)


def match_rules_in(plan: StagePlan, match: Match, event: Event) -> MatchRules:
    """Return what a result of a match of this stage may be."""
    play = play_of(event)
    return MatchRules(
        best_of=match.best_of,
        draws=match.draws,
        score=play.score,
        timed=plan.timed,
        target=play.target or 0,
    )


def outcome_of(report: Report) -> Outcome:
    """Return what a report says."""
    return Outcome(
        winner=Winner(report.winner),
        score=score_of(report),
        games=tuple(report.games),
        games_won=games_of(report),
        ended_by=EndedBy(report.ended_by),
        tie_break=TieBreak(report.tie_break) if report.tie_break else None,
        by_decision=report.by_decision,
    )
