"""Pages of the deck-check desk and of a check."""

from collections.abc import Collection
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.api import status_code
from config.web import render_page, wants_json
from config.wording import add_rule_error
from rules.errors import BadInput, RuleError
from tournaments.checks.selectors import (
    deck_check_context,
    deck_checks_context,
    exchange_result,
    find_check,
)
from tournaments.checks.services import (
    begin_match_check,
    begin_player_check,
    begin_random_check,
    begin_table_check,
    finish_check,
    replace_ticks,
    update_ticks,
)
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor, can_rule
from tournaments.decklists.selectors.rules import cards_version_text, event_deck_rules
from tournaments.judging.views import note_field
from tournaments.models import DeckCheck, Match, Penalty
from tournaments.pages.access import EVENT, find_judge_event
from tournaments.pages.views import (
    action_view,
    bad_request_error,
    is_from_floor,
    repeatable_post,
    require_valid_form,
)
from tournaments.penalties.selectors import penalty_message
from tournaments.penalties.views import PenaltyLevelForm


class RandomCheckForm(forms.Form):
    """Form to check a table picked at random.

    ``expected``: number of checks that the page knew; ``again``: players may be checked twice.
    """

    expected = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    again = forms.BooleanField(label=gettext_lazy("Allow a second check"), required=False)


class BeginCheckForm(forms.Form):
    """Form to begin a check: of a table, a player by number, or a match by primary key."""

    table = forms.IntegerField(
        label=gettext_lazy("Table"), min_value=1, max_value=99_999, required=False
    )
    match = forms.IntegerField(widget=forms.HiddenInput, min_value=1, required=False)
    number = forms.IntegerField(
        label=gettext_lazy("Player number"), min_value=1, max_value=9_999_999, required=False
    )
    again = forms.BooleanField(label=gettext_lazy("Allow a second check"), required=False)

    def clean(self) -> dict[str, Any]:
        """Require exactly one of table, match and player."""
        values = super().clean() or {}
        given = [key for key in ("table", "match", "number") if values.get(key)]
        if not self.errors and len(given) != 1:
            raise forms.ValidationError(gettext_lazy("Enter a table or player number."))
        return values


