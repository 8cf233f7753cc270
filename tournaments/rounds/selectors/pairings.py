"""Published pairings as everybody may see them: matches, and players with their tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from config.wording import translate
from rules.numbers import format_points
from rules.results import MatchEnding, PlayerId, Winner
from rules.stages.base import StageState, has_multiplayer_tables
from rules.stages.knockout import remaining_players
from rules.tables.results import UNITS
from rules.ties.decisions import group_histories
from tournaments.core.event_state import EventFacts, StageFacts, cached_by_sources
from tournaments.core.extra_matches import is_cross_group_match
from tournaments.core.labels import (
    final_label,
    group_label,
    group_label_in_round,
    round_label,
    stage_and_round_label,
    stage_name_unless_in_label,
)
from tournaments.core.mapping import event_points
from tournaments.core.names import listed_name, surname_sort_key, surname_with_initial
from tournaments.core.replays import (
    GroupRound,
    MatchInPlay,
    Replay,
    matches_in_play,
    pending_replays,
    round_matches_at_current_tables,
    upcoming_group_rounds,
)
from tournaments.core.rows import EntryRow, MatchAddress, MatchRow, RoundRow
from tournaments.judging.selectors import Rulings
from tournaments.matches.words import match_seat_names, result_with_ending, seats_won
from tournaments.models import Match

Leaders = Mapping[int, str]
"""The public Leader card of each entry, by its primary key."""
NO_LEADERS: Leaders = MappingProxyType({})
Records = Mapping[PlayerId, str]
"""What each player has before a round: W–L–D, W–L where nobody drew, or points at tables."""
NO_RECORDS: Records = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSide:
    """A player in a row of the pairings.

    ``record`` is the W–L–D before the round, or the points at multiplayer tables; "" for none.
    """

    entry: EntryRow
    record: str
    won: bool
    leader: str = ""


@dataclass(frozen=True, kw_only=True)
class PairingRow:
    """A match in the pairings by table; it has one side for a bye.

    ``table`` is None if nothing is played. ``name`` is that of a final or third-place match.
    ``extra`` are extra minutes of an unfinished match. ``at`` addresses its page, None for a bye.
    ``of_round`` names its round if it is played beside a later one.
    """

    table: int | None
    group: str
    name: str
    sides: tuple[PairingSide, ...]
    result: str
    tone: str
    is_final: bool
    best_of: int
    extra: int
    rulings: tuple[str, ...]
    at: MatchAddress | None
    of_round: str = ""

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return tuple(side.entry for side in self.sides)

    @property
    def has_seats(self) -> bool:
        """Return whether three or more sit here, in the order of their seats: the first begins."""
        return len(self.sides) > 2

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return str(self.table or "–")


@dataclass(frozen=True, kw_only=True)
class NameRow:
    """A player in the pairings by name, with table and opponents.

    ``seat`` (from 1) is that at a multiplayer table, else None. ``result`` is only set without a
    table, as for a bye. ``of_round`` is that of ``PairingRow``.
    """

    entry: EntryRow
    table: int | None
    seat: int | None
    others: tuple[PairingSide, ...]
    result: str
    leader: str = ""
    of_round: str = ""

    @property
    def against(self) -> str:
        """Return the opponent in words, "against Rossi A."; "" of none or several."""
        if self.seat or not self.others:
            return ""
        return _("against %(name)s") % {"name": surname_with_initial(self.others[0].entry)}

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return str(listed_name(self.entry))[:6].rstrip()


def result_text_and_tone(match: MatchRow, names: tuple[str, ...]) -> tuple[str, str]:
    """Return (state or result of a match as text, its tone: "warn" or "")."""
    decision = match.decision
    if match.state == Match.State.REPORTED:
        return _("to be confirmed"), "warn"
    if decision is None or match.state != Match.State.FINAL:
        return (_("a judge decides"), "warn") if match.state == Match.State.DISPUTED else ("", "")
    if decision.ended_by == MatchEnding.BYE:
        return pgettext("of a match", "bye"), ""
    if decision.winner == Winner.NONE:
        return _("Both lose"), ""
    if decision.winner == Winner.VOID:
        return _("does not count"), ""
    return result_with_ending(decision, *names), ""


def build_pairing_row(
    stage: StageFacts,
    round_: RoundRow,
    match: MatchRow,
    group: str,
    entries: dict[int, EntryRow],
    records: Records,
    leaders: Leaders,
    rulings: tuple[str, ...],
) -> PairingRow:
    """Return a match as a row of the pairings by table; ``group`` is a label.

    ``entries`` and ``leaders`` are by primary key, ``records`` (before the round) by player number.
    """
    words, tone = result_text_and_tone(match, match_seat_names(match, entries))
    decision = match.decision if match.state == Match.State.FINAL else None
    won = seats_won(decision, len(match.seats))
    return PairingRow(
        table=match.table,
        group=group,
        name=final_label(stage.plan, match.number),
        sides=tuple(
            PairingSide(
                entry=entries[key],
                record=records.get(entries[key].number, ""),
                won=first,
                leader=leaders.get(key, ""),
            )
            for key, first in zip(match.seats, won, strict=False)
        ),
        result=words,
        tone=tone,
        is_final=match.state == Match.State.FINAL,
        best_of=match.best_of,
        extra=0 if match.state == Match.State.FINAL else match.extra_minutes,
        rulings=rulings,
        at=(round_.ordinal, match.number) if match.size > 1 else None,
    )


def name_rows(row: PairingRow, result: str) -> tuple[NameRow, ...]:
    """Return the rows by name of a match's players; ``result`` is its text."""
    return tuple(
        NameRow(
            entry=side.entry,
            table=row.table,
            seat=seat if row.has_seats else None,
            others=tuple(other for other in row.sides if other is not side),
            result=result,
            leader=side.leader,
            of_round=row.of_round,
        )
        for seat, side in enumerate(row.sides, start=1)
    )


