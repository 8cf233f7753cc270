"""Pages of corrections that begin elsewhere than at a result."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.web import redirect_with_message, render_page
from config.wording import add_rule_error, translate
from rules.errors import BadInput
from rules.events.lifecycle import is_allowed
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, can_rule
from tournaments.corrections.acts import LEFT_IN, SEEDS_CORRECTED, TAKEN_BACK
from tournaments.corrections.forms import (
    STORED,
    ByeForm,
    ConfirmCorrectionForm,
    CorrectionHeader,
    ReplacementForm,
    SeedCorrectionForm,
    correction_response,
    store_if_valid,
)
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    Correction,
    DisplayNames,
    draw_correction,
    is_draw_correctable,
    replayable_match_keys,
    seat_loss_correction,
)
from tournaments.corrections.selectors.page import correction_options_context, removal_page
from tournaments.corrections.selectors.seat import (
    bye_candidate_entries,
    bye_change_refusal,
    bye_correction,
    exchange_warnings,
    seat_correction_context,
)
from tournaments.corrections.selectors.start import (
    player_correction,
    replacement_candidates,
    seeds_correction,
    starting_draw,
    starting_order,
)
from tournaments.corrections.services.carrying import (
    correct_random_draw,
    correct_seeds,
    give_seat_to_next,
    move_bye,
)
from tournaments.corrections.services.results import correct_player, find_replacement
from tournaments.lots.forms import DrawnOrderForm
from tournaments.models import Draw
from tournaments.pages.access import (
    EVENT,
    MATCH,
    PLAYER,
    PLAYERS,
    find_organiser_event,
    find_staff_event,
    require_role,
)
from tournaments.pages.views import find_staff_match
from tournaments.players.selectors.returns import has_seat


def random_draw_correction(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show and store the correction of a random draw made by hand.

    Three pages: the order, its effects, the chosen option.
    """
    event, actor = find_staff_event(request, slug)
    require_role(can_rule, actor, event)
    facts = read_facts(event, for_staff=True)
    draw = next((each for each in facts.draws if each.number == number), None)
    if draw is None or draw.kind != Draw.Kind.LOTS:
        raise Http404
    if not is_allowed("event", event.state, "draw_lots") or not is_draw_correctable(facts, draw):
        messages.warning(request, _("This is no longer possible. Reload the page."))
        return redirect("tournaments:lots", slug)
    places = {f"place_{player}": at for at, player in enumerate(draw.order, start=1)}
    sent = request.POST if request.method == "POST" else None
    players = [facts.entries[player] for player in draw.order]
    form = DrawnOrderForm(sent, players=players, initial=places)
    label = next(s.plan.label for s in facts.stages if s.stage.pk == draw.stage_id)
    where = " · ".join([translate(label), _("Random draw %(number)s") % {"number": draw.number}])
    if sent is not None and form.is_valid() and "change" not in sent:
        order, entries = form.order(), facts.entries

        def told(players: Sequence[PlayerId]) -> str:
            names = (entries[player].display_name for player in players)
            return ", ".join(f"{rank}. {name}" for rank, name in enumerate(names, start=1))

        try:
            shown = correction_response(
                request,
                event=event,
                actor=actor,
                foretell=lambda facts, void: draw_correction(facts, draw, order, void),
                store=partial(
                    correct_random_draw, event=event, number=number, order=order, by=actor
                ),
                usual_reason=str(TAKEN_BACK.words),
                head=CorrectionHeader(
                    after=told(order),
                    where=where,
                    before=told(draw.order),
                ),
                correct=_("Correct the random draw"),
                sent=[(name, value) for name in form.fields for value in sent.getlist(name)],
            )
        except BadInput as error:
            add_rule_error(form, error)
        else:
            return shown or redirect_with_message(request, _("Saved."), "tournaments:lots", slug)
    context = {"event": event, "actor": actor, "form": form, "where": where}
    status = 400 if form.errors else 200
    return render_page(request, "tournaments/corrections/order.html", context, status=status)


