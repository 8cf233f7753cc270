"""Start an event: close registration, fix its rules, open the first stage."""

from collections.abc import Collection

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from decks.cards.services import pin_catalogue_version
from decks.house_formats.services import pin_format_version
from decks.models import CatalogueVersion
from rules.errors import RuleError
from rules.plans import start_places
from rules.stages import stage_kind
from rules.stages.base import SEEDED
from tournaments.core.acts import Act, CacheEffect, RowUndo
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import build_plan
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.permissions import Actor, can_manage
from tournaments.decklists.selectors.rules import event_card_catalogue, event_rules_without_cards
from tournaments.log.services import check_allowed, lock_event
from tournaments.lots.services import draw_start_order, seeded_entrants
from tournaments.models import DeckSubmission, Draw, Event, Round, Stage
from tournaments.rounds.services import draft_round
from tournaments.stages.services import open_stage
from tournaments.starting.selectors import decklist_faults, latest_start_draw
from tournaments.undo.services import undoable

STARTED = Act(
    key="event.start",
    words=_("Event started"),
    may=can_manage,
    state="start",
    undo=RowUndo(),
    shows=CacheEffect.ADDS,
    ask_undo=_("Undo the start? This removes seats and stages and hides published decklists."),
)


@transaction.atomic
def start_event(
    *,
    event: Event,
    draw_number: int,
    override: str = "",
    seen: Collection[int] | None = None,
    by: Actor,
) -> Stage:
    """Start the event with the order of a random draw, and return the first stage.

    Registration closes, decklists are locked. ``draw_number``: of the draw. ``override``: reason
    for starting despite missing or illegal decklists; only of the players whose numbers are in
    ``seen``, None: of all. Raises RuleError ``draw_outdated``, ``decklists_not_ready``; BadInput
    ``too_few_players``.
    """
    event = lock_event(event)
    state = check_allowed(event, STARTED, by=by)
    event.format_version = pin_format_version(event.format)
    event.catalogue_version = _cards_to_begin_with(event)
    draw = _usable_draw(event, draw_number)
    overridden = _check_decklists(event, override, seen)
    rules = event_rules_without_cards(event)
    event.card_lists, event.lists_dated = rules.card_lists, rules.lists_dated
    plan = build_plan(event, len(draw.order))
    if stage_kind(plan.stages[0]).honours_byes:
        plan = plan.with_byes(dict(event.entries.playing().values_list("number", "byes")))
    if stage_kind(plan.stages[0]).has_setting(SEEDED.key) and any(
        seed is not None for _number, seed in draw.entrants
    ):
        plan = plan.with_first(SEEDED.key, True)
    with undoable(
        event,
        STARTED,
        by=by,
        before={"state": event.state},
        after={"state": state, "draw": draw.number, "players": len(draw.order)}
        | ({"override": overridden} if overridden else {}),
        reason=override if overridden else "",
    ):
        now = timezone.now()
        event.plan, event.state, event.started_at = plan.to_json(), state, now
        event.save()
        Stage.objects.bulk_create(
            Stage(event=event, number=number, key=item.key, kind=item.kind, legs=item.legs)
            for number, item in enumerate(plan.stages, start=1)
        )
        DeckSubmission.objects.filter(current_of__event=event).update(locked_at=now)
        places = dict(zip(start_places(len(draw.order)), draw.order, strict=True))
        return open_stage(event, 1, plan.stages[0], places, origins={})


@transaction.atomic
def start_and_pair(
    *,
    event: Event,
    draw_number: int | None = None,
    override: str = "",
    seen: Collection[int] | None = None,
    by: Actor,
) -> Round | None:
    """Start the event, draft its first round and return that round.

    None if there is nobody to pair, or rounds are paired elsewhere. Without ``draw_number`` the
    latest random draw is used if it fits the players, else one is made now. Raises as
    ``start_event`` and ``draw_start_order``.
    """
    event = lock_event(event)
    check_allowed(event, STARTED, by=by)
    if draw_number is None:
        draw = find_fitting_draw(event) or draw_start_order(event=event, by=by)
        draw_number = draw.number
    start_event(event=event, draw_number=draw_number, override=override, seen=seen, by=by)
    event = Event.objects.get(pk=event.pk)
    current = load_facts(event).open_stage
    if current is None or not current.kind.next_round(current.state):
        return None
    if event.paired_elsewhere and current.kind.pairs_by_points:
        return None
    return draft_round(event=event, expected_round=1, by=by)


def _cards_to_begin_with(event: Event) -> CatalogueVersion | None:
    """Return the version of the cards of today; None where no lists are checked by any."""
    if event.decklists == Event.Decklists.OFF or event.without_catalogue:
        return None
    cards = event_card_catalogue(event)
    return pin_catalogue_version(None if cards is None else cards.pk)


def find_fitting_draw(event: Event) -> Draw | None:
    """Return the latest draw of the starting order if it fits the present players, or None."""
    draw = latest_start_draw(event)
    entrants = [list(pair) for pair in seeded_entrants(event)]
    return draw if draw is not None and draw.entrants == entrants else None


def _usable_draw(event: Event, number: int) -> Draw:
    draw = find_fitting_draw(event)
    if draw is None or draw.number != number:
        raise RuleError(
            "draw_outdated",
            "The players have changed. Repeat the random draw.",
        )
    return draw


def _check_decklists(event: Event, override: str, seen: Collection[int] | None) -> list[str]:
    """Return the names of players with overridden decklist faults.

    Raises RuleError ``decklists_not_ready`` for faults that are not overridden.
    """
    faults = [fault.entry for fault in decklist_faults(event)]
    attach_name_marks(faults, load_name_marks(event) if faults else {})
    if faults and not override.strip():
        raise RuleError(
            "decklists_not_ready",
            "Missing or illegal decklists: %(names)s. Fix them, or give a reason to start anyway.",
            names=tuple(entry.display_name for entry in faults),
        )
    unseen = [one for one in faults if seen is not None and one.number not in seen]
    if unseen:
        raise RuleError(
            "decklists_not_ready",
            "Missing or illegal decklists: %(names)s. Fix them, or give a reason to start anyway.",
            names=tuple(entry.display_name for entry in unseen),
        )
    return [entry.name for entry in faults]