def seat_label(seat: int) -> str:
    """Return the label of a seat at a multiplayer table; seat 1 begins."""
    words = _("Seat %(number)s") % {"number": seat}
    return " · ".join((words, _("begins"))) if seat == 1 else words


NO_RULINGS: Rulings = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLink:
    """A link to a published round; ``short`` is the label within its stage."""

    ordinal: int
    label: str
    short: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingsPage:
    """A published round with its pairings by table and by name.

    ``missing`` counts matches without final result. ``beside`` are matches of earlier rounds that
    are played with the latest one, ``again`` the rows of the open ones; both count for ``missing``
    and ``names``. ``coming`` are later rounds by group label. ``extra``: a round of tiebreaker
    matches. ``resting`` players have no match, ``rests`` are their rows. ``replays`` are matches to
    be played again.
    """

    round: RoundRow
    label: str
    stage: str
    best_of: tuple[int, ...]
    shows_groups: bool
    tables: tuple[PairingRow, ...]
    names: tuple[NameRow, ...]
    coming: Mapping[str, tuple[GroupRound, ...]]
    resting: tuple[EntryRow, ...]
    rests: tuple[PairingRow, ...]
    missing: int
    rounds: tuple[RoundLink, ...]
    is_latest: bool
    extra: bool
    beside: tuple[MatchInPlay, ...]
    again: tuple[PairingRow, ...]
    replays: tuple[Replay, ...]

    @property
    def kicker(self) -> str:
        """Return the stage, "" where the label names it."""
        return stage_name_unless_in_label(self.stage, self.label)

    @property
    def to_play(self) -> tuple[PairingRow, ...]:
        """Return the tables, with those beside them, byes last.

        Of two at one table that of the round comes first.
        """
        every = (*self.tables, *self.again)
        return tuple(sorted(every, key=lambda row: (row.table is None, row.table or 0)))

    @property
    def listed(self) -> tuple[PairingRow, ...]:
        """Return the rows by table, then who rests; by group where groups are shown."""
        rows = (*self.tables, *self.rests)
        if not self.shows_groups:
            return rows
        order = list(dict.fromkeys(row.group for row in rows))
        return tuple(sorted(rows, key=lambda row: order.index(row.group)))

    @property
    def has_seats(self) -> bool:
        """Return whether there are multiplayer tables in the round."""
        return any(row.has_seats for row in self.tables)

    @property
    def has_results(self) -> bool:
        """Return whether a result of a table is final."""
        return any(row.is_final and row.table is not None for row in self.tables)


