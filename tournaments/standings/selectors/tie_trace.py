"""Tied players compared criterion by criterion, for pages, the workbook and the API."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId
from rules.standings.table import Standings
from rules.ties.decisions import LOTS
from rules.ties.extra_matches import EXTRA_MATCH, criterion_named
from rules.ties.trace import TiedSet, TracedStep, trace
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import compared_in
from tournaments.standings.selectors.proofs import Names, listed_names, number


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTrace:
    """The tied players of one table: of a ``group``, or of a ``rank`` compared across groups."""

    group: str
    rank: int | None
    standings: Standings
    sets: tuple[TiedSet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """A criterion applied to tied players: their values, the resulting order, perhaps a note."""

    criterion: str
    figures: str
    separates: bool
    order: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRow:
    """Players tied on the first criterion, with the criteria applied to them."""

    heading: str
    steps: tuple[StepRow, ...]


def stage_traces(stage: StageFacts) -> Iterator[TableTrace]:
    """Yield the tied players of each group, then of each rank compared; no query."""
    outcome = stage.outcome
    for group, standings in outcome.standings.items():
        if _has_begun(standings):
            yield TableTrace(group=group, rank=None, standings=standings, sets=trace(standings))
    for rank, standings in sorted(compared_in(stage).items()):
        if _has_begun(standings):
            yield TableTrace(group="", rank=rank, standings=standings, sets=trace(standings))


def _has_begun(standings: Standings) -> bool:
    return any(row.played for row in standings.rows)


def set_rows(facts: EventFacts, stage: StageFacts, standings: Standings) -> tuple[SetRow, ...]:
    """Return the tied players of one table as text, nothing before a match was played; no query."""
    if not _has_begun(standings):
        return ()
    names = {key: entry.display_name for key, entry in facts.entries.items()}
    equal = _always_equal(stage, standings)
    return tuple(
        SetRow(
            heading=_("%(criterion)s %(value)s: %(names)s")
            % {
                "criterion": translate(criterion_named(tied.criterion).label),
                "value": _values_in_words(tied.criterion, tied.values),
                "names": listed_names(tied.players, names),
            },
            steps=tuple(_step(step, names, equal) for step in tied.steps),
        )
        for tied in trace(standings)
    )


def _always_equal(stage: StageFacts, standings: Standings) -> bool:
    """Return whether opponents' points must be equal: all players of the table have met."""
    group = standings in stage.outcome.standings.values()
    done = stage.rounds_done and not stage.missing
    return group and done and stage.kind.all_meet


def _step(step: TracedStep, names: Names, always_equal: bool) -> StepRow:
    criterion = criterion_named(step.criterion)
    note = ""
    if step.criterion == "opponents_points" and always_equal:
        note = _(
            "In a finished group they are always equal among players level on points: everybody "
            "has met everybody."
        )
    elif step.criterion == LOTS and not step.separates:
        note = _("Not drawn: the rank is shared unless a place depends on it.")
    elif step.criterion == EXTRA_MATCH.key:
        note = (
            _("How many of the extra matches among them each of them won.")
            if step.separates
            else _("The extra matches leave them level: lots or others decide.")
        )
    return StepRow(
        criterion=translate(criterion.label),
        figures=", ".join(
            f"{names[player]} {_values_in_words(step.criterion, values)}"
            for player, values in step.values.items()
        ),
        separates=step.separates,
        order=" › ".join(_names_in_words(level, names) for level in step.order)
        if step.separates
        else "",
        note=note,
    )


def _names_in_words(level: tuple[PlayerId, ...], names: Names) -> str:
    return " = ".join(names[player] for player in level)


def _values_in_words(criterion: str, values: tuple[int | Fraction, ...]) -> str:
    return " / ".join(number(Fraction(value), criterion) for value in values)
