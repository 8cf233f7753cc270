"""The reason for each player's rank, as a sentence with the values compared, and the comparison of
tied players step by step; no query.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, groupby
from math import floor
from operator import attrgetter

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria import Criterion
from rules.numbers import format_points
from rules.results import PlayerId, Result
from rules.series.table import ENOUGH_EVENTS
from rules.stages.base import Played
from rules.standings.table import (
    CriterionStep,
    Marks,
    RankProof,
    Standing,
    Standings,
    marks_by_player,
    record_from_marks,
)
from rules.ties.decisions import tiebreaker_by_key
from rules.ties.explanations import CriterionNamed, TiedSet, trace_standings
from tournaments.core.event_state import EarlierValues, StageFacts, reuse_or_compute
from tournaments.core.kept_places import standings_across_groups
from tournaments.core.labels import format_record

Names = Mapping[PlayerId, str]
CROWD = 12  # names listed at most in full
OF_ALL = ("points", ENOUGH_EVENTS.key)
"""Criteria applied first: everybody is level until then."""


def format_value(value: Fraction, criterion: str = "") -> str:
    """Return a value as text: an integer or half, two decimals, or a percentage.

    ``criterion`` is the key of the tiebreaker that the value is of; only with it can the text be a
    percentage.
    """
    percentage = bool(criterion) and tiebreaker_by_key(criterion).percentage
    (shown,) = format_values([(value.numerator, value.denominator)], [percentage])
    return shown


def format_values(
    values: Iterable[tuple[int, int]], percentages: Iterable[bool]
) -> tuple[str, ...]:
    """Return values, given as (numerator, denominator), as rounded texts.

    ``percentages`` tells for each value whether it is a percentage. Values are rounded as in the
    workbook, where ``number_format`` would truncate.
    """
    pairs = zip(values, percentages, strict=True)
    return tuple([_formatted_number(*ratio, percentage) for ratio, percentage in pairs])


def format_percentage_points(share: Fraction) -> str:
    """Return a difference of two shares as percentage points with one decimal."""
    return number_format(floor(1000 * share + Fraction(1, 2)) / 10, 1)


def _formatted_number(numerator: int, denominator: int, percentage: bool) -> str:
    if percentage:
        tenths = (2000 * numerator + denominator) // (2 * denominator)
        return f"{number_format(tenths / 10, 1)}\u00a0%"  # one word in narrow tables
    if 2 * numerator % denominator == 0:
        sign = "−" if numerator < 0 else ""
        return f"{sign}{format_points(Fraction(abs(numerator), denominator))}"
    return number_format(round(numerator / denominator, 2), 2)


def rank_reasons(
    standings: Standings,
    names: Names,
    rounds: Iterable[Played] = (),
    earlier: EarlierValues | None = None,
    place: Hashable = (),
    named: CriterionNamed = tiebreaker_by_key,
) -> dict[PlayerId, str]:
    """Return {player: why they are ranked below the next better player}.

    For the best player it is why they are above the next; {} before a result. ``names`` are by
    player; ``rounds`` are the results behind head-to-head tiebreakers. Texts of unchanged values
    are reused from the cache ``earlier`` under the key ``place``. ``named`` finds a tiebreaker by
    key.
    """
    if not any(row.played for row in standings.rows):
        return {}
    found, earlier = {}, {} if earlier is None else earlier
    level_inside = _level_inside(standings, names, rounds, named)
    classes = [list(level) for _rank, level in groupby(standings.rows, key=attrgetter("rank"))]
    before = [None, *(level[-1] for level in classes)]
    if len(classes) > 1:
        before[0] = classes[1][0]
    for level, neighbour in zip(classes, before, strict=False):
        for row in level:
            proof, why = row.proof or (neighbour.proof if neighbour else None), ""
            if proof and neighbour:
                pair = row.player, neighbour.player
                compared = (*_compared(proof, pair[0]), *_compared(proof, pair[1]))
                same = proof.criterion, proof.level, pair[1], compared
                words = partial(_reason_in_words, proof, *pair, names, named)
                why = reuse_or_compute(earlier, ("why", place, pair[0]), same, words)
            shared, inside = _shared_rank_words(row, level, names), level_inside.get(row.player, "")
            found[row.player] = " ".join(filter(None, (inside, why, shared)))
    return found


def _level_inside(
    standings: Standings, names: Names, rounds: Iterable[Played], named: CriterionNamed
) -> dict[PlayerId, str]:
    """Return of tied players who have met how they did among them, if that separated nobody."""
    found: dict[PlayerId, str] = {}
    steps = [
        step
        for step in standings.steps
        if named(step.criterion).inside and len(step.split.classes) == 1
    ]
    played: defaultdict[PlayerId, list[Result]] = defaultdict(list)
    for _pairing, result in chain.from_iterable(rounds) if steps else ():
        if result.is_played:
            played[result.seats[0]].append(result)
    for step in steps:
        level = frozenset(step.level)
        among = chain.from_iterable(played[one] for one in step.level)
        marks = marks_by_player(one for one in among if level.issuperset(one.seats))
        if marks:
            words = _inside_in_words(step, names, marks, named(step.criterion))
            found |= {player: words for player in step.level if player not in found}
    return found


def _inside_in_words(
    step: CriterionStep, names: Names, marks: Mapping[PlayerId, Marks], criterion: Criterion
) -> str:
    """Return "Head-to-head (Ada, Bea, Carlo): 1–1–0." of players none is ahead of."""
    records = {player: record_from_marks(marks.get(player, ())) for player in step.level}
    first = records[step.level[0]]
    label = translate(criterion.label)
    if any(record != first for record in records.values()):
        own = ", ".join(f"{names[one]} {format_record(records[one])}" for one in step.level)
        return f"{label}: {own}."
    return f"{label} ({join_player_names(step.level, names)}): {format_record(first)}."


def _reason_in_words(
    proof: RankProof, own: PlayerId, other: PlayerId, names: Names, named: CriterionNamed
) -> str:
    """Return "Points: 9; Bea: 6."; later criteria name the players tied until then, if others."""
    criterion = named(proof.criterion)
    several = len(proof.level) > 2 and proof.criterion not in OF_ALL
    tied = f" ({join_player_names(proof.level, names)})" if several else ""
    values, theirs = (_values_in_words(proof, one, criterion) for one in (own, other))
    return f"{translate(criterion.label)}{tied}: {values}; {names[other]}: {theirs}."


def _compared(proof: RankProof, player: PlayerId) -> tuple[Fraction, ...]:
    return proof.figures.get(player) or (proof.values.get(player, Fraction(0)),)


def _values_in_words(proof: RankProof, player: PlayerId, criterion: Criterion) -> str:
    values = [value.as_integer_ratio() for value in _compared(proof, player)]
    return " / ".join(format_values(values, [criterion.percentage] * len(values)))


def _shared_rank_words(row: Standing, level: Sequence[Standing], names: Names) -> str:
    if len(level) == 1:
        return ""
    others = [other.player for other in level if other is not row]
    return _("Tied with %(names)s on every tiebreaker.") % {
        "names": join_player_names(others, names)
    }


def join_player_names(players: Sequence[PlayerId], names: Names) -> str:
    """Return players' names joined by commas; of many, the first few and a count."""
    if len(players) <= CROWD:
        return ", ".join(names[player] for player in players)
    shown = ", ".join(names[player] for player in players[: CROWD - 1])
    return f"{shown}, +{len(players) - CROWD + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTies:
    """How tiebreakers ordered the tied players of a group, or of a rank across groups.

    ``group`` is "" across groups, ``rank`` None within one.
    """

    group: str
    rank: int | None
    standings: Standings
    sets: tuple[TiedSet, ...]


def stage_ties(stage: StageFacts) -> Iterator[TableTies]:
    """Yield how tiebreakers ordered each group, then each rank compared across groups.

    No query.
    """
    outcome = stage.outcome
    for group, standings in outcome.standings.items():
        if _has_begun(standings):
            yield TableTies(
                group=group, rank=None, standings=standings, sets=trace_standings(standings)
            )
    for rank, standings in sorted(standings_across_groups(stage).items()):
        if _has_begun(standings):
            yield TableTies(
                group="", rank=rank, standings=standings, sets=trace_standings(standings)
            )


def _has_begun(standings: Standings) -> bool:
    return any(row.played for row in standings.rows)