def pairings_page(
    facts: EventFacts,
    ordinal: int | None = None,
    leaders: Leaders = NO_LEADERS,
    rulings: Rulings = NO_RULINGS,
) -> PairingsPage | None:
    """Return a published round with its pairings, by default the latest; None without.

    ``ordinal`` is its number in the event. ``facts`` must be loaded without drafts. ``leaders`` are
    displayed beside the names, ``rulings`` beside the matches. No query beyond ``facts``.
    """
    known = [(stage, item) for stage in facts.stages for item in stage.rounds]
    wanted = [pair for pair in known if ordinal in (None, pair[1].ordinal)]
    if not wanted:
        return None
    stage, item = wanted[-1]
    matches = stage.matches_of(item)
    records = _records_before(facts, stage, item)
    joint = len(item.level_sets) > 1
    across = item.is_extra and not joint and is_cross_group_match(stage, item, matches[0])
    two_brackets = stage.kind.two_brackets
    tables = pairing_rows(facts, stage, item, records, leaders, rulings)
    is_latest = item.pk == known[-1][1].pk
    beside = tuple(each for each in matches_in_play(stage) if each.beside) if is_latest else ()
    again = tuple(_rows_beside(facts, stage, beside, leaders, rulings))
    resting = () if item.is_extra else _players_without_match(facts, stage, item)
    return PairingsPage(
        round=item,
        label=round_label(stage, item),
        stage=translate(stage.plan.label),
        best_of=tuple(sorted({row.best_of for row in tables if row.table is not None})),
        shows_groups=joint or ((len(stage.plan.groups) > 1 or two_brackets) and not across),
        tables=tables,
        names=_names(facts, item, (*tables, *again), leaders),
        coming=_coming(facts, stage, is_latest=is_latest),
        resting=resting,
        rests=tuple(_rest_row(stage, entry, records, leaders) for entry in resting),
        missing=sum(not row.is_final for row in tables) + sum(each.is_open for each in beside),
        rounds=tuple(
            RoundLink(
                ordinal=other.ordinal,
                label=stage_and_round_label(translate(of.plan.label), round_label(of, other)),
                short=_short_label(of, other, shown=(stage, item)),
                current=other.pk == item.pk,
            )
            for of, other in reversed(known)
        ),
        is_latest=is_latest,
        extra=item.is_extra,
        beside=beside,
        again=again,
        replays=pending_replays(facts) if is_latest else (),
    )


def _rest_row(stage: StageFacts, entry: EntryRow, records: Records, leaders: Leaders) -> PairingRow:
    """Return the row of a player without a match in the round."""
    groups = (each.name for each in stage.plan.groups)
    own = next((name for name in groups if entry.number in stage.state.seated(name)), "")
    record, leader = records.get(entry.number, ""), leaders.get(entry.pk, "")
    return PairingRow(
        table=None,
        group="" if stage.kind.two_brackets or not own else group_label(stage.plan, own),
        name="",
        sides=(PairingSide(entry=entry, record=record, won=False, leader=leader),),
        result=_("no match"),
        tone="",
        is_final=True,
        best_of=1,
        extra=0,
        rulings=(),
        at=None,
    )


def _coming(
    facts: EventFacts, stage: StageFacts, *, is_latest: bool
) -> Mapping[str, tuple[GroupRound, ...]]:
    """Return the rounds to come of each group by its label, below its latest round alone."""
    names = [group.name for group in stage.plan.groups] if is_latest else []
    found = {name: tuple(upcoming_group_rounds(facts, stage, name)) for name in names}
    return {group_label(stage.plan, name): rounds for name, rounds in found.items() if rounds}


def _short_label(of: StageFacts, round_: RoundRow, *, shown: tuple[StageFacts, RoundRow]) -> str:
    """Return a round's label among others: its number alone where the stage is numbered."""
    stage, current = shown
    if of.stage.pk != stage.stage.pk:
        return stage_and_round_label(translate(of.plan.label), round_label(of, round_))
    plain = not (of.kind.has_bracket or round_.is_extra or round_.pk == current.pk)
    return str(round_.ordinal) if plain else round_label(of, round_)


def pairing_rows(
    facts: EventFacts,
    stage: StageFacts,
    round_: RoundRow,
    records: Records = NO_RECORDS,
    leaders: Leaders = NO_LEADERS,
    rulings: Rulings = NO_RULINGS,
) -> tuple[PairingRow, ...]:
    """Return a round's pairings by table, byes last; no missed matches.

    Rows of unchanged matches are reused objects.
    """
    matches, language = round_matches_at_current_tables(stage, round_), get_language()
    rows = (
        cached_by_sources(
            facts,
            ("table", match.pk, group, language),
            (match, records, leaders, rulings),
            partial(
                build_pairing_row,
                stage,
                round_,
                match,
                group,
                facts.entries_by_pk,
                records,
                leaders,
                rulings.get(match.pk, ()),
            ),
        )
        for match, group in zip(matches, _group_labels(stage, round_, matches), strict=True)
        if not match.missed
    )
    return tuple(sorted(rows, key=lambda row: (row.table is None, row.table or 0)))


