"""A drafted round changed by hand: nobody but the staff has seen it yet."""

from config import transaction
from rules.drafts.draft import Change, check_may_be_paired
from rules.errors import BadInput
from rules.events.lifecycle import after
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_run_rounds, require
from tournaments.log.services import locked
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.selectors.drafts import before_draft, fixed_tables, seated
from tournaments.services.draft_acts import ACTS, ByHand, Drafted
from tournaments.services.draft_checks import check_round_version
from tournaments.services.draft_matches import move_matches, replace_matches
from tournaments.services.kept import undoable
from tournaments.services.rounds import find_round

LONGEST_NOTE = 200


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
    if len(asked.note.strip()) > LONGEST_NOTE:
        raise BadInput(
            "note_too_long",
            _("A note has at most %(most)s characters. Nothing was changed: shorten it."),
            most=LONGEST_NOTE,
        )
    drafted = _drafted(event, item)
    if asked.action != "table":
        check_may_be_paired(drafted.stage.kind, extra=item.is_extra)
    _check_players(drafted, asked)
    change = ACTS[asked.action](drafted, asked)
    if change.gone or change.made:
        _store(drafted, change, asked, by=by)
    return item


def _drafted(event: Event, item: Round) -> Drafted:
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == item.stage_id)
    return Drafted(
        facts=facts,
        stage=stage,
        item=item,
        before=before_draft(facts, stage, item),
        draft=seated(facts, stage, item),
        fixed=fixed_tables(facts),
    )


def _check_players(drafted: Drafted, asked: ByHand) -> None:
    known = {player for player in drafted.before.players if player not in drafted.before.withdrawn}
    known |= {player for match in drafted.draft for player in match.players}
    if not known.issuperset(asked.players):
        raise BadInput(
            "unknown_player",
            _("This player does not play in this round. Nothing was changed: load the page again."),
        )


def _store(drafted: Drafted, change: Change, asked: ByHand, *, by: Actor) -> None:
    event, item = drafted.item.event, drafted.item
    note = asked.note.strip()
    parts, tables = (change.gone, change.made), (Match, MatchSeat, Report)
    with undoable(
        event, "round.changed", tables, by=by, subject=str(item.ordinal), reason=note
    ) as act:
        if asked.action == "table":
            move_matches(item, change)
            act.before, act.after = ({"tables": [m.table for m in p]} for p in parts)
        else:
            replace_matches(drafted, change, note)
            act.before, act.after = ({"pairings": [[m.a, m.b] for m in p]} for p in parts)
