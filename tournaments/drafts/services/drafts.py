"""Change a drafted round by hand, before anybody but the staff can see it."""

from config import transaction
from decks.decklists.mapping import sentence_to_json
from rules.drafts.draft import DraftChange, DraftMatch, check_may_be_paired
from rules.drafts.tables import Price, price_of
from rules.errors import BadInput
from rules.events.lifecycle import next_state
from rules.results import BYE, HALF_BYE
from rules.stages.base import StageState, forfeit
from rules.stages.kind import is_of_tables
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.table_costs import cost_of_tables
from tournaments.drafts.acts import CHANGED
from tournaments.drafts.selectors import fixed_tables
from tournaments.drafts.services.acts import ChangeRequest, DraftContext, acts_for
from tournaments.log.services import begin
from tournaments.matches.services import settle_match
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.models.match import seats_for
from tournaments.rounds.pairings import seats_for_log
from tournaments.rounds.selectors.drafted import before_draft, seated
from tournaments.rounds.services import check_round_version, find_round
from tournaments.undo.services.row_diff import undoable


def move_matches(item: Round, change: DraftChange) -> None:
    """Store new tables of matches, after clearing the old ones, as tables are unique."""
    item.matches.filter(number__in=[match.number for match in change.gone]).update(table=None)
    for match in change.made:
        item.matches.filter(number=match.number).update(table=match.table)


def replace_matches(drafted: DraftContext, change: DraftChange, note: str) -> None:
    """Delete the matches that a change removes, and create those that it makes."""
    item = drafted.item
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
        MatchSeat.objects.bulk_create(seats_for(match, [keys[player] for player in seat.seats]))
        _settle_without_play(match, seat, drafted.before)


def _settle_without_play(match: Match, seat: DraftMatch, before: StageState) -> None:
    """Decide a bye, or a match that all but one have left."""
    bye = HALF_BYE if seat.half else BYE
    settled = bye if len(seat.seats) == 1 else forfeit(seat.seats, before.withdrawn)
    if settled:
        settle_match(match, settled, by=Actor())


def _reason(seat: DraftMatch, note: str) -> Sentence:
    """Return the public reason for a match made by hand."""
    if seat.reason is not None:
        template = (
            _("Paired again among chosen players (%(note)s): %(reason)s")
            if note
            else _("Paired again among chosen players: %(reason)s")
        )
        values = {"note": note, "reason": seat.reason} if note else {"reason": seat.reason}
        return Sentence(template, values)
    if seat.half:
        template = (
            _("Half a bye given by hand by the organiser: %(note)s")
            if note
            else _("Half a bye given by hand by the organiser.")
        )
    elif seat.is_bye:
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


LONGEST_NOTE = 200


@transaction.atomic
def change_draft(
    *, event: Event, ordinal: int, expected: int | None = None, asked: ChangeRequest, by: Actor
) -> Round:
    """Change a draft as requested and return its round.

    ``expected`` is the round version that the page showed.

    Raises RuleError ``round_gone``, ``round_published``, ``stale``, ``pairings_fixed``,
    ``no_half_byes``, those of `rules.drafts.acts`; BadInput ``bad_change``, ``note_too_long``,
    ``choose_one``, ``choose_two``, ``bad_table``, ``unknown_player``.
    """
    event = begin(event, CHANGED, by=by)
    item = find_round(event, ordinal)
    next_state("round", item.state, "change")
    check_round_version(event, ordinal, expected)
    if len(asked.note.strip()) > LONGEST_NOTE:
        raise BadInput(
            "note_too_long",
            "A note has at most %(most)s characters. Nothing was changed: shorten it.",
            most=LONGEST_NOTE,
        )
    drafted = _draft_context(event, item)
    acts = acts_for(drafted)
    if asked.action not in acts:
        raise BadInput("bad_change", "There is no such change. Nothing was changed.")
    if asked.action != "table":
        check_may_be_paired(drafted.stage.kind, extra=item.is_extra)
    _check_players(drafted, asked)
    change = acts[asked.action](drafted, asked)
    if change.gone or change.made:
        _store(drafted, change, asked, by=by)
    return item


def price_of_swap(*, event: Event, ordinal: int, players: tuple[int, ...]) -> Price:
    """Return what it would cost that two players of a draft of tables change seats; stores nothing.

    Raises RuleError ``round_gone``, ``round_published``, ``nothing_to_swap``; BadInput
    ``bad_change`` where two meet, ``choose_two``, ``unknown_player``.
    """
    item = find_round(event, ordinal)
    next_state("round", item.state, "change")
    drafted = _draft_context(event, item)
    if not is_of_tables(drafted.stage.plan):
        raise BadInput("bad_change", "There is no such change. Nothing was changed.")
    asked = ChangeRequest(action="swap", players=players)
    _check_players(drafted, asked)
    return price_of(drafted.before, acts_for(drafted)["swap"](drafted, asked), players)


def _draft_context(event: Event, item: Round) -> DraftContext:
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == item.stage_id)
    return DraftContext(
        facts=facts,
        stage=stage,
        item=item,
        before=before_draft(facts, stage, item),
        draft=seated(facts, stage, item),
        fixed=fixed_tables(facts),
    )


def _check_players(drafted: DraftContext, asked: ChangeRequest) -> None:
    known = {player for player in drafted.before.players if player not in drafted.before.withdrawn}
    known |= {player for match in drafted.draft for player in match.seats}
    if not known.issuperset(asked.players):
        raise BadInput(
            "unknown_player",
            "This player does not play in this round. Nothing was changed: load the page again.",
        )


def _store(drafted: DraftContext, change: DraftChange, asked: ChangeRequest, *, by: Actor) -> None:
    event, item = drafted.item.event, drafted.item
    note = asked.note.strip()
    parts, tables = (change.gone, change.made), (Round, Match, MatchSeat, Report)
    with undoable(event, CHANGED, tables, by=by, subject=str(item.ordinal), reason=note) as act:
        if asked.action == "table":
            move_matches(item, change)
            act.before, act.after = ({"tables": [m.table for m in p]} for p in parts)
        else:
            replace_matches(drafted, change, note)
            act.before, act.after = (
                {"pairings": [seats_for_log(match.seats) for match in part]} for part in parts
            )
            _count_cost(drafted, change)


def _count_cost(drafted: DraftContext, change: DraftChange) -> None:
    """Store what the tables cost after a change, where rounds have a cost."""
    if drafted.item.cost is None:
        return
    tables = [match.seats for match in drafted.draft if match not in change.gone]
    tables += [match.seats for match in change.made]
    drafted.item.cost = cost_of_tables(drafted.before, tables, by_rules=False)
    drafted.item.save(update_fields=["cost"])
