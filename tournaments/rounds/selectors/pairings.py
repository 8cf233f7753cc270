"""Published pairings as everybody may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import EndedBy, PlayerId, Winner
from rules.stages.base import StageState
from rules.stages.bracket_progress import still_in
from rules.ties.decisions import histories_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import final_label, group_in_round, group_label, round_label
from tournaments.core.mapping import points_of
from tournaments.core.names import by_surname, listed
from tournaments.core.rows import EntryRow, MatchRow, RoundRow
from tournaments.extra_matches.selectors import across_groups
from tournaments.judging.selectors import Rulings
from tournaments.models import Match
from tournaments.results.selectors.match import ended_by_whom

Leaders = Mapping[int, str]
"""The public Leader card of each entry, by its primary key."""
NO_LEADERS: Leaders = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player of a match; ``points`` before the round, or None where pairings ignore points."""

    entry: EntryRow
    points: int | None
    won: bool
    leader: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A match; ``b`` is None for a bye, ``table`` is None where nothing is played.

    ``name`` distinguishes the final from the match for third place, which share a round. ``extra``
    is the extra time in minutes of an unfinished match; ``rulings`` are the judges' rulings on it.
    """

    table: int | None
    group: str
    name: str
    a: Side
    b: Side | None
    result: str
    tone: str
    is_final: bool
    best_of: int
    extra: int
    rulings: tuple[str, ...]

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return (self.a.entry, self.b.entry) if self.b else (self.a.entry,)

    @property
    def mark(self) -> str:
        """Return what the row is called where parts of the list are named."""
        return str(self.table or "–")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """A player with table and opponent; each match yields two rows."""

    entry: EntryRow
    table: int | None
    opponent: EntryRow | None
    result: str
    leader: str = ""
    opponents_leader: str = ""

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return what the row is called where parts of the list are named."""
        return str(listed(self.entry))[:6].rstrip()


def result_words(match: MatchRow, names: tuple[str, str]) -> tuple[str, str]:
    """Return the state or result of a match as text, and the tone to show it in."""
    decision = match.decision
    if match.state == Match.State.REPORTED:
        return _("reported, not confirmed yet"), "warn"
    if decision is None or match.state != Match.State.FINAL:
        return (_("a judge decides"), "warn") if match.state == Match.State.DISPUTED else ("", "")
    if decision.ended_by == EndedBy.BYE:
        return _("bye"), ""
    if decision.winner == Winner.NONE:
        return _("both lose"), ""
    if decision.winner == Winner.VOID:
        return _("does not count"), ""
    return ended_by_whom(decision, *names), ""


def table_row(
    stage: StageFacts,
    match: MatchRow,
    group: str,
    entries: dict[int, EntryRow],
    points: dict[PlayerId, int],
    leaders: Leaders,
    rulings: tuple[str, ...],
) -> TableRow:
    """Return a match as a row; ``group`` is its label.

    ``entries`` are by key, ``points`` before the round by player's number.
    """
    names = str(entries[match.a_id]), str(entries[match.b_id]) if match.b_id else ""
    words, tone = result_words(match, names)
    decision = match.decision if match.state == Match.State.FINAL else None
    winner = decision.winner if decision else ""

    def side(key: int, won: Winner) -> Side:
        entry = entries[key]
        return Side(
            entry=entry,
            points=points.get(entry.number),
            won=winner == won,
            leader=leaders.get(key, ""),
        )

    return TableRow(
        table=match.table,
        group=group,
        name=final_label(stage.plan, match.number),
        a=side(match.a_id, Winner.A),
        b=side(match.b_id, Winner.B) if match.b_id else None,
        result=words,
        tone=tone,
        is_final=match.state == Match.State.FINAL,
        best_of=match.best_of,
        extra=0 if match.state == Match.State.FINAL else match.extra_minutes,
        rulings=rulings,
    )


def name_rows(tables: tuple[TableRow, ...]) -> tuple[NameRow, ...]:
    """Return the players at these tables, sorted by surname."""
    rows = []
    for row in tables:
        sides = [row.a, row.b] if row.b else [row.a]
        for side in sides:
            other = next((each for each in sides if each is not side), None)
            rows.append(
                NameRow(
                    entry=side.entry,
                    table=row.table,
                    opponent=other.entry if other else None,
                    result=row.result,
                    leader=side.leader,
                    opponents_leader=other.leader if other else "",
                )
            )
    return tuple(sorted(rows, key=lambda row: by_surname(row.entry)))


