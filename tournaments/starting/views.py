"""Pages of the start: what blocks it or needs an answer, and the start, which pairs round 1."""

from collections.abc import Sequence

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from config.api import status_code
from config.web import post_only, redirect_with_message, render_page
from config.wording import add_rule_error
from rules.errors import RuleError
from tournaments.core.draw_origins import draw_origin
from tournaments.core.moments import mark_conditionally_required
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.permissions import Actor
from tournaments.lots.services import draw_start_order, record_start_order
from tournaments.models import Draw, Event
from tournaments.pages.access import MANAGE, find_organiser_event
from tournaments.starting.selectors import has_absent_players, start_page
from tournaments.starting.services import start_and_pair


class HandOrderForm(forms.Form):
    """Form for a starting order drawn by hand: each player's position, and witnesses."""

    witnesses = forms.CharField(label=gettext_lazy("Witnesses"), max_length=300)
    note = forms.CharField(label=gettext_lazy("Note"), max_length=500, required=False)

    def __init__(self, *args: object, players: Sequence[tuple[int, str]] = (), **kwargs: object):
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.players = players
        for number, name in players:
            self.fields[f"place_{number}"] = forms.IntegerField(
                label=name, min_value=1, max_value=len(players)
            )

    def clean(self) -> dict[str, object]:
        """Return the cleaned data; add an error if two players have one position."""
        values = super().clean() or {}
        places = [values.get(f"place_{number}") for number, _name in self.players]
        if not self.errors and len(set(places)) != len(places):
            raise forms.ValidationError(gettext_lazy("Use each value only once."))
        return values

    def order(self) -> list[int]:
        """Return the player numbers, first to last."""
        numbers = [number for number, _name in self.players]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])

    def place_fields(self) -> list[forms.BoundField]:
        return [self[f"place_{number}"] for number, _name in self.players]


class StartForm(forms.Form):
    """Form to start the event, or to start it despite decklist faults.

    ``draw``: number of the random draw to use, else the latest or a new one. ``absent``: the page
    has named absent players; ``seen``: numbers of the players whose faults it showed.
    """

    draw = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    absent = forms.BooleanField(required=False, widget=forms.HiddenInput)
    seen = forms.RegexField(
        r"\A[0-9]{1,9}(,[0-9]{1,9})*\Z", max_length=20_000, required=False, widget=forms.HiddenInput
    )
    despite = forms.BooleanField(
        label=gettext_lazy("Start anyway"),
        required=False,
    )
    override = mark_conditionally_required(
        forms.CharField(
            label=gettext_lazy("Reason"),
            max_length=500,
            required=False,
        )
    )

    def clean(self) -> dict[str, object]:
        """Return the cleaned data; add an error if the override has no reason."""
        values = super().clean() or {}
        if values.get("despite") and not values.get("override"):
            self.add_error("override", gettext_lazy("Give a reason."))
        return values

    def reason(self) -> str:
        """Return the reason for the override; empty if the box is not ticked."""
        return str(self.cleaned_data["override"]) if self.cleaned_data["despite"] else ""

    def seen_numbers(self) -> set[int] | None:
        """Return the numbers in ``seen``; None if the page has shown no faults."""
        numbers = str(self.cleaned_data["seen"]).split(",")
        return {int(number) for number in numbers if number} or None


@require_safe
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what keeps the event from starting, and the starting order if one was drawn."""
    event, actor = find_organiser_event(request, slug)
    if event.plan is not None:
        return redirect("tournaments:desk", slug)
    return _page(request, event, actor)


@post_only
def redraw_start_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the starting order again; earlier draws remain on record."""
    event, actor = find_organiser_event(request, slug)
    draw = draw_start_order(event=event, by=actor)
    return _redirect_to_seats(request, slug, draw)


@require_POST
def record_hand_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Record a starting order drawn by hand."""
    event, actor = find_organiser_event(request, slug)
    form = _hand_form(event, request)
    if not form.is_valid():
        return _page(request, event, actor, hand=form, status=400)
    try:
        draw = record_start_order(
            event=event,
            order=form.order(),
            witnesses=form.cleaned_data["witnesses"],
            note=form.cleaned_data["note"],
            by=actor,
        )
    except RuleError as error:
        add_rule_error(form, error)
        return _page(request, event, actor, hand=form, status=status_code(error))
    return _redirect_to_seats(request, slug, draw)


def _redirect_to_seats(request: HttpRequest, slug: str, draw: Draw) -> HttpResponse:
    recorded = _("Saved.")
    words = f"{recorded} {draw_origin(draw).count_words}".strip()
    return redirect_with_message(
        request, words, reverse("tournaments:manage-start", args=[slug]) + "#seats"
    )


@require_POST
def start_event_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the event and draft its first round.

    If players are absent, the page that names them is shown first.
    """
    event, actor = find_organiser_event(request, slug)
    form = StartForm(request.POST)
    if not form.is_valid():
        return _page(request, event, actor, go=form, status=400)
    if event.plan is None and not form.cleaned_data["absent"] and has_absent_players(event):
        return redirect("tournaments:manage-start", slug)  # whose page names them
    try:
        item = start_and_pair(
            event=event,
            draw_number=form.cleaned_data["draw"],
            override=form.reason(),
            seen=form.seen_numbers(),
            by=actor,
        )
    except RuleError as error:
        add_rule_error(form, error)
        return _page(request, event, actor, go=form, status=status_code(error))
    if item is None:
        following = "tournaments:desk-pairings" if event.paired_elsewhere else "tournaments:desk"
        return redirect_with_message(request, _("The event has started."), following, slug)
    return redirect("tournaments:desk-round", slug, item.ordinal)


def _hand_form(event: Event, request: HttpRequest | None = None) -> HandOrderForm:
    entries = attach_name_marks(event.entries.playing().order_by("number"), load_name_marks(event))
    players = [(entry.number, entry.display_name) for entry in entries]
    return HandOrderForm(request.POST if request else None, players=players)


def _page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    *,
    hand: HandOrderForm | None = None,
    go: StartForm | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = start_page(event)
    context = {
        "event": event,
        "actor": actor,
        "shown": shown,
        "hand": hand or _hand_form(event),
        "go": go or StartForm(),
    }
    return render_page(request, "tournaments/starting/start.html", context, status=status)


START = f"{MANAGE}start/"

urlpatterns = [
    path(START, start, name="manage-start"),
    path(f"{START}draw/", redraw_start_order, name="manage-start-draw"),
    path(f"{START}by-hand/", record_hand_order, name="manage-start-hand"),
    path(f"{START}go/", start_event_now, name="manage-start-go"),
]
