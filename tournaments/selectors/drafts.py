"""A drafted round as it may be changed, and what is worth a look before it is published."""

from dataclasses import dataclass, replace

from django.db.models import Max, Q

from config.wording import translate
from rules.drafts.check import Remark, Weight, Wishes, remarks
from rules.drafts.draft import Seated
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.swiss import entrants
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Entry, Event, Match, Round
from tournaments.selectors.apart import pairs_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """A line of the check list in words; ``match`` and ``table`` where it is about one."""

    remark: Remark
    match: Match | None
    table: int | None
    names: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return what was remarked, in the reader's language."""
        return translate(self.remark.sentence)

    @property
    def tone(self) -> str:
        """Return the tone to show it in."""
        return {Weight.FAULT: "bad", Weight.WARNING: "warn", Weight.NOTE: "info"}[
            self.remark.weight
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCheck:
    """The check list of a draft; ``version`` is what a change of it names as seen."""

    version: int
    lines: tuple[CheckLine, ...]
    unpaired: tuple[tuple[Entry, int], ...]

    @property
    def faults(self) -> bool:
        """Say whether publishing has to wait."""
        return any(line.remark.weight is Weight.FAULT for line in self.lines)


def draft_check(facts: EventFacts, stage: StageFacts, item: Round) -> DraftCheck:
    """Return the check list of a draft; two queries beside those of the facts.

    Who is not paired stands in it with the points so far.
    """
    before = before_draft(facts, stage, item)
    by_number = {match.number: match for match in stage.matches_of(item)}
    draft = seated(facts, stage, item)
    found = remarks(before, draft, wishes(facts, before), extra=item.is_extra)
    points = points_so_far(before)
    lines = []
    for remark in found:
        match = by_number.get(remark.match or 0)
        names = tuple(str(facts.entries[player]) for player in remark.players)
        table = match.table if match else None
        lines.append(CheckLine(remark=remark, match=match, table=table, names=names))
    loose = [remark.players[0] for remark in found if remark.code == "unpaired"]
    return DraftCheck(
        version=round_version(facts.event, item.ordinal),
        lines=tuple(lines),
        unpaired=tuple((facts.entries[player], points[player]) for player in loose),
    )


def round_version(event: Event, ordinal: int) -> int:
    """Return the number of the last line of the log about a round, which a change raises."""
    own = Q(action__startswith="round.") | Q(action__startswith="act.")
    lines = event.log.filter(own, subject=str(ordinal))
    return int(lines.aggregate(last=Max("number"))["last"] or 0)


def before_draft(facts: EventFacts, stage: StageFacts, item: Round) -> StageState:
    """Return a stage without a draft, its last round, and whom it keeps apart; one query."""
    index = sum(other.ordinal < item.ordinal for other in stage.regular_rounds)
    by_points = stage.kind.pairs_by_points
    apart = pairs_apart(facts.event, facts.entries) if by_points else frozenset()
    return replace(stage.state, rounds=stage.state.rounds[:index], apart=apart)


def seated(facts: EventFacts, stage: StageFacts, item: Round) -> tuple[Seated, ...]:
    """Return the matches of a round as the rules change them; no query."""
    numbers = facts.numbers
    return tuple(
        Seated(
            number=match.number,
            a=numbers[match.a_id],
            b=None if match.b_id is None else numbers[match.b_id],
            table=match.table,
            missed=match.missed,
        )
        for match in stage.matches_of(item)
    )


def wishes(facts: EventFacts, before: StageState) -> Wishes:
    """Return what the organiser asked for in pairings; no query."""
    return Wishes(
        apart=before.apart,
        clubs={number: entry.club.strip() for number, entry in facts.entries.items()},
        fixed=fixed_tables(facts),
    )


def fixed_tables(facts: EventFacts) -> dict[PlayerId, int]:
    """Return the table of each player who needs a certain one; no query."""
    return {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}


def points_so_far(before: StageState) -> dict[PlayerId, int]:
    """Return what everybody in a Swiss stage has before a round."""
    return {one.player: one.points for one in entrants(before)}