class CheckForm(PenaltyLevelForm):
    """Form of a deck check: ticks (``line``, ``point``), outcome and penalty.

    ``lines`` and ``points``: the numbers and keys that can be ticked. Without ``version`` the
    stored ticks stay, as a script has stored each already (``SingleTicksForm``).
    """

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    line = forms.TypedMultipleChoiceField(coerce=int, required=False)
    point = forms.MultipleChoiceField(required=False)
    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=DeckCheck.Outcome,
        widget=forms.RadioSelect,
        required=False,
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Penalty"),
        choices=[("", "–"), *Penalty.Level.choices],
        required=False,
        help_text=gettext_lazy("Only if the outcome is “Penalty”."),
    )
    infraction = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("The player can read this."),
    )
    note = note_field()

    def __init__(
        self,
        *args: Any,
        lines: Collection[int],
        points: Collection[str],
        disqualifies: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer_levels(disqualifies=disqualifies)
        self.fields["line"].choices = [(number, number) for number in lines]  # type: ignore[attr-defined]
        self.fields["point"].choices = [(key, key) for key in points]  # type: ignore[attr-defined]

    def ticks(self) -> dict[str, Any]:
        """Return the ticked items in the form that the services take."""
        sent = self.cleaned_data
        return {"version": sent["version"], "lines": sent["line"], "points": sent["point"]}


class SingleTicksForm(forms.Form):
    """Form of single ticks set (``on``) or removed (``off``), as "line-3" or "point-box"."""

    on = forms.MultipleChoiceField(required=False)
    off = forms.MultipleChoiceField(required=False)

    def __init__(self, data: Any, *, lines: Collection[int], points: Collection[str]) -> None:
        super().__init__(data)
        keys = [*(f"line-{number}" for number in lines), *(f"point-{key}" for key in points)]
        for name in ("on", "off"):
            self.fields[name].choices = [(key, key) for key in keys]  # type: ignore[attr-defined]

    def ticks(self) -> dict[str, Any]:
        """Return lines and points with whether they are ticked, as the service takes them."""
        found: dict[str, Any] = {"lines": {}, "points": {}}
        for name in ("off", "on"):
            for key in self.cleaned_data[name]:
                kind, _dash, value = key.partition("-")
                if kind == "line":
                    found["lines"][int(value)] = name == "on"
                else:
                    found["points"][value] = name == "on"
        return found


PAGES = "tournaments/checks"


def deck_check_for_judge(request: HttpRequest, slug: str, check_id: int) -> tuple[DeckCheck, Actor]:
    """Return (deck check, actor); raise Http404, or PermissionDenied unless a judge."""
    event, actor = find_judge_event(request, slug)
    found = find_check(event, check_id)
    if found is None:
        raise Http404
    return found, actor


def deck_checks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's deck checks, with forms to begin one."""
    event, actor = find_judge_event(request, slug)
    shown = deck_checks_context(read_facts(event, for_staff=True))
    context = {
        "event": event,
        "actor": actor,
        "checks": shown,
        "pick": RandomCheckForm(initial={"expected": shown["known"]}),
        "start": BeginCheckForm(auto_id="start_%s"),
    }
    return render_page(request, f"{PAGES}/home.html", context)


@repeatable_post
@action_view(deck_checks)
def begin_check_at_random(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a deck check at a table picked at random, and redirect to it."""
    event, actor = find_judge_event(request, slug)
    values = require_valid_form(RandomCheckForm(request.POST)).cleaned_data
    begun = begin_random_check(
        event=event, expected_checks=values["expected"], again=values["again"], by=actor
    )
    return _redirect_to_check(request, slug, begun[0])


@repeatable_post
@action_view(deck_checks)
def begin_check(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a deck check of a table, match or player, and redirect to it."""
    event, actor = find_judge_event(request, slug)
    values = require_valid_form(BeginCheckForm(request.POST)).cleaned_data
    if values["table"]:
        begun = begin_table_check(
            event=event, table=values["table"], again=values["again"], by=actor
        )
        return _redirect_to_check(request, slug, begun[0])
    if values["match"]:
        match = get_object_or_404(Match, pk=values["match"], round__event=event)
        begun = begin_match_check(match=match, again=values["again"], by=actor)
        return _redirect_to_check(request, slug, begun[0])
    entry = get_object_or_404(event.entries, number=values["number"])
    begun_alone = begin_player_check(entry=entry, again=values["again"], by=actor)
    return _redirect_to_check(request, slug, begun_alone)


@repeatable_post
def deck_check(request: HttpRequest, slug: str, check_id: int) -> HttpResponse:
    """Show a deck check; POST stores its ticks, or finishes it if ``finish`` is sent."""
    found, actor = deck_check_for_judge(request, slug, check_id)
    shown = deck_check_context(found)
    if request.method != "POST":
        return _render_check(request, actor, found, shown, build_check_form(found, shown, actor))
    form = build_check_form(found, shown, actor, request.POST)
    if not form.is_valid():
        if wants_json(request):
            require_valid_form(form)
        return _render_check(request, actor, found, shown, form, status=400)
    try:
        if "finish" in request.POST:
            return _finish(request, found, form, actor)
        if form.cleaned_data["version"] is None:
            raise bad_request_error()
        replace_ticks(check=found, **form.ticks(), by=actor)
    except RuleError as error:
        if wants_json(request):
            raise
        add_rule_error(form, error)
        fresh = deck_check_for_judge(request, slug, check_id)[0]
        return _render_refused(request, actor, fresh, form, error)
    messages.success(request, _("Saved."))
    return _redirect_to_check(request, slug, found)


@action_view("tournaments:check", "check_id")
def save_check_ticks(request: HttpRequest, slug: str, check_id: int) -> HttpResponse:
    """Store single ticks that a script sends; respond with JSON.

    ``state``: the check's state as HTML; ``ticked``: all ticks now, as "line-3" or "point-box".
    Repeating the request changes nothing.
    """
    found, actor = deck_check_for_judge(request, slug, check_id)
    lines, points = _tickable(deck_check_context(found))
    form = require_valid_form(SingleTicksForm(request.POST, lines=lines, points=points))
    kept = update_ticks(check=found, **form.ticks(), by=actor)
    found.ticked, found.points, found.version = kept.ticked, kept.points, kept.version
    context = {"event": found.event, "shown": deck_check_context(found), "saved": timezone.now()}
    state = render_to_string(f"{PAGES}/_state.html", context, request)
    ticked = [
        *(f"line-{number}" for number in kept.ticked),
        *(f"point-{key}" for key in kept.points),
    ]
    return JsonResponse({"status": "saved", "sentence": "", "state": state, "ticked": ticked})


def _tickable(shown: dict[str, Any]) -> tuple[list[int], list[str]]:
    lines = [line["number"] for zone in shown["zones"] for line in zone["lines"]]
    return lines, [point["key"] for point in shown["points"]]


def build_check_form(
    found: DeckCheck, shown: dict[str, Any], actor: Actor, data: object = None
) -> CheckForm:
    """Return the form of a deck check.

    ``found``: the deck check; ``shown``: the template context of its page; ``data``: POST data,
    None for an unbound form.
    """
    lines, points = _tickable(shown)
    return CheckForm(
        data,
        initial={"version": found.version},
        lines=lines,
        points=points,
        disqualifies=can_rule(actor, found.event),
    )


def _finish(request: HttpRequest, found: DeckCheck, form: CheckForm, actor: Actor) -> HttpResponse:
    values = form.cleaned_data
    in_order = request.POST["finish"] == DeckCheck.Outcome.CLEAN
    finished = finish_check(
        check=found,
        **form.ticks(),
        outcome=DeckCheck.Outcome.CLEAN if in_order else values["outcome"],
        note=values["note"],
        level=values["level"],
        infraction=values["infraction"],
        by=actor,
    )
    words = _("Saved.")
    given = (penalty_message(penalty)[0] for penalty in finished.penalties.all())
    messages.success(request, " ".join((words, *given)))
    if other := next(iter(found.beside), None):
        return _redirect_to_check(request, found.event.slug, other)
    to = "tournaments:floor" if is_from_floor(request) else "tournaments:checks"
    return redirect(to, found.event.slug)


def _render_refused(
    request: HttpRequest, actor: Actor, fresh: DeckCheck, form: CheckForm, error: RuleError
) -> HttpResponse:
    """Return the page after a form was refused, keeping its ticks unless it was stale."""
    values, typed = form.cleaned_data, {}
    if error.code not in ("stale", "check_finished"):
        typed = {"lines": values.get("line", ()), "points": values.get("point", ())}
    shown = deck_check_context(fresh, **typed)
    return _render_check(request, actor, fresh, shown, form, status=status_code(error))


def _render_check(
    request: HttpRequest,
    actor: Actor,
    found: DeckCheck,
    shown: dict[str, Any],
    form: CheckForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "event": found.event,
        "actor": actor,
        "shown": shown,
        "form": form,
        "rules": can_rule(actor, found.event),
    }
    return render_page(request, f"{PAGES}/check.html", context, status=status)


def _redirect_to_check(request: HttpRequest, slug: str, begun: DeckCheck) -> HttpResponse:
    address = reverse("tournaments:check", args=[slug, begun.pk])
    return redirect(f"{address}?back=floor" if is_from_floor(request) else address)


MOST_GAMES = 99
SMALL = {"rows": 5, "spellcheck": "false"}


class ExchangeForm(forms.Form):
    """Form of an exchange: the cards moved ``out`` of and ``into`` the deck, or the new deck.

    ``table``: the new deck without the side. ``games_played``: of the match, or of the event in
    games whose deck never returns to the decklist.
    """

    out = forms.CharField(
        label=gettext_lazy("Cards out"),
        required=False,
        widget=forms.Textarea(attrs=SMALL),
        help_text=gettext_lazy("One card per line, such as 2 Card name"),
    )
    into = forms.CharField(
        label=gettext_lazy("Cards in"), required=False, widget=forms.Textarea(attrs=SMALL)
    )
    table = forms.CharField(
        label=gettext_lazy("Or the deck on the table"),
        required=False,
        widget=forms.Textarea(attrs=SMALL | {"rows": 8}),
        help_text=gettext_lazy("Leave out the side deck."),
    )
    games_played = forms.IntegerField(
        label=gettext_lazy("Games already played"),
        required=False,
        min_value=0,
        max_value=MOST_GAMES,
    )

    def clean(self) -> dict[str, Any]:
        """Require the cards moved or the deck on the table, not both."""
        values = super().clean() or {}
        moves = bool(values.get("out") or values.get("into"))
        if not self.errors and moves is bool(values.get("table")):
            raise forms.ValidationError(gettext_lazy("Send either “out” and “in” or “table”."))
        return values


def check_exchange(request: HttpRequest, slug: str, check_id: int) -> HttpResponse:
    """Show a form that checks an exchange against the decklist; nothing is stored.

    Redirect to the check if there is no decklist or the game has no exchange.
    """
    found, actor = deck_check_for_judge(request, slug, check_id)
    rules = event_deck_rules(found.event)
    shape = rules.format
    if found.submission is None or shape.exchange is None:
        return redirect("tournaments:check", slug, check_id)
    form = ExchangeForm(request.POST if request.method == "POST" else None)
    answer, status = None, HTTPStatus.OK
    if form.is_bound:
        try:
            if form.is_valid():
                answer = exchange_result(found, found.submission, **form.cleaned_data)
        except BadInput as error:
            add_rule_error(form, error)
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    context = {"event": found.event, "actor": actor, "check": found, "form": form, "answer": answer}
    context |= {
        "checked_by": cards_version_text(found.event, rules.catalogue),
    }
    return render_page(request, "tournaments/checks/exchange.html", context, status=status)


CHECKS = f"{EVENT}checks/"
CHECK = f"{CHECKS}<int:check_id>/"

urlpatterns = [
    path(CHECKS, deck_checks, name="checks"),
    path(f"{CHECKS}pick/", begin_check_at_random, name="checks-pick"),
    path(f"{CHECKS}start/", begin_check, name="checks-start"),
    path(CHECK, deck_check, name="check"),
    path(f"{CHECK}ticks/", save_check_ticks, name="check-ticks"),
    path(f"{CHECK}exchange/", check_exchange, name="check-exchange"),
]
