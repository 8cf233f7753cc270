"""Pages of a round at the desk (its draft, publishing, discarding), of the way to the next stage,
and of lots between level players.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_code
from config.web import redirect_with_message, render_page
from config.wording import error_message
from rules.errors import BadInput, RuleError
from tournaments.core.draw_origins import draw_origin
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.labels import existing_round_name, round_label
from tournaments.core.names import attach_name_marks, compute_name_marks, load_name_marks
from tournaments.core.permissions import Actor, can_manage, desk_rights
from tournaments.core.rows import AnyEntry, RoundRow
from tournaments.corrections.selectors.choices import is_draw_correctable, next_seat_replacement
from tournaments.corrections.services.carrying import give_seat_to_next
from tournaments.desk.selectors.closing import closing_effects
from tournaments.desk.selectors.desk import desk_content, next_step
from tournaments.desk.views.desk import desk
from tournaments.drafts.selectors import draft_page, swap_cost_text
from tournaments.drafts.services import ChangeRequest, change_draft, swap_cost
from tournaments.lots.forms import DrawForm, TiebreakerMatchesForm, WitnessedOrderForm
from tournaments.lots.selectors import tiebreaking_draws_context
from tournaments.lots.services import draw_tied_order, record_tied_order
from tournaments.models import Draw, Event, Round
from tournaments.pages.access import EVENT, ROUND, find_staff_event, require_role
from tournaments.pages.views import (
    action_view,
    bad_request_error,
    parse_posted_number,
    require_valid_form,
)
from tournaments.publishers.selectors import publisher_programs
from tournaments.rounds.selectors.desk_rows import round_page
from tournaments.rounds.selectors.discards import DiscardLoss, discard_loss
from tournaments.rounds.services import (
    PUBLISHED,
    close_and_draft,
    discard_round,
    make_extra_round,
    publish_round,
)
from tournaments.screen.selectors import pin_note
from tournaments.stages.selectors import advance_page
from tournaments.stages.services import close_stage, decide_second_leg, reopen_previous_stage
from tournaments.undo.selectors import last_act

LONGEST_LIST = 2_000
PRICE = "price"
"""What the button says that shows the cost of a swap, where no script does."""


def render_round(request: HttpRequest, slug: str, ordinal: int, *, price: str = "") -> HttpResponse:
    """Render the desk's page of a round; a draft has its check list and forms to change it.

    ``price``: text, the cost of a swap of two players if it was requested.
    """
    event, actor = find_staff_event(request, slug)
    facts = read_facts(event, for_staff=True)
    stage, item = _round_or_404(facts, ordinal)
    is_draft = item.state == Round.State.DRAFT
    rights = desk_rights(actor, event)
    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "shown": round_page(facts, stage, item),
        "is_draft": is_draft,
        "timed": stage.plan.timed,
        "pinned": is_draft and _hides_pairings(event),
        "round_name": existing_round_name(stage, item),
        "draft": draft_page(facts, stage, item) if is_draft else None,
        "publication": _publication_line(event, item) if rights.manage and not is_draft else None,
        "chosen": _submitted_values(request),
        "programs": publisher_programs(event),
        "price": price,
    }
    return render_page(request, "tournaments/rounds/round.html", context)


def _hides_pairings(event: Event) -> bool:
    """Return whether the desk has pinned something else on the screen of the hall."""
    if event.screen_view in (Event.ScreenView.AUTOMATIC, Event.ScreenView.NAMES):
        return False
    return not pin_note(read_facts(event))


def _render_after_refusal(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Render the round again after a refusal, or the desk if the round no longer exists."""
    event, _actor = find_staff_event(request, slug)
    if event.rounds.filter(ordinal=ordinal).exists():
        return render_round(request, slug, ordinal)
    return desk(request, slug)


def _round_or_404(facts: EventFacts, ordinal: int) -> tuple[StageFacts, RoundRow]:
    found = facts.round_at(ordinal)
    if found is None:
        raise Http404
    return found


