"""A drafted round changed by hand: nobody but the staff has seen it yet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import transaction

from decks.mapping import sentence_to_json
from rules.drafts.acts import break_up, give_bye, let_meet, move_to_table, pair_anew, swap
from rules.drafts.draft import Change, Draft, Fixed, Seated, check_may_be_paired
from rules.errors import BadInput
from rules.lifecycle import after
from rules.results import EndedBy, PlayerId, Winner
from rules.stages.base import StageState, forfeit
from rules.stages.swiss import entrants
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.permissions import Actor, can_run_rounds, require
from tournaments.selectors.drafts import before_draft, fixed_tables, seated
from tournaments.selectors.facts import EventFacts, StageFacts, load_facts
from tournaments.services.draft_checks import check_round_version
from tournaments.services.kept import keep, rows_of
from tournaments.services.log import locked, record
from tournaments.services.matches import settle_match
from tournaments.services.rounds import find_round

LONGEST_NOTE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """What somebody asks for: players by number, matches by key, and why; everybody may read it."""

    action: str
    players: tuple[int, ...] = ()
    matches: tuple[int, ...] = ()
    table: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafted:
    """A draft with what a change of it depends on."""

    facts: EventFacts
    stage: StageFacts
    item: Round
    before: StageState
    draft: Draft
    fixed: Fixed

    @property
    def seed(self) -> str:
        """Return the seed of the round's pairings."""
        return f"{self.before.seed}:{len(self.before.rounds) + 1}"

    def numbers(self, asked: ByHand) -> set[int]:
        """Return the numbers in the round of the matches asked for."""
        wanted = set(asked.matches)
        return {m.number for m in self.stage.matches_of(self.item) if m.pk in wanted}