def _rows_beside(
    facts: EventFacts,
    stage: StageFacts,
    beside: Sequence[MatchInPlay],
    leaders: Leaders,
    rulings: Rulings,
) -> Iterator[PairingRow]:
    """Yield the open matches of earlier rounds, at the tables where they are played."""
    for each in beside:
        if not each.is_open:
            continue
        item = next(item for item in stage.rounds if item.pk == each.round.pk)
        (group,) = _group_labels(stage, item, [each.match])
        told = rulings.get(each.match.pk, ())
        row = build_pairing_row(
            stage, item, each.match, group, facts.entries_by_pk, NO_RECORDS, leaders, told
        )
        yield replace(row, table=each.table, of_round=round_label(stage, item))


def _names(
    facts: EventFacts, round_: RoundRow, tables: Sequence[PairingRow], leaders: Leaders
) -> tuple[NameRow, ...]:
    """Return the players at these tables by surname; the same tuple as before if none changed."""
    language = get_language()
    rows: list[NameRow] = []
    for row in tables:
        result = "" if row.table else row.result
        seats = (*row.players, leaders)
        key = ("names", row.players[0].pk, round_.pk, row.table, result, row.of_round, language)
        rows += cached_by_sources(facts, key, seats, partial(name_rows, row, result))
    return cached_by_sources(
        facts,
        ("by name", round_.pk, language),
        tuple(rows),
        lambda: tuple(sorted(rows, key=lambda row: surname_sort_key(row.entry))),
    )


def _group_labels(stage: StageFacts, round_: RoundRow, matches: Sequence[MatchRow]) -> list[str]:
    """Return the label of each match's group, looked up once for each group where that is all."""
    names = {group.pk: group.name for group in stage.groups}
    if not round_.is_extra and not stage.kind.two_brackets:
        labels = {key: group_label(stage.plan, name) for key, name in names.items()}
        return [labels[match.group_id] for match in matches]
    return [group_label_in_round(stage, round_, match, names[match.group_id]) for match in matches]


def _records_before(facts: EventFacts, stage: StageFacts, round_: RoundRow) -> Records:
    """Return everybody's record before a round, the very same while no earlier result changes.

    At tables of three to five there is more than winning and losing: points instead.
    """

    def make() -> Records:
        found: dict[PlayerId, str] = {}
        for history in group_histories(before, event_points(facts.event), {}).values():
            if at_tables:
                points = history.points_by_player.items()
                found |= {one: _points_in_words(Fraction(made, UNITS)) for one, made in points}
                continue
            draws = any(history.outcomes.drawn)
            for player, (_played, won, drawn, lost) in history.records.items():
                found[player] = f"{won}–{lost}–{drawn}" if draws else f"{won}–{lost}"
        return found

    if stage.kind.has_bracket or round_.is_extra:
        return NO_RECORDS
    before = _state_before_round(stage, round_)
    if not before.rounds:
        return NO_RECORDS
    at_tables = has_multiplayer_tables(stage.plan)
    key = "records", round_.pk, get_language() if at_tables else ""
    return cached_by_sources(facts, key, before.rounds, make)


def _points_in_words(points: Fraction) -> str:
    words = ngettext("%(points)s pt", "%(points)s pts", 1 if points == 1 else 2)
    return words % {"points": format_points(points)}


def _state_before_round(stage: StageFacts, round_: RoundRow) -> StageState:
    index = next(i for i, other in enumerate(stage.regular_rounds) if other.pk == round_.pk)
    return replace(stage.state, rounds=stage.state.rounds[:index])


def _players_without_match(
    facts: EventFacts, stage: StageFacts, round_: RoundRow
) -> tuple[EntryRow, ...]:
    """Return the players of a stage without a match in the round, by name; none in a knock-out."""
    if stage.kind.two_brackets:
        players = remaining_players(_state_before_round(stage, round_))
    else:
        players = frozenset(() if stage.kind.has_bracket else stage.state.players)
    matches = stage.matches_of(round_)
    at_tables = {entry for match in matches for entry in match.seats}
    seated = [facts.entries[player] for player in players]
    resting = [entry for entry in seated if entry.plays and entry.pk not in at_tables]
    return tuple(sorted(resting, key=surname_sort_key))