def _publication_line(event: Event, round_: RoundRow) -> int | None:
    """Return the log line of this publication if it is the last act; one query."""
    act = last_act(event)
    if act is None or act.why_not is not None or act.line.action != PUBLISHED.key:
        return None
    return act.line.number if act.line.subject == str(round_.ordinal) else None


def _submitted_values(request: HttpRequest) -> dict[str, Any]:
    """Return the submitted values, with which a refused form is shown again."""
    return {
        "players": set(_numbers_posted(request, "player")),
        "matches": set(_numbers_posted(request, "match")),
        "note": request.POST.get("note", "")[:200],
        "table": request.POST.get("table", "")[:5],
    }


def _numbers_posted(request: HttpRequest, name: str) -> tuple[int, ...]:
    sent = request.POST.getlist(name)[:LONGEST_LIST]
    return tuple(int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 16)


def _all_numbers(request: HttpRequest, name: str) -> tuple[int, ...]:
    """Return the ticked numbers; raises BadInput if one of them is unreadable."""
    found = _numbers_posted(request, name)
    if len(found) != len(request.POST.getlist(name)):
        raise bad_request_error()
    return found


@action_view(_render_after_refusal, "ordinal")
def change_drafted_round(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Change a drafted round by the pressed button and the ticked players and tables."""
    event, actor = find_staff_event(request, slug)
    if request.POST.get("action") == PRICE:
        players = _all_numbers(request, "player")
        price = swap_cost(event=event, ordinal=ordinal, players=players)
        return render_round(request, slug, ordinal, price=swap_cost_text(price))
    asked = ChangeRequest(
        action=request.POST.get("action", ""),
        players=_all_numbers(request, "player"),
        matches=_all_numbers(request, "match"),
        table=parse_posted_number(request, "table") if request.POST.get("table") else None,
        note=request.POST.get("note", "").replace("\x00", ""),
    )
    expected = parse_posted_number(request, "expected")
    change_draft(event=event, ordinal=ordinal, expected=expected, asked=asked, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:desk-round", slug, ordinal)


@action_view(_render_after_refusal, "ordinal")
def publish_drafted_round(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Publish a drafted round."""
    event, actor = find_staff_event(request, slug)
    seen = parse_posted_number(request, "expected") if request.POST.get("expected") else None
    publish_round(event=event, ordinal=ordinal, expected=seen, by=actor)
    stage, item = _round_or_404(read_facts(event, for_staff=True), ordinal)
    words = _("Published: %(round)s.") % {"round": round_label(stage, item)}
    return redirect_with_message(request, words, "tournaments:desk", slug)


def confirm_discard_round(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Show what discarding a round deletes; discard the round once its name is typed."""
    event, actor = find_staff_event(request, slug)
    require_role(can_manage, actor, event)
    stage, item = _round_or_404(read_facts(event, for_staff=True), ordinal)
    error, status = None, 200
    if request.method == "POST":
        typed = request.POST.get("confirm", "")
        try:
            discard_round(event=event, ordinal=ordinal, confirm=typed, by=actor)
        except RuleError as refused:
            error, status = error_message(refused), status_code(refused)
        else:
            words = _("Round discarded. You can undo this in the log.")
            return redirect_with_message(request, words, "tournaments:desk", slug)
    facts = read_facts(event, for_staff=True)
    loss: DiscardLoss = discard_loss(facts, stage, item)
    context = {"event": event, "actor": actor, "loss": loss, "error": error}
    return render_page(request, "tournaments/rounds/discard.html", context, status=status)


def preview_advancement(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who advances where when the open stage closes."""
    event, actor = find_staff_event(request, slug)
    rights, facts = desk_rights(actor, event), read_facts(event, for_staff=True)
    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "advance": advance_page(facts),
        "closing": closing_effects(facts),
        "desk": desk_content(facts, rights),
        "in_line": next_seat_replacement(facts),
    }
    return render_page(request, "tournaments/stages/advance.html", context)


@action_view(preview_advancement)
def close_and_advance(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the open stage, seat the next one, and draft its first round if requested.

    POST ``standings`` or ``lists`` = ``held``: withhold the standings of the closed stage, or the
    decklists of the next one.
    """
    event, actor = find_staff_event(request, slug)
    expected = parse_posted_number(request, "expected_stage")
    hold, lists_held = (request.POST.get(name) == "held" for name in ("standings", "lists"))
    drafted = None
    if "expected_round" in request.POST:
        following, drafted = close_and_draft(
            event=event,
            expected_stage=expected,
            expected_round=parse_posted_number(request, "expected_round"),
            by=actor,
            hold=hold,
            lists_held=lists_held,
        )
    else:
        following = close_stage(
            event=event, expected_stage=expected, by=actor, hold=hold, lists_held=lists_held
        )
    messages.success(request, _("The last stage is closed.") if following is None else _("Saved."))
    if drafted is not None:
        return redirect("tournaments:desk-round", slug, drafted.ordinal)
    return redirect("tournaments:desk", slug)


@action_view(desk)
def add_second_leg(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a second leg to the open round-robin stage."""
    event, actor = find_staff_event(request, slug)
    decide_second_leg(
        event=event, expected_stage=parse_posted_number(request, "expected_stage"), by=actor
    )
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


@action_view(desk)
def undo_advance(request: HttpRequest, slug: str) -> HttpResponse:
    """Reopen the stage that closed last."""
    event, actor = find_staff_event(request, slug)
    reopen_previous_stage(
        event=event, expected_stage=parse_posted_number(request, "expected_stage"), by=actor
    )
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


@action_view(desk)
def give_vacant_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a dropped player's earned seat to the next in line."""
    event, actor = find_staff_event(request, slug)
    entry = get_object_or_404(event.entries, number=parse_posted_number(request, "number"))
    shown = request.POST.get("shown", "")
    reason = _("%(name)s dropped after qualifying") % {"name": entry.name}
    give_seat_to_next(entry=entry, reason=reason, shown=shown, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


def random_draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show tied players, what depends on their order, and past random draws."""
    event, actor = find_staff_event(request, slug)
    return _lots_page(request, event, actor)


def _lots_page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    refused: WitnessedOrderForm | None = None,
    status: int = 200,
    *,
    extra: TiebreakerMatchesForm | None = None,
) -> HttpResponse:
    """Render the tied players, with a refused form in its place.

    ``refused`` is an order by hand, ``extra`` the form of a joint round of tiebreaker matches.
    """
    facts = read_facts(event, for_staff=True)
    shown, rights = tiebreaking_draws_context(facts), desk_rights(actor, event)
    undecided = any(tied.decides for tied in shown["sets"])

    def hand(players: tuple[AnyEntry, ...]) -> WitnessedOrderForm:
        again = refused is not None and _numbers(refused.players) == _numbers(players)
        return refused if refused is not None and again else WitnessedOrderForm(players=players)

    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "step": None if undecided else next_step(facts, facts.open_stage, rights),
        "lots": shown,
        "by_hand": [
            (draw, [facts.entries[player] for player in draw.order])
            for draw in facts.draws
            if is_draw_correctable(facts, draw)
        ],
        "sets": [(tied, hand(tied.players)) for tied in shown["sets"]],
        "shared": [(tied, hand(tied.players)) for tied in shown["shared"]],
        "together": [
            (tied, extra.marks(tied.numbers) if extra else tied.decides)
            for tied in shown["together"]
        ],
    }
    return render_page(request, "tournaments/lots/lots.html", context, status=status)


def _has_form_of(event: Event, form: WitnessedOrderForm) -> bool:
    shown = tiebreaking_draws_context(read_facts(event, for_staff=True))
    level = [tied.players for tied in shown["sets"]] + [tied.players for tied in shown["shared"]]
    return _numbers(form.players) in map(_numbers, level)


def _numbers(players: Iterable[AnyEntry]) -> set[int]:
    return {entry.number for entry in players}


def _draw_in_words(event: Event, draw: Draw) -> str:
    """Return the decision and the origin of a draw, in words; four queries."""
    entries = event.entries.all()
    attach_name_marks(entries, compute_name_marks(entries))
    names = {entry.number: entry.display_name for entry in entries}
    order = ", ".join(f"{rank}. {names[number]}" for rank, number in enumerate(draw.order, 1))
    label = _("Random draw %(number)s") % {"number": draw.number}
    return f"{label}: {order}. {draw_origin(draw).words}"


@action_view(random_draws)
def make_random_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a random draw between tied players from the seed announced on the page."""
    event, actor = find_staff_event(request, slug)
    form = require_valid_form(DrawForm(request.POST))
    values = form.cleaned_data
    draw = draw_tied_order(event=event, tied=values["tied"], seed=values["seed"], by=actor)
    return redirect_with_message(request, _draw_in_words(event, draw), "tournaments:lots", slug)


@action_view(random_draws)
def record_hand_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Record the result of a random draw made by hand."""
    event, actor = find_staff_event(request, slug)
    tied = require_valid_form(DrawForm(request.POST)).cleaned_data["tied"]
    entries = event.entries.filter(number__in=tied)
    players = {entry.number: entry for entry in attach_name_marks(entries, load_name_marks(event))}
    form = WitnessedOrderForm(request.POST, players=[players[n] for n in tied if n in players])
    if not form.is_valid():
        if not _has_form_of(event, form):
            require_valid_form(form)
        return _lots_page(request, event, actor, form, 400)
    values = form.cleaned_data
    try:
        draw = record_tied_order(
            event=event,
            order=form.order(),
            witnesses=values["witnesses"],
            note=values["note"],
            by=actor,
        )
    except BadInput as error:
        form.add_error("witnesses", error_message(error))
        return _lots_page(request, event, actor, form, status_code(error))
    return redirect_with_message(request, _draw_in_words(event, draw), "tournaments:lots", slug)


@action_view(random_draws)
def draft_tiebreaker_matches(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft a round of tiebreaker matches between tied players."""
    event, actor = find_staff_event(request, slug)
    form = TiebreakerMatchesForm(request.POST)
    try:
        values = require_valid_form(form).cleaned_data
        item = make_extra_round(
            event=event, sets=values["tied"], expected_round=values["expected_round"], by=actor
        )
    except RuleError as error:
        if "together" not in request.POST:
            raise
        messages.error(request, error_message(error))
        return _lots_page(request, event, actor, status=status_code(error), extra=form)
    return redirect("tournaments:desk-round", slug, item.ordinal)


urlpatterns = [
    path(ROUND, require_safe(render_round), name="desk-round"),
    path(f"{ROUND}change/", change_drafted_round, name="desk-change"),
    path(f"{ROUND}publish/", publish_drafted_round, name="desk-publish"),
    path(f"{ROUND}discard/", confirm_discard_round, name="desk-discard"),
    path(f"{EVENT}advance/", preview_advancement, name="advance"),
    path(f"{EVENT}advance/close/", close_and_advance, name="advance-close"),
    path(f"{EVENT}advance/undo/", undo_advance, name="advance-undo"),
    path(f"{EVENT}advance/next-in-line/", give_vacant_seat, name="next-in-line"),
    path(f"{EVENT}advance/second-leg/", add_second_leg, name="second-leg"),
    path(f"{EVENT}lots/", random_draws, name="lots"),
    path(f"{EVENT}lots/draw/", make_random_draw, name="lots-draw"),
    path(f"{EVENT}lots/by-hand/", record_hand_draw, name="lots-hand"),
    path(f"{EVENT}lots/extra-match/", draft_tiebreaker_matches, name="lots-extra"),
]