@transaction.atomic
def change_draft(
    *, event: Event, ordinal: int, expected: int | None = None, asked: ByHand, by: Actor
) -> Round:
    """Change a draft as asked; ``expected`` is the round's version that the page showed.

    Raises RuleError ``round_gone``, ``round_published``, ``stale``, ``pairings_fixed``, those of
    ``rules.drafts.acts``; BadInput ``bad_change``, ``choose_two``, ``unknown_player``.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "play")
    item = find_round(event, ordinal)
    after("round", item.state, "change")
    check_round_version(event, ordinal, expected)
    if asked.action not in ACTS:
        raise BadInput("bad_change", _("There is no such change. Nothing was changed."))
    drafted = _drafted(event, item)
    if asked.action != "table":
        check_may_be_paired(drafted.stage.plan.kind, extra=item.is_extra)
    _check_players(drafted, asked)
    change = ACTS[asked.action](drafted, asked)
    if change.gone or change.made:
        _store(drafted, change, asked, by=by)
    return item


def _drafted(event: Event, item: Round) -> _Drafted:
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == item.stage_id)
    return _Drafted(
        facts=facts,
        stage=stage,
        item=item,
        before=before_draft(facts, stage, item),
        draft=seated(facts, stage, item),
        fixed=fixed_tables(facts),
    )


def _check_players(drafted: _Drafted, asked: ByHand) -> None:
    known = {player for player in drafted.before.players if player not in drafted.before.withdrawn}
    known |= {player for match in drafted.draft for player in match.players}
    if not known.issuperset(asked.players):
        raise BadInput(
            "unknown_player",
            _("This player does not play in this round. Nothing was changed: load the page again."),
        )


def _swap(drafted: _Drafted, asked: ByHand) -> Change:
    return swap(drafted.draft, *_two(asked.players), fixed=drafted.fixed)


def _meet(drafted: _Drafted, asked: ByHand) -> Change:
    return let_meet(drafted.draft, *_two(asked.players), fixed=drafted.fixed)


def _bye(drafted: _Drafted, asked: ByHand) -> Change:
    if len(asked.players) != 1:
        raise BadInput("choose_one", _("Choose one player. Nothing was changed."))
    return give_bye(drafted.draft, asked.players[0])


def _break(drafted: _Drafted, asked: ByHand) -> Change:
    numbers = drafted.numbers(asked)
    numbers |= {m.number for m in drafted.draft if set(m.players) & set(asked.players)}
    return break_up(drafted.draft, numbers)


def _repair(drafted: _Drafted, asked: ByHand) -> Change:
    numbers = drafted.numbers(asked)
    chosen: set[PlayerId] = set(asked.players)
    chosen |= {p for match in drafted.draft if match.number in numbers for p in match.players}
    there = entrants(drafted.before)
    return pair_anew(drafted.draft, chosen, there, seed=drafted.seed, fixed=drafted.fixed)


def _table(drafted: _Drafted, asked: ByHand) -> Change:
    """Two matches change tables, or one goes to the table named."""
    numbers = sorted(drafted.numbers(asked))
    table = asked.table
    if len(numbers) == 2 and table is None:
        other = numbers.pop()
        table = next(m.table for m in drafted.draft if m.number == other)
    if len(numbers) != 1 or table is None:
        raise BadInput(
            "bad_table",
            _("Choose two matches, or one and its new table. Nothing was changed."),
        )
    return move_to_table(drafted.draft, numbers[0], table)


ACTS: Mapping[str, Callable[[_Drafted, ByHand], Change]] = {
    "swap": _swap,
    "meet": _meet,
    "bye": _bye,
    "break": _break,
    "repair": _repair,
    "table": _table,
}
"""What may be asked of a draft."""


def _two(players: tuple[int, ...]) -> tuple[PlayerId, PlayerId]:
    if len(players) != 2:
        raise BadInput("choose_two", _("Choose exactly two players. Nothing was changed."))
    return players[0], players[1]


def _store(drafted: _Drafted, change: Change, asked: ByHand, *, by: Actor) -> None:
    event, item = drafted.item.event, drafted.item
    note = asked.note.strip()[:LONGEST_NOTE]
    rows = rows_of(event, Match, MatchSeat, Report)
    parts = (change.gone, change.made)
    before: Mapping[str, object]
    now: Mapping[str, object]
    if asked.action == "table":
        _move(item, change)
        before, now = ({"tables": [m.table for m in p]} for p in parts)
    else:
        _replace(drafted, change, note)
        before, now = ({"pairings": [[m.a, m.b] for m in p]} for p in parts)
    line = record(
        event,
        "round.changed",
        by=by,
        subject=str(item.ordinal),
        before=before,
        after=now,
        reason=note,
    )
    keep(event, line, rows)


def _move(item: Round, change: Change) -> None:
    """Seat matches at their new tables; no two are at one table on the way."""
    item.matches.filter(number__in=[match.number for match in change.gone]).update(table=None)
    for match in change.made:
        item.matches.filter(number=match.number).update(table=match.table)


def _replace(drafted: _Drafted, change: Change, note: str) -> None:
    """Store new matches in the place of those that go: a match keeps its two players."""
    item = drafted.item
    gone = item.matches.filter(number__in=[match.number for match in change.gone])
    # Byes and forfeits are final; Django lets go of their reports before it deletes the matches.
    gone.update(state=Match.State.OPEN, decision=None)
    gone.delete()
    (group,) = drafted.stage.groups
    keys = {number: entry.pk for number, entry in drafted.facts.entries.items()}
    for seat in change.made:
        match = Match.objects.create(
            round=item,
            group=group,
            number=seat.number,
            table=seat.table,
            a_id=keys[seat.a],
            b_id=None if seat.b is None else keys[seat.b],
            best_of=drafted.stage.plan.best_of[0],
            reason=sentence_to_json(_reason(seat, note)) | {"by_hand": True},
        )
        MatchSeat.objects.bulk_create(
            MatchSeat(round=item, match=match, entry_id=keys[player]) for player in seat.players
        )
        settled = _settled(seat, drafted.before)
        if settled is not None:
            settle_match(match, *settled, by=Actor())


def _settled(seat: Seated, before: StageState) -> tuple[Winner, EndedBy] | None:
    if seat.b is None:
        return Winner.A, EndedBy.BYE
    return forfeit(seat.a, seat.b, before.withdrawn)


def _reason(seat: Seated, note: str) -> Sentence:
    """Return why two meet who were put together by hand; everybody may read it."""
    if seat.reason is not None:
        template = (
            _("Paired again among chosen players (%(note)s): %(reason)s")
            if note
            else _("Paired again among chosen players: %(reason)s")
        )
        values = {"note": note, "reason": seat.reason} if note else {"reason": seat.reason}
        return Sentence(template, values)
    if seat.b is None:
        template = (
            _("Bye given by hand by the organiser: %(note)s")
            if note
            else _("Bye given by hand by the organiser.")
        )
    else:
        template = (
            _("Paired by hand by the organiser: %(note)s")
            if note
            else _("Paired by hand by the organiser.")
        )
    return Sentence(template, {"note": note} if note else {})
