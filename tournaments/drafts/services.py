"""Drafts of rounds changed by hand, what a swap costs, and the acts of the log that tell it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from config import transaction
from decks.decklists.selectors import sentence_to_json
from rules.drafts.draft import (
    Draft,
    DraftChange,
    DraftMatch,
    FixedTables,
    check_pairings_editable,
    give_bye,
    move_to_table,
    pair_again,
    pair_players,
    remove_matches,
    swap_players,
)
from rules.drafts.tables import (
    EditCost,
    edit_cost,
    exchange_players,
    give_table_bye,
    move_player,
    reorder_table,
)
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.results import BYE, HALF_BYE, PlayerId
from rules.stages.base import StageState, awarded_byes, forfeit_outcome, has_multiplayer_tables
from rules.stages.swiss import entrants
from rules.stages.tables import TableRanges, parse_table_ranges
from rules.wording import Sentence, gettext_noop
from tournaments.core.acts import Act, CacheEffect, RowUndo
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.formulas import allows_half_byes
from tournaments.core.mapping import seating_cost_json
from tournaments.core.permissions import Actor, can_run_rounds
from tournaments.drafts.selectors import fixed_tables
from tournaments.log.services import begin_act
from tournaments.matches.services import settle_match
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.models.play import build_seats
from tournaments.rounds.selectors.discards import draft_matches, state_before_draft
from tournaments.rounds.services import DRAFTED, check_round_version, find_round, seats_for_log
from tournaments.undo.services import undoable

CHANGED = Act(
    key="round.changed",
    words=_("Pairings changed manually"),
    may=can_run_rounds,
    state="play",
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest:
    """A requested change of a draft.

    ``action``: a key of `draft_actions`; ``players``: numbers; ``matches``: primary keys;
    ``table``: a table number; ``note``: public reason.
    """

    action: str
    players: tuple[int, ...] = ()
    matches: tuple[int, ...] = ()
    table: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContext:
    """A drafted round with the data that changes of it need.

    ``before``: the stage's state without the round; ``draft``: its matches; ``fixed``: {player:
    fixed table}.
    """

    facts: EventFacts
    stage: StageFacts
    round_: Round
    before: StageState
    draft: Draft
    fixed: FixedTables

    @property
    def table_ranges(self) -> TableRanges:
        """Return the tables that the event has."""
        return parse_table_ranges(self.facts.event.tables)

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
            action__in=(DRAFTED.key, CHANGED.key), subject=str(self.round_.ordinal)
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
        return {m.number for m in self.stage.matches_of(self.round_) if m.pk in wanted}


def _swap_players(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return swap_players(drafted.draft, *_require_two(asked.players), fixed=drafted.fixed)


def _let_meet(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    two = _require_two(asked.players)
    return pair_players(drafted.draft, *two, fixed=drafted.fixed, table_ranges=drafted.table_ranges)


def _give_bye(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return give_bye(drafted.draft, _require_one(asked.players))


def _give_half_bye(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    if not allows_half_byes(drafted.facts.event):
        raise RuleError(
            "no_half_byes",
            "Choose one of the options.",
        )
    return give_bye(drafted.draft, _require_one(asked.players), half=True)


def _break_up_match(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    numbers |= {m.number for m in drafted.draft if set(m.seats) & set(asked.players)}
    return remove_matches(drafted.draft, numbers)


def _pair_anew(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    chosen: set[PlayerId] = set(asked.players)
    chosen |= {p for match in drafted.draft if match.number in numbers for p in match.seats}
    there = entrants(drafted.before)
    return pair_again(
        drafted.draft,
        chosen,
        there,
        seed=drafted.seed,
        seen=drafted.earlier_pairings(),
        resting=awarded_byes(drafted.before),
        fixed=drafted.fixed,
        table_ranges=drafted.table_ranges,
    )


def _change_table(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    """Exchange the tables of two matches, or move one match to the requested table."""
    numbers = sorted(drafted.numbers(asked))
    table = asked.table
    if len(numbers) == 2 and table is None:
        other = numbers.pop()
        table = next(m.table for m in drafted.draft if m.number == other)
    if len(numbers) != 1 or table is None:
        raise BadInput("bad_table", "Choose two tables, or one table and its new number.")
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
    return exchange_players(drafted.draft, *_require_two(asked.players), fixed=drafted.fixed)


def _move(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    numbers = drafted.numbers(asked)
    if len(asked.players) != 1 or len(numbers) != 1:
        raise BadInput("choose_one", "Choose one player and one table.")
    number = numbers.pop()
    return move_player(
        drafted.draft, asked.players[0], number, sizes=drafted.sizes, fixed=drafted.fixed
    )


def _rest(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    player = _require_one(asked.players)
    return give_table_bye(drafted.draft, player, sizes=drafted.sizes, fixed=drafted.fixed)


def _order(drafted: DraftContext, asked: ChangeRequest) -> DraftChange:
    return reorder_table(drafted.draft, asked.players)


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


def draft_actions(drafted: DraftContext) -> Mapping[str, Callable[..., DraftChange]]:
    """Return {action: function (context, request) that returns the change}."""
    at_tables = has_multiplayer_tables(drafted.stage.plan) and not drafted.round_.is_extra
    return OF_TABLES if at_tables else ACTS


def _require_one(players: tuple[int, ...]) -> PlayerId:
    if len(players) != 1:
        raise BadInput("choose_one", "Choose one player.")
    return players[0]


def _require_two(players: tuple[int, ...]) -> tuple[PlayerId, PlayerId]:
    if len(players) != 2:
        raise BadInput("choose_two", "Choose two players from different tables.")
    return players[0], players[1]


def store_moved_tables(round_: Round, change: DraftChange) -> None:
    """Store the new tables of matches.

    The old ones are cleared first, as a round has each table once.
    """
    round_.matches.filter(number__in=[match.number for match in change.gone]).update(table=None)
    for match in change.made:
        round_.matches.filter(number=match.number).update(table=match.table)


def replace_matches(drafted: DraftContext, change: DraftChange, note: str) -> None:
    """Delete the matches that a change removes, and create the new ones.

    ``note``: added to the public reason of the new pairings.
    """
    item = drafted.round_
    gone = item.matches.filter(number__in=[match.number for match in change.gone])
    # Deleting a report clears ``decision``, which a final match (bye, forfeit) must have.
    gone.update(state=Match.State.OPEN, decision=None)
    gone.delete()
    (group,) = drafted.stage.groups
    keys = {number: entry.pk for number, entry in drafted.facts.entries.items()}
    for seat in change.made:
        match = Match.objects.create(
            round=item,
            group_id=group.pk,
            number=seat.number,
            table=seat.table,
            best_of=drafted.stage.plan.best_of[0],
            reason=sentence_to_json(_reason(seat, note)) | {"by_hand": True},
        )
        MatchSeat.objects.bulk_create(build_seats(match, [keys[player] for player in seat.seats]))
        _settle_without_play(match, seat, drafted.before)


def _settle_without_play(match: Match, seat: DraftMatch, before: StageState) -> None:
    """Decide a bye, or a match that all but one have left."""
    bye = HALF_BYE if seat.half else BYE
    settled = bye if len(seat.seats) == 1 else forfeit_outcome(seat.seats, before.withdrawn)
    if settled:
        settle_match(match, settled, by=Actor())


AGAIN = (
    gettext_noop("Paired again among selected players: %(reason)s"),
    gettext_noop("Paired again among selected players (%(note)s): %(reason)s"),
)
HALF = (
    gettext_noop("Half-point bye awarded by the organiser."),
    gettext_noop("Half-point bye awarded by the organiser: %(note)s"),
)
ALONE = (
    gettext_noop("Bye awarded by the organiser."),
    gettext_noop("Bye awarded by the organiser: %(note)s"),
)
PAIRED = (
    gettext_noop("Paired manually by the organiser."),
    gettext_noop("Paired manually by the organiser: %(note)s"),
)
"""What is said of a match made by hand, without a note and with one."""


def _reason(seat: DraftMatch, note: str) -> Sentence:
    """Return the public reason for a match made by hand."""
    values: dict[str, object] = {"note": note} if note else {}
    if seat.reason is not None:
        return Sentence(AGAIN[bool(note)], values | {"reason": seat.reason})
    words = HALF if seat.half else ALONE if seat.is_bye else PAIRED
    return Sentence(words[bool(note)], values)


LONGEST_NOTE = 200


@transaction.atomic
def change_draft(
    *, event: Event, ordinal: int, expected: int | None = None, asked: ChangeRequest, by: Actor
) -> Round:
    """Change a drafted round as requested, and return it.

    ``ordinal``: of the round; ``expected``: its version on the page, None: any; ``asked``: the
    request.

    Raises RuleError ``round_gone``, ``round_published``, ``stale``, ``pairings_fixed``,
    ``no_half_byes``, those of `rules.drafts.draft`; BadInput ``bad_change``, ``note_too_long``,
    ``choose_one``, ``choose_two``, ``bad_table``, ``unknown_player``.
    """
    event = begin_act(event, CHANGED, by=by)
    item = find_round(event, ordinal)
    next_state("round", item.state, "change")
    check_round_version(event, ordinal, expected)
    if len(asked.note.strip()) > LONGEST_NOTE:
        raise BadInput(
            "note_too_long",
            "Write at most %(most)s characters.",
            most=LONGEST_NOTE,
        )
    drafted = _draft_context(event, item)
    acts = draft_actions(drafted)
    if asked.action not in acts:
        raise BadInput("bad_change", "Choose one of the options.")
    if asked.action != "table":
        check_pairings_editable(drafted.stage.kind, extra=item.is_extra)
    _check_players(drafted, asked)
    change = acts[asked.action](drafted, asked)
    if change.gone or change.made:
        _store(drafted, change, asked, by=by)
    return item


def swap_cost(*, event: Event, ordinal: int, players: tuple[int, ...]) -> EditCost:
    """Return the cost of swapping two players of a multiplayer draft; stores nothing.

    ``ordinal``: of the round; ``players``: two player numbers. Raises RuleError ``round_gone``,
    ``round_published``, ``nothing_to_swap``; BadInput ``choose_two``, ``unknown_player``, or
    ``bad_change`` for a round of two-player matches.
    """
    item = find_round(event, ordinal)
    next_state("round", item.state, "change")
    drafted = _draft_context(event, item)
    if not has_multiplayer_tables(drafted.stage.plan):
        raise BadInput("bad_change", "Choose one of the options.")
    asked = ChangeRequest(action="swap", players=players)
    _check_players(drafted, asked)
    return edit_cost(drafted.before, draft_actions(drafted)["swap"](drafted, asked), players)


def _draft_context(event: Event, round_: Round) -> DraftContext:
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == round_.stage_id)
    return DraftContext(
        facts=facts,
        stage=stage,
        round_=round_,
        before=state_before_draft(facts, stage, round_),
        draft=draft_matches(facts, stage, round_),
        fixed=fixed_tables(facts),
    )


def _check_players(drafted: DraftContext, asked: ChangeRequest) -> None:
    known = {player for player in drafted.before.players if player not in drafted.before.withdrawn}
    known |= {player for match in drafted.draft for player in match.seats}
    if not known.issuperset(asked.players):
        raise BadInput(
            "unknown_player",
            "Not found. Reload the page.",
        )


def _store(drafted: DraftContext, change: DraftChange, asked: ChangeRequest, *, by: Actor) -> None:
    event, item = drafted.round_.event, drafted.round_
    note = asked.note.strip()
    parts, tables = (change.gone, change.made), (Round, Match, MatchSeat, Report)
    with undoable(event, CHANGED, tables, by=by, subject=str(item.ordinal), reason=note) as act:
        if asked.action == "table":
            store_moved_tables(item, change)
            act.before, act.after = ({"tables": [m.table for m in p]} for p in parts)
        else:
            replace_matches(drafted, change, note)
            act.before, act.after = (
                {"pairings": [seats_for_log(match.seats) for match in part]} for part in parts
            )
            _count_cost(drafted, change)


def _count_cost(drafted: DraftContext, change: DraftChange) -> None:
    """Store what the tables cost after a change, where rounds have a cost."""
    if drafted.round_.cost is None:
        return
    tables = [match.seats for match in drafted.draft if match not in change.gone]
    tables += [match.seats for match in change.made]
    drafted.round_.cost = seating_cost_json(drafted.before, tables, by_rules=False)
    drafted.round_.save(update_fields=["cost"])