def player_removal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show and store the removal or replacement of a player who should not have taken part."""
    event, actor = find_staff_event(request, slug)
    require_role(can_rule, actor, event)
    facts = read_facts(event, for_staff=True)
    if number not in facts.entries:
        raise Http404
    back = reverse("tournaments:manage-player", args=[slug, number])
    if not has_seat(facts, number) or not is_allowed("event", event.state, "play"):
        messages.warning(request, _("This player has no seat in the current stage."))
        return redirect(back)
    posted = request.method == "POST"
    instead = ReplacementForm(
        request.POST if posted else request.GET or None, players=replacement_candidates(facts)
    )
    comes, name = None, ""
    if instead.is_bound and instead.is_valid():
        comes, name = instead.cleaned_data["comes"], instead.cleaned_data["name"]

    def foretell(facts: EventFacts, void: Collection[int] = ()) -> Correction:
        return player_correction(facts, number, find_replacement(facts, comes, name), void)

    found = foretell(facts)
    asked = ConfirmCorrectionForm(request.POST if posted else None, found=found)
    confirm, status = ConfirmCorrectionForm(found=found), 400 if instead.errors else 200

    if posted and "confirm" in request.POST and status == 200:
        confirm, entry = asked, event.entries.get(number=number)
        store = partial(correct_player, entry=entry, comes=comes, name=name, by=actor)
        if (status := store_if_valid(asked, store, str(LEFT_IN.words))) == STORED:
            return redirect_with_message(request, _("Saved."), back)
    names = DisplayNames(found.facts.entries)
    context: dict[str, Any] = {
        "event": event,
        "actor": actor,
        "confirm": confirm,
        "sent": [("comes", comes or ""), ("name", name)],
        "may_take_back": can_manage(actor, event),
    }
    if posted and asked.way == FOLLOW and found.follows is not None and found.why_not is None:
        void = asked.void if {"confirm", "recount"} & {*request.POST} else ()
        context["shown"] = seat_correction_context(foretell(facts, void), names)
        return render_page(request, "tournaments/corrections/seat.html", context, status=status)
    shown = removal_page(facts, number, found, names)
    context |= {
        "shown": shown.choices,
        "made": shown,
        "gone": names.of(number),
        "comes": names.of(next(iter(found.holders.values()), None)),
        "entry": facts.entries[number],
        "back": back,
        "instead": instead,
    }
    return render_page(request, "tournaments/corrections/player.html", context, status=status)


MOST_NAMED = 6


def seed_correction(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and store the correction of the seeds after the start."""
    event, actor = find_organiser_event(request, slug)
    facts = read_facts(event, for_staff=True)
    draw, players = starting_draw(facts), reverse("tournaments:manage-players", args=[slug])
    if draw is None:
        return redirect(f"{players}?seeds=1")
    if not is_allowed("event", event.state, "play"):
        messages.warning(request, _("This is no longer possible. Reload the page."))
        return redirect(players)
    sent = request.POST if request.method == "POST" else None
    seated = [facts.entries[player] for player in starting_order(facts)]
    form = SeedCorrectionForm(sent, players=seated, by_hand=draw.by_hand)
    if sent is not None and form.is_valid() and "change" not in sent:
        seeds, order = form.seeds, form.order

        try:
            shown = correction_response(
                request,
                event=event,
                actor=actor,
                foretell=lambda facts, void: seeds_correction(facts, seeds, order, void),
                store=partial(correct_seeds, event=event, seeds=seeds, order=order, by=actor),
                usual_reason=str(SEEDS_CORRECTED.words),
                head=_head(form),
                correct=_("Correct the seeds"),
                sent=[(name, value) for name in form.fields for value in sent.getlist(name)],
            )
        except BadInput as error:
            add_rule_error(form, error)
        else:
            return shown or redirect_with_message(request, _("Saved."), "tournaments:desk", slug)
    context = {"event": event, "actor": actor, "form": form, "back": players}
    status = 400 if form.errors else 200
    return render_page(request, "tournaments/corrections/seeds.html", context, status=status)


def _head(form: SeedCorrectionForm) -> CorrectionHeader:
    """Return what is right and what was on record, of the players for whom that differs."""
    before: dict[PlayerId, int] = {}
    after: dict[PlayerId, int] = {}
    for place, entry in enumerate(form.players, start=1):
        before[entry.number] = place if form.by_hand else entry.seed or 0
    if form.by_hand:
        after |= {player: place for place, player in enumerate(form.order, start=1)}
    else:
        after |= {player: seed or 0 for player, seed in form.seeds.items()}

    def told(numbers: dict[PlayerId, int]) -> str:
        other = [each for each in form.players if before[each.number] != after[each.number]]
        other.sort(key=lambda each: (not numbers[each.number], numbers[each.number]))
        words = [
            f"{number}. {each.display_name}" if number else f"{each.display_name} –"
            for each in other
            for number in [numbers[each.number]]
        ]
        if not any(numbers[each.number] for each in other):
            return "–"
        more = ["…"] if len(words) > MOST_NAMED else []
        return ", ".join([*words[:MOST_NAMED], *more])

    return CorrectionHeader(after=told(after), where=_("Starting order"), before=told(before))


