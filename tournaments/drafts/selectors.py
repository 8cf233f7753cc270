"""The check list of a drafted round, and the draft as the page edits it.

Source: tables, 5 (shown at the draft).
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.base import Number
from rules.drafts.check import draft_remarks
from rules.drafts.draft import PairingPreferences, Remark, Severity
from rules.drafts.tables import EditCost
from rules.numbers import format_points
from rules.results import PlayerId
from rules.stages.base import StageState, has_multiplayer_tables
from rules.stages.swiss import entrants
from rules.stages.tables import table_entrants as table_entrants
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.formulas import allows_half_byes
from tournaments.core.rows import AnyEntry, AnyMatch, AnyRound
from tournaments.models import Entry
from tournaments.rounds.selectors.desk_rows import load_round_reports, round_desk_rows
from tournaments.rounds.selectors.discards import (
    draft_matches,
    is_paired_elsewhere,
    round_version,
    state_before_draft,
)


def round_verdict(round_: AnyRound, remarks: Collection[Remark], *, small: bool) -> dict[str, Any]:
    """Return a summary of a multiplayer round's check, for display: {head, small, good}.

    ``head``: text, number of rematches; ``small``: text, number of players at a small table again,
    "" unless the argument ``small`` says that the round has such tables; ``good``: whether neither
    occurs.
    """
    proven = bool((round_.cost or {}).get("proven"))
    again = sum(remark.code == "rematch" for remark in remarks)
    seated = sum(len(remark.players) for remark in remarks if remark.code == "small_again")
    return {
        "head": _head(again, proven=proven),
        "small": _small(seated) if small else "",
        "good": not again and not seated,
    }


def swap_cost_text(price: EditCost) -> str:
    """Return the worst effect of swapping two players, as a short text.

    ``price``: the cost of the swap.
    """
    if price.repeats:
        return _("Rematches: %(count)s") % {"count": price.repeats}
    if price.apart:
        return _("Kept apart")
    if price.again:
        return _("At a small table again")
    if price.free:
        return _("Free swap")
    return _("Point difference: %(points)s") % {"points": format_points(price.gap)}


def _head(pairs: int, *, proven: bool) -> str:
    words = _("Rematches: %(count)s (fewest possible)") if proven else _("Rematches: %(count)s")
    return words % {"count": pairs}


def _small(seated: int) -> str:
    label = _("At a small table again")
    return _("%(label)s: %(count)s") % {"label": label, "count": seated}


CHECKED_IN = Entry.Status.CHECKED_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """A remark of a draft's check list, for display.

    ``match`` and ``table``: where, if it is about one match; ``names``: of the players concerned.
    """

    remark: Remark
    match: AnyMatch | None
    table: int | None
    names: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return the remark in the active language."""
        return translate(self.remark.sentence)

    @property
    def tone(self) -> str:
        """Return the tone in which the page shows the remark."""
        return {Severity.FAULT: "bad", Severity.WARNING: "warn", Severity.NOTE: "info"}[
            self.remark.weight
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCheck:
    """A draft's check list.

    ``version``: of the round, to be sent with a change; ``unpaired``: (player, points) of those
    without a match.
    """

    version: int
    lines: tuple[CheckLine, ...]
    unpaired: tuple[tuple[AnyEntry, Number], ...]

    @property
    def faults(self) -> bool:
        """Return whether a fault prevents publishing."""
        return any(line.remark.weight is Severity.FAULT for line in self.lines)


def draft_check(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> DraftCheck:
    """Return a draft's check list; two queries."""
    before = state_before_draft(facts, stage, round_)
    by_number = {match.number: match for match in stage.matches_of(round_)}
    draft = draft_matches(facts, stage, round_)
    found = draft_remarks(
        before,
        draft,
        pairing_constraints(facts, before),
        extra=round_.is_extra,
        given=is_paired_elsewhere(stage, round_),
    )
    points = points_before_round(before)
    lines = []
    for remark in found:
        match = by_number.get(remark.match or 0)
        names = tuple(str(facts.entries[player]) for player in remark.players)
        table = match.table if match else None
        lines.append(CheckLine(remark=remark, match=match, table=table, names=names))
    loose = [remark.players[0] for remark in found if remark.code == "unpaired"]
    return DraftCheck(
        version=round_version(facts.event, round_.ordinal),
        lines=tuple(lines),
        unpaired=tuple((facts.entries[player], points[player]) for player in loose),
    )


def pairing_constraints(facts: EventFacts, before: StageState) -> PairingPreferences:
    """Return what the check of a draft looks at besides points; no query.

    Clubs, fixed tables, pairs to avoid and players not checked in. ``before``: the stage's state
    without the round.
    """
    return PairingPreferences(
        apart=before.apart,
        clubs={number: entry.club.strip() for number, entry in facts.entries.items()},
        fixed=fixed_tables(facts),
        not_checked_in=players_not_checked_in(facts),
    )


def players_not_checked_in(facts: EventFacts) -> frozenset[PlayerId]:
    """Return the active players who neither checked in nor played so far; no query.

    Empty unless more than half of the players have checked in.
    """
    here = {number for number, entry in facts.entries.items() if entry.status == CHECKED_IN}
    played = {
        player
        for stage in facts.stages
        for rows in stage.state.rounds
        for pairing, result in rows
        if result.is_played and len(pairing.seats) > 1
        for player in pairing.seats
    }
    playing = {number for number, entry in facts.entries.items() if entry.plays}
    return frozenset(playing - here - played) if 2 * len(here) > len(playing) else frozenset()


def fixed_tables(facts: EventFacts) -> dict[PlayerId, int]:
    """Return {player: table} for players with a fixed table; no query."""
    return {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}


def points_before_round(before: StageState) -> dict[PlayerId, Number]:
    """Return {player: points} for pairing a round.

    ``before``: the stage's state without that round.
    """
    at_tables = has_multiplayer_tables(before.plan)
    there = table_entrants(before) if at_tables else entrants(before)
    return {one.player: one.points for one in there}


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow:
    """A match of a draft, for display.

    ``seats``: its players, as dicts; ``result``: text if it is decided without play, else "";
    ``reason``: why it was paired, "" if as usual; ``lines``: remarks about it.
    """

    match: AnyMatch
    table: int | None
    seats: tuple[dict[str, Any], ...]
    result: str
    reason: str
    lines: tuple[CheckLine, ...]


def draft_page(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> dict[str, Any]:
    """Return the template context of a draft with its check list; five queries.

    Keys: ``groups``: (label, rows); ``free``: pairings may be changed; ``half_byes``: half-point
    byes can be given; ``noted``: number of matches with remarks; ``resting``: byes that can't be
    changed. In multiplayer rounds also ``sizes``: of tables, the preferred one first, and
    ``verdict`` (see ``round_verdict``).
    """
    check = draft_check(facts, stage, round_)
    lines: dict[int, list[CheckLine]] = defaultdict(list)
    for line in check.lines:
        if line.match is not None:
            lines[line.match.pk].append(line)
    entries = facts.entries_by_pk
    swiss = stage.kind.pairs_by_points and not round_.is_extra
    before = state_before_draft(facts, stage, round_)
    points = points_before_round(before) if swiss else {}
    met = _last_meetings(before) if swiss else {}
    at_tables = swiss and has_multiplayer_tables(stage.plan)
    small = {one.player for one in table_entrants(before) if one.small} if at_tables else set()

    def seat(entry: AnyEntry) -> dict[str, Any]:
        """A player in a draft; ``points`` is None where pairings ignore points.

        ``met`` are the players met before with the round, as "7=1 12=2"; ``apart`` are those to
        be kept apart, as "3 9". ``small``: has sat at a small table before.
        """
        number = entry.number
        return {
            "number": number,
            "name": entry.display_name,
            "points": points.get(number),
            "met": " ".join(f"{other}={last}" for other, last in met.get(number, {}).items()),
            "apart": " ".join(
                str(other) for pair in before.apart if number in pair for other in pair - {number}
            ),
            "small": number in small,
        }

    groups: dict[str, list[DraftRow]] = defaultdict(list)
    resting: list[dict[str, Any]] = []
    for row in round_desk_rows(facts, stage, round_, load_round_reports(round_)):
        players = [entries[key] for key in row.match.seats]
        if len(players) == 1 and not swiss:
            resting.append(seat(players[0]))
            continue
        groups[row.group].append(
            DraftRow(
                match=row.match,
                table=row.table,
                seats=tuple(map(seat, players)),
                result=row.result,
                reason="" if row.usual else row.reason,
                lines=tuple(lines[row.match.pk]),
            )
        )
    sizes = stage.kind.sizes_of(stage.plan) if at_tables else ()
    rows = [row for group in groups.values() for row in group]
    largest = max([*sizes, *(len(row.seats) for row in rows)], default=0)
    return {
        "check": check,
        "groups": tuple((group, tuple(rows)) for group, rows in groups.items()),
        "has_one_group": len(groups) == 1,
        "players": sum(len(row.seats) for row in rows) + len(resting),
        "tables": sum(row.table is not None for row in rows),
        "noted": sum(bool(row.lines) for row in rows),
        "seat_numbers": range(1, 1 + largest),
        "resting": tuple(resting),
        "unpaired": tuple(seat(entry) for entry, _points in check.unpaired),
        "free": swiss,
        "half_byes": swiss and allows_half_byes(facts.event),
        "sizes": sizes,
        "verdict": round_verdict(
            round_,
            [line.remark for line in check.lines],
            small=any(1 < len(row.seats) < sizes[0] for row in rows),
        )
        if at_tables
        else None,
    }


def _last_meetings(before: StageState) -> dict[PlayerId, dict[PlayerId, int]]:
    """Return each player's earlier opponents, each with the latest round in which they met."""
    met: dict[PlayerId, dict[PlayerId, int]] = defaultdict(dict)
    for number, played in enumerate(before.rounds, start=1):
        for pairing, _result in played:
            for player, opponent in permutations(pairing.seats, 2):
                met[player][opponent] = number
    return met
