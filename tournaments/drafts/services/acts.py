"""The acts by which a draft may be changed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.drafts.acts import break_up, give_bye, let_meet, move_to_table, pair_anew, swap
from rules.drafts.draft import Draft, DraftChange, Fixed
from rules.drafts.tables import exchange, move, reorder, rest_player
from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.byes import awarded_byes
from rules.stages.kind import is_of_tables
from rules.stages.swiss import entrants
from rules.stages.table_ranges import TableRanges, table_ranges
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.worth import has_half_byes
from tournaments.drafts.acts import CHANGED
from tournaments.models import Round
from tournaments.rounds.acts import DRAFTED


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest:
    """A requested change: players by number, matches by primary key, and a public note."""

    action: str
    players: tuple[int, ...] = ()
    matches: tuple[int, ...] = ()
    table: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContext:
    """A draft with everything that a change of it depends on."""

    facts: EventFacts
    stage: StageFacts
    item: Round
    before: StageState
    draft: Draft
    fixed: Fixed

    @property
    def hall(self) -> TableRanges:
        """Return the tables that the event has."""
        return table_ranges(self.facts.event.tables)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the sizes that tables of this stage may have."""
        return self.stage.kind.sizes_of(self.stage.plan)

    @property
    def seed(self) -> str:
        """Return the seed of the round's pairings."""
        return f"{self.before.seed}:{len(self.before.rounds) + 1}"

    def earlier_pairings(self) -> set[frozenset[frozenset[PlayerId]]]:
        """Return the sets of pairs that changes of the draft replaced, from the log; one query."""
        lines = self.facts.event.log.filter(
            action__in=(DRAFTED.key, CHANGED.key), subject=str(self.item.ordinal)
        )
        found: set[frozenset[frozenset[PlayerId]]] = set()
        for action, before in lines.order_by("number").values_list("action", "before"):
            if action == DRAFTED.key:
                found.clear()
            pairs = before.get("pairings", ())
            found.add(frozenset(frozenset(pair) - {None} for pair in pairs))
        return found

    def numbers(self, asked: ChangeRequest) -> set[int]:
        """Return the numbers, in the round, of the requested matches."""
        wanted = set(asked.matches)
        return {m.number for m in self.stage.matches_of(self.item) if m.pk in wanted}


def _swap_players(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return swap(drafted.draft, *_require_two(asked.players), fixed=drafted.fixed)


def _let_meet(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    two = _require_two(asked.players)
    return let_meet(drafted.draft, *two, fixed=drafted.fixed, hall=drafted.hall)


def _give_bye(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return give_bye(drafted.draft, _require_one(asked.players))


def _give_half_bye(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    if not has_half_byes(drafted.facts.event):
        raise RuleError(
            "no_half_byes",
            "Half byes are given only where matches are of two and points have halves. Nothing "
            "was changed.",
        )
    return give_bye(drafted.draft, _require_one(asked.players), half=True)


def _break_up_match(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    numbers |= {m.number for m in drafted.draft if set(m.seats) & set(asked.players)}
    return break_up(drafted.draft, numbers)


def _pair_anew(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    chosen: set[PlayerId] = set(asked.players)
    chosen |= {p for match in drafted.draft if match.number in numbers for p in match.seats}
    there = entrants(drafted.before)
    return pair_anew(
        drafted.draft,
        chosen,
        there,
        seed=drafted.seed,
        seen=drafted.earlier_pairings(),
        resting=awarded_byes(drafted.before),
        fixed=drafted.fixed,
        hall=drafted.hall,
    )


def _change_table(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    """Exchange the tables of two matches, or move one match to the requested table."""
    numbers = sorted(drafted.numbers(asked))
    table = asked.table
    if len(numbers) == 2 and table is None:
        other = numbers.pop()
        table = next(m.table for m in drafted.draft if m.number == other)
    if len(numbers) != 1 or table is None:
        raise BadInput(
            "bad_table", "Choose two matches, or one and its new table. Nothing was changed."
        )
    return move_to_table(drafted.draft, numbers[0], table)


ACTS: Mapping[str, Callable[[DraftContext, ChangeRequest], DraftChange]] = {
    "swap": _swap_players,
    "meet": _let_meet,
    "bye": _give_bye,
    "half_bye": _give_half_bye,
    "break": _break_up_match,
    "repair": _pair_anew,
    "table": _change_table,
}
"""The acts by their name in forms and in the API."""


def _exchange(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return exchange(drafted.draft, *_require_two(asked.players), fixed=drafted.fixed)


def _move(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    if len(asked.players) != 1 or len(numbers) != 1:
        raise BadInput(
            "choose_one", "Choose one player and one table to move to. Nothing was changed."
        )
    number = numbers.pop()
    return move(drafted.draft, asked.players[0], number, sizes=drafted.sizes, fixed=drafted.fixed)


def _rest(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    player = _require_one(asked.players)
    return rest_player(drafted.draft, player, sizes=drafted.sizes, fixed=drafted.fixed)


def _order(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return reorder(drafted.draft, asked.players)


OF_TABLES: Mapping[str, Callable[[DraftContext, ChangeRequest], DraftChange]] = {
    "swap": _exchange,
    "move": _move,
    "bye": _rest,
    "half_bye": _give_half_bye,
    "order": _order,
    "break": _break_up_match,
    "table": _change_table,
}
"""The acts where rounds are of tables of three and more."""


def acts_for(drafted: DraftContext) -> Mapping[str, Callable[..., DraftChange]]:
    """Return the acts by which this draft may be changed, by name."""
    at_tables = is_of_tables(drafted.stage.plan) and not drafted.item.is_extra
    return OF_TABLES if at_tables else ACTS


def _require_one(players: tuple[int, ...]) -> PlayerId:
    if len(players) != 1:
        raise BadInput("choose_one", "Choose one player. Nothing was changed.")
    return players[0]


def _require_two(players: tuple[int, ...]) -> tuple[PlayerId, PlayerId]:
    if len(players) != 2:
        raise BadInput("choose_two", "Choose exactly two players. Nothing was changed.")
    return players[0], players[1]
