"""The pages that put right the seeds of a start."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.web import done, page
from config.wording import add_refusal
from rules.errors import BadInput
from rules.events.lifecycle import is_allowed
from rules.results import PlayerId
from tournaments.core.facts_cache import read_facts
from tournaments.corrections.acts import SEEDS_CORRECTED
from tournaments.corrections.forms import ConfirmForm, StartForm
from tournaments.corrections.guided import Head, go_on
from tournaments.corrections.selectors.causes import SEEDS
from tournaments.corrections.selectors.start import (
    order_of_start,
    seeds_correction_of,
    start_draw,
)
from tournaments.corrections.services.seeds import correct_seeds
from tournaments.pages.access import organiser_event
from tournaments.pages.addresses import PLAYERS

MOST_NAMED = 6


def seeds_correct(request: HttpRequest, slug: str) -> HttpResponse:
    """Put right the seeds of the start: its form, then what that changes, then a way to go on."""
    event, actor = organiser_event(request, slug)
    facts = read_facts(event, drafts=True)
    draw, players = start_draw(facts), reverse("tournaments:manage-players", args=[slug])
    if draw is None:
        return redirect(f"{players}?seeds=1")
    if not is_allowed("event", event.state, "play"):
        messages.warning(request, _("The event is over, so its seeds stay as they are."))
        return redirect(players)
    sent = request.POST if request.method == "POST" else None
    seated = [facts.entries[player] for player in order_of_start(facts)]
    form = StartForm(sent, players=seated, by_hand=draw.by_hand)
    if sent is not None and form.is_valid() and "change" not in sent:
        seeds, order = form.seeds, form.order

        def store(confirm: ConfirmForm) -> None:
            correct_seeds(
                event=event,
                seeds=seeds,
                order=order,
                **confirm.arguments(str(SEEDS_CORRECTED.words)),
                by=actor,
            )

        try:
            shown = go_on(
                request,
                event=event,
                actor=actor,
                foretell=lambda facts, void: seeds_correction_of(facts, seeds, order, void),
                store=store,
                head=_head(form),
                cause=SEEDS,
                sent=[(name, value) for name in form.fields for value in sent.getlist(name)],
            )
        except BadInput as error:
            add_refusal(form, error)
        else:
            return shown or done(
                request, _("The right seeds are recorded."), "tournaments:desk", slug
            )
    context = {"event": event, "actor": actor, "form": form, "back": players}
    status = 400 if form.errors else 200
    return page(request, "tournaments/corrections/seeds.html", context, status=status)


def _head(form: StartForm) -> Head:
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
            return _("no seeds")
        more = ["…"] if len(words) > MOST_NAMED else []
        return ", ".join([*words[:MOST_NAMED], *more])

    return Head(after=told(after), where=_("Order of the start"), before=told(before), figures="")


urlpatterns = [path(f"{PLAYERS}seeds/correct/", seeds_correct, name="manage-seeds-correct")]