def seat_replacement(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the player who gets a dropped player's seat and matches; give them on POST."""
    event, actor = find_staff_event(request, slug)
    require_role(can_rule, actor, event)
    facts = read_facts(event, for_staff=True)
    if number not in facts.entries:
        raise Http404
    found = seat_loss_correction(facts, number)
    back = reverse("tournaments:manage-player", args=[slug, number])
    if found is None or found.why_not is not None or found.follows is None:
        words = _("You can only give away the seat of a player who qualified and then dropped.")
        if found is not None and found.why_not is not None:
            words = translate(found.why_not)
        messages.warning(request, words)
        return redirect(back)
    sent = request.POST if request.method == "POST" else None
    confirm, status = ConfirmCorrectionForm(sent, found=found), 200
    if sent is not None and "confirm" in sent:
        entry = event.entries.get(number=number)
        status = store_if_valid(
            confirm, lambda way, confirm, **asked: give_seat_to_next(entry=entry, by=actor, **asked)
        )
        if status == STORED:
            return redirect_with_message(request, _("Saved."), back)
    shown = seat_loss_correction(facts, number, confirm.void if sent else ()) or found
    context = {
        "event": event,
        "actor": actor,
        "shown": seat_correction_context(shown, DisplayNames(facts.entries)),
        "confirm": confirm if status != 200 else ConfirmCorrectionForm(found=found),
        "back": back,
    }
    return render_page(request, "tournaments/corrections/seat.html", context, status=status)


def bye_change(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show and store a change of the player who has the bye in a round."""
    found, actor = find_staff_match(request, slug, match_id)
    event = found.round.event
    require_role(can_rule, actor, event)
    facts = read_facts(event, for_staff=True)
    if (why := bye_change_refusal(facts, found)) is not None:
        messages.warning(request, translate(why))
        return redirect("tournaments:match", slug, match_id)
    sent = request.POST if request.method == "POST" else request.GET or None
    form = ByeForm(sent, players=bye_candidate_entries(facts, found))
    (rests,) = found.players
    context = {
        "event": event,
        "actor": actor,
        "form": form,
        "match": found,
        "rests": rests.display_name,
        "may_take_back": can_manage(actor, event),
    }
    if not form.is_valid():
        status = 400 if sent is not None else 200
        return render_page(request, "tournaments/corrections/bye.html", context, status=status)
    player = form.cleaned_data["player"]
    correction = bye_correction(facts, found, player)
    confirm, status = ConfirmCorrectionForm(found=correction), 200
    if request.method == "POST":
        confirm = ConfirmCorrectionForm(request.POST, found=correction)
        status = store_if_valid(
            confirm,
            lambda void, **asked: move_bye(
                match=found, player=player, void=bool(void), by=actor, **asked
            ),
            str(TAKEN_BACK.words),
        )
        if status == STORED:
            return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)
    names = DisplayNames(facts.entries)
    context |= {
        "shown": correction_options_context(correction, names),
        "confirm": confirm,
        "sent": [("player", player)],
        "new": names.of(player),
        "old": names.of(rests.number),
        "again": replayable_match_keys(correction),
        "doubts": tuple(exchange_warnings(correction, names)),
    }
    return render_page(request, "tournaments/corrections/bye.html", context, status=status)


urlpatterns = [
    path(f"{EVENT}lots/<int:number>/correct/", random_draw_correction, name="lots-correct"),
    path(f"{PLAYER}not-in/", player_removal, name="manage-player-not-in"),
    path(f"{PLAYERS}seeds/correct/", seed_correction, name="manage-seeds-correct"),
    path(f"{PLAYER}seat/", seat_replacement, name="manage-player-seat"),
    path(f"{MATCH}bye/", bye_change, name="match-bye"),
]