NO_RULINGS: Rulings = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLink:
    """A published round in the list of rounds."""

    ordinal: int
    label: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingsPage:
    """A published round; ``missing`` is the number of matches without a final result.

    ``extra`` tells that it is a round of extra matches, which the stage does not count.
    """

    round: RoundRow
    label: str
    stage: str
    best_of: tuple[int, ...]
    shows_points: bool
    shows_groups: bool
    tables: tuple[TableRow, ...]
    names: tuple[NameRow, ...]
    resting: tuple[EntryRow, ...]
    missing: int
    rounds: tuple[RoundLink, ...]
    is_latest: bool
    extra: bool


def pairings_page(
    facts: EventFacts,
    ordinal: int | None = None,
    leaders: Leaders = NO_LEADERS,
    rulings: Rulings = NO_RULINGS,
) -> PairingsPage | None:
    """Return a round, by default the latest, or None if there is none.

    No query beyond ``facts``, which must be loaded without drafts. ``leaders`` are shown beside the
    names, ``rulings`` beside the matches.
    """
    known = [(stage, item) for stage in facts.stages for item in stage.rounds]
    wanted = [pair for pair in known if ordinal in (None, pair[1].ordinal)]
    if not wanted:
        return None
    stage, item = wanted[-1]
    entries = {entry.pk: entry for entry in facts.entries.values()}
    matches = stage.matches_of(item)
    points = _points_before(facts, stage, item)
    joint = len(item.level_sets) > 1
    across = item.is_extra and not joint and across_groups(stage, item, matches[0])
    two_brackets = stage.kind.two_brackets
    groups = _groups(stage, item, matches)
    tables = tuple(
        table_row(stage, match, group, entries, points, leaders, rulings.get(match.pk, ()))
        for match, group in zip(matches, groups, strict=True)
        if not match.missed
    )
    return PairingsPage(
        round=item,
        label=round_label(stage, item),
        stage=translate(stage.plan.label),
        best_of=tuple(sorted({row.best_of for row in tables if row.table is not None})),
        shows_points=bool(points),
        shows_groups=joint or ((len(stage.plan.groups) > 1 or two_brackets) and not across),
        tables=tuple(sorted(tables, key=lambda row: (row.table is None, row.table or 0))),
        names=name_rows(tables),
        resting=() if item.is_extra else _resting(facts, stage, item),
        missing=sum(not row.is_final for row in tables),
        rounds=tuple(
            RoundLink(
                ordinal=other.ordinal,
                label=f"{translate(of.plan.label)} – {round_label(of, other)}",
                current=other.pk == item.pk,
            )
            for of, other in known
        ),
        is_latest=item.pk == known[-1][1].pk,
        extra=item.is_extra,
    )


def _groups(stage: StageFacts, item: RoundRow, matches: Sequence[MatchRow]) -> list[str]:
    """Return the label of each match's group, looked up once for each group where that is all."""
    names = {group.pk: group.name for group in stage.groups}
    if not item.is_extra and not stage.kind.two_brackets:
        labels = {key: group_label(stage.plan, name) for key, name in names.items()}
        return [labels[match.group_id] for match in matches]
    return [group_in_round(stage, item, match, names[match.group_id]) for match in matches]


def _points_before(facts: EventFacts, stage: StageFacts, item: RoundRow) -> dict[PlayerId, int]:
    if stage.kind.has_bracket or item.is_extra:
        return {}
    return {
        player: tally.points
        for history in histories_of(_before(stage, item), points_of(facts.event), {}).values()
        for player, tally in history.tallies.items()
    }


def _before(stage: StageFacts, item: RoundRow) -> StageState:
    index = next(i for i, other in enumerate(stage.regular_rounds) if other.pk == item.pk)
    return replace(stage.state, rounds=stage.state.rounds[:index])


def _resting(facts: EventFacts, stage: StageFacts, item: RoundRow) -> tuple[EntryRow, ...]:
    """Return the players of a stage without a match in the round, by name; none in a knock-out."""
    if stage.kind.two_brackets:
        players = still_in(_before(stage, item))
    else:
        players = frozenset(() if stage.kind.has_bracket else stage.state.players)
    matches = stage.matches_of(item)
    at_tables = {entry for match in matches for entry in (match.a_id, match.b_id)}
    seated = [facts.entries[player] for player in players]
    resting = [entry for entry in seated if entry.plays and entry.pk not in at_tables]
    return tuple(sorted(resting, key=by_surname))
