"""Pages to make an event, change its settings, texts and rulings, move it on and delete it."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.functional import cached_property
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_code
from config.criteria_fields import initial_table_tiebreaker_positions
from config.hall import can_control_hall
from config.web import (
    RuleFormView,
    is_fragment_request,
    post_only,
    redirect_with_message,
    render_page,
)
from config.wording import add_rule_error, error_message
from decks.files.limits import parse_strict_json
from rules.criteria.of_tables import default_tiebreakers
from rules.errors import BadInput, RuleError
from rules.formulas.base import Formula
from tournaments.advice.views import advice_form_and_context
from tournaments.core.formulas import available_formulas
from tournaments.core.names import check_confirmation_name
from tournaments.core.permissions import can_create_events, can_rule
from tournaments.core.visibility import has_decks
from tournaments.events.forms.event import (
    EventForm,
    InformationForm,
    RulingsForm,
    event_settings,
    settings_form_initial,
)
from tournaments.events.forms.forecast import forecast_from_form
from tournaments.events.forms.formula_fields import is_worth_by_place
from tournaments.events.forms.new_event import (
    Lists,
    NewEventForm,
    SettingsChip,
    formula_choices,
    new_event_chips,
    new_format_initial,
    settings_chips,
)
from tournaments.events.selectors.events import has_ever_started, player_count
from tournaments.events.selectors.games import GameChoice, GameOffer, offered_games
from tournaments.events.services import (
    LONGEST_INFORMATION,
    change_event,
    change_event_state,
    confirm_separate_rooms,
    create_event,
    create_event_with_format,
    delete_event,
    store_rulings,
)
from tournaments.log.services import text_fingerprint
from tournaments.models import Event
from tournaments.pages.access import (
    EVENT,
    MANAGE,
    OrganiserFormView,
    find_actor,
    find_organiser_event,
    find_staff_event,
    require_role,
)
from tournaments.pages.views import bad_request_error

LONGEST_OPTIONS = 500
TYPED = ("name", "starts_at", "venue", "expected", "capacity")
"""Fields whose values come along when a game is chosen."""


def typed_field_values(request: HttpRequest) -> dict[str, Any]:
    """Return the query's values of fields filled in before a game was chosen."""
    return {name: request.GET[name][:200] for name in TYPED if request.GET.get(name)}


def advised_settings(request: HttpRequest) -> dict[str, Any]:
    """Return the valid settings in the query of a link from the format adviser."""
    values: dict[str, Any] = {}
    formula, minutes = request.GET.get("formula", ""), request.GET.get("minutes", "")
    offered = {item.key: item for item in available_formulas(request.user.pk)}
    if formula in offered:
        values["formula"] = formula
        values["options"] = _options_in(offered[formula], request.GET.get("options", ""))
    if minutes.isascii() and minutes.isdigit() and 0 < int(minutes[:4]) <= 600:
        values["minutes"] = int(minutes[:4])
    return values


def _options_in(formula: Formula, text: str) -> dict[str, Any]:
    """Return the options of a formula in an adviser's link; none where they are invalid."""
    try:
        found = parse_strict_json(text[:LONGEST_OPTIONS])
        return dict(formula.checked(found)) if isinstance(found, dict) else {}
    except (ValueError, BadInput):
        return {}


PARTS = {
    "numbers": "tournaments/events/_numbers.html",
    "more_options": "tournaments/events/_more_options.html",
    "lists": "tournaments/events/_open_lists.html",
    "points": "tournaments/events/_points.html",
    "criteria": "components/criteria_fields.html",
}
"""Parts of the form that depend on the formula, by the name under which its script asks."""


class EventFormView(RuleFormView):
    """Base view of an event's settings form, and of the parts its script reloads."""

    form_class: type[EventForm] = EventForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or the part named by the script: one of ``PARTS``, else the preview."""
        if not is_fragment_request(request):
            return super().get(request, *args, **kwargs)
        form = self.get_form()
        if template := PARTS.get(request.GET.get("part", "")):
            return render_page(request, template, {"fields": form.formula_fields(), "form": form})
        context = {"line": forecast_from_form(form, self.players()), "chips": self.chips(form)}
        context["asked"] = True
        return render_page(request, "tournaments/events/_advice_line.html", context)

    def chips(self, form: EventForm) -> tuple[SettingsChip, ...]:
        """Return the settings that show their values."""
        return new_event_chips(form)

    def players(self) -> int:
        """Return the number of players once it is known, else 0."""
        return 0

    def get_form_kwargs(self) -> dict[str, Any]:
        """Bind the form to the typed values if a script requests a part of it."""
        kwargs = super().get_form_kwargs()
        return kwargs | ({"data": self.request.GET} if is_fragment_request(self.request) else {})

    def get_initial(self) -> dict[str, Any]:
        """Return the initial values; with the points at tables goes their usual order."""
        initial = super().get_initial()
        if worth := self.request.GET.get("table_worth"):
            order = default_tiebreakers(by_place=is_worth_by_place(worth))
            initial |= {"table_worth": worth} | initial_table_tiebreaker_positions(order)
        return initial

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the settings as chips, and the options of the formula."""
        context = super().get_context_data(**kwargs)
        form = context["form"]
        return context | {"chips": self.chips(form), "fields": form.formula_fields()}


def show_warnings(request: HttpRequest, notes: list[str]) -> None:
    """Add each note as a warning message."""
    for note in notes:
        messages.warning(request, note)


class NewEventPage(LoginRequiredMixin, EventFormView):
    """Page that creates an event: game, format, date, settings."""

    template_name, form_class = "tournaments/events/new.html", NewEventForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated and not can_create_events(find_actor(request)):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the user's house formats and formulas."""
        choice = self.choice
        decks = choice.format is None or not choice.slug or choice.format.lists != Lists.OFF
        owner = {"owner_id": self.request.user.pk, "decks": decks}
        return super().get_form_kwargs() | owner | {"choice": choice}

    def get_initial(self) -> dict[str, Any]:
        """Return what the choice says, the adviser, and what was typed."""
        values = self.offer.settings(self.choice)
        initial = settings_form_initial({**values, **advised_settings(self.request)})
        initial["expected"] = self.offer.players
        found = initial | new_format_initial(self.choice) | super().get_initial()
        return found | typed_field_values(self.request)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the games, the ways of playing, the preview and the adviser."""
        choice = self.choice
        kept = {"format": choice.slug, "game": choice.name}
        kept["ready"] = choice.ready.key if choice.ready else ""
        advice_form, advice = advice_form_and_context(self.request, kept=kept)
        context = super().get_context_data(**kwargs)
        return context | {
            "games": self.offer.games,
            "seen": self.offer.seen(choice),
            "choice": choice,
            "ways": formula_choices(context["form"]),
            "line": forecast_from_form(context["form"]),
            "advice_form": advice_form,
            "advice": advice,
            "kept": kept,
            "carried": self._carried(),
            "may_open_hall": can_control_hall(self.request),
        }

    def act(self, form: NewEventForm) -> HttpResponse:
        """Create the event and redirect to its page, saying what comes."""
        values, by = form.values(), find_actor(self.request)
        if form.content is not None:
            event = create_event_with_format(content=form.content, values=values, by=by)
        else:
            event = create_event(values=values, by=by)
        show_warnings(self.request, form.notes)
        messages.success(self.request, _("Saved."))
        return redirect("tournaments:manage-players", event.slug)

    def _carried(self) -> QueryDict:
        """Return what the links of games keep of the query: what was typed, and an advised way."""
        names = (*TYPED, "formula", "options", "minutes")
        found = QueryDict(mutable=True)
        found.update({name: self.request.GET[name] for name in names if name in self.request.GET})
        return found

    @cached_property
    def offer(self) -> GameOffer:
        return offered_games(self.request.user.pk)

    @cached_property
    def choice(self) -> GameChoice:
        """Return the game and format that are asked for."""
        posted = self.request.method == "POST"
        asked: Mapping[str, Any] = self.request.POST if posted else self.request.GET
        return self.offer.choice(asked, sent=posted or is_fragment_request(self.request))


def delete_event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Page that deletes an event once its name is typed."""
    event, actor = find_organiser_event(request, slug)
    error, status = "", 200
    if request.method == "POST":
        try:
            check_confirmation_name(request.POST.get("confirm", ""), event.name)
            delete_event(event=event, by=actor)
        except RuleError as refused:
            error, status = error_message(refused), status_code(refused)
        else:
            words = _("Deleted: %(name)s") % {"name": event.name}
            return redirect_with_message(request, words, "tournaments:my-events")
    context = {
        "event": event,
        "actor": actor,
        "error": error,
        "players": event.entries.count(),
        "archive": reverse("tournaments_api:archive", args=[slug]),
    }
    return render_page(request, "tournaments/events/delete.html", context, status=status)


def rulings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Page with the form for the head judge's rulings."""
    event, actor = find_staff_event(request, slug)
    require_role(can_rule, actor, event)
    status = 200
    form = RulingsForm(initial={"rulings": event.rulings, "seen": text_fingerprint(event.rulings)})
    if request.method == "POST":
        status, form = 400, RulingsForm(request.POST)
        if form.is_valid():
            try:
                store_rulings(event=event, **form.cleaned_data, by=actor)
            except RuleError as error:
                add_rule_error(form, error)
                status = status_code(error)
            else:
                return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)
    context = {"event": event, "actor": actor, "form": form}
    return render_page(request, "tournaments/events/rulings.html", context, status=status)


@require_safe
def redirect_to_desk_or_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect staff to the desk of a running event, else to its players."""
    event, _actor = find_staff_event(request, slug)
    running = event.state == Event.State.RUNNING
    return redirect("tournaments:desk" if running else "tournaments:manage-players", slug)


MOVES = ("open_registration", "close_registration", "finish", "reopen")


@post_only
def change_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close registration, finish or reopen an event, as posted."""
    event, actor = find_organiser_event(request, slug)
    action = request.POST.get("action", "")
    if action not in MOVES:
        raise bad_request_error()
    change_event_state(event=event, action=action, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:manage", slug)


class SettingsPage(OrganiserFormView, EventFormView):
    """Page of an event's settings; those locked after the start are disabled."""

    template_name = "tournaments/events/settings.html"

    def chips(self, form: EventForm) -> tuple[SettingsChip, ...]:
        return settings_chips(form, self.event)

    def players(self) -> int:
        """Return the number of players, unless more may come up to a limit; one query."""
        known = self.event.state == Event.State.CLOSED or not self.event.capacity
        return player_count(self.event) if known else 0

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the line of advice before the start, and whether the event can be deleted."""
        context = super().get_context_data(**kwargs)
        line = None if self.event.plan else forecast_from_form(context["form"], self.players())
        return context | {"line": line, "deletable": not has_ever_started(self.event)}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Fill in the current settings."""
        kwargs = super().get_form_kwargs()
        initial = settings_form_initial(event_settings(self.event)) | kwargs["initial"]
        locked = self.event.plan is not None
        owner_id = self.event.created_by_id
        event = {"locked": locked, "owner_id": owner_id, "decks": has_decks(self.event)}
        return kwargs | {"initial": initial} | event

    def act(self, form: EventForm) -> HttpResponse:
        """Store the changed settings."""
        change_event(event=self.event, changes=form.values(), by=self.actor)
        show_warnings(self.request, form.notes)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:manage", self.event.slug
        )


@post_only
def resolve_table_clash(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an event the free table numbers offered, or record that it is elsewhere.

    That is, in another room than the events with the same tables.
    """
    event, actor = find_organiser_event(request, slug)
    back = _page_left(request, event)
    if "other_rooms" in request.POST:
        confirm_separate_rooms(event=event, by=actor)
        return redirect_with_message(request, _("Saved."), back)
    change_event(event=event, changes={"tables": request.POST.get("tables", "")}, by=actor)
    return redirect_with_message(request, _("Saved."), back)


def _page_left(request: HttpRequest, event: Event) -> str:
    """Return the address of the event's page that sent a form, else that of its settings."""
    back = request.POST.get("back", "")
    own = reverse("tournaments:event", args=[event.slug])
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith(own)
    return back if safe else reverse("tournaments:manage-settings", args=[event.slug])


class InformationPage(OrganiserFormView):
    """Page that edits an event's information text, with preview."""

    template_name, form_class = "tournaments/events/information.html", InformationForm
    beside = {"too_long": "information"}

    def get_initial(self) -> dict[str, Any]:
        return {"information": self.event.information}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the text to preview; of one that is too long the beginning, as far as is taken."""
        context = super().get_context_data(**kwargs)
        text = str(context["form"]["information"].value() or "")
        return context | {"text": text[:LONGEST_INFORMATION]}

    def act(self, form: InformationForm) -> HttpResponse:
        """Store the text; with ``preview`` show it alone."""
        if "preview" in self.request.POST:
            context = self.get_context_data(form=form)
            fragment = "tournaments/events/_information.html"
            return render_page(self.request, self.template_name, context, fragment=fragment)
        change_event(event=self.event, changes=form.cleaned_data, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:manage-information", self.event.slug
        )


urlpatterns = [
    path(f"{MANAGE}delete/", delete_event_page, name="manage-delete"),
    path(f"{EVENT}rulings/", rulings_page, name="rulings"),
    path("events/new/", NewEventPage.as_view(), name="event-new"),
    path(MANAGE, redirect_to_desk_or_players, name="manage"),
    path(f"{MANAGE}move/", change_state, name="manage-move"),
    path(f"{MANAGE}tables/", resolve_table_clash, name="manage-tables"),
    path(f"{MANAGE}information/", InformationPage.as_view(), name="manage-information"),
    path(f"{MANAGE}settings/", SettingsPage.as_view(), name="manage-settings"),
]
