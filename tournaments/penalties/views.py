"""Pages of an event's penalties."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.api import status_code
from config.web import redirect_with_message, render_page
from config.wording import add_rule_error
from rules.errors import RuleError
from rules.events.lifecycle import is_allowed
from tournaments.core.permissions import Actor, can_judge, can_rule
from tournaments.judging.views import note_field
from tournaments.models import Event, Penalty
from tournaments.pages.access import EVENT, find_judge_event, find_staff_event, require_role
from tournaments.pages.views import action_view
from tournaments.penalties.selectors import (
    is_match_loss,
    penalty_message,
    penalty_rows,
    propose_penalty,
)
from tournaments.penalties.services import give_penalty, remove_penalty


class PenaltyLevelForm(forms.Form):
    """Base form with a penalty's ``level``, which can hide disqualification."""

    def offer_levels(self, *, disqualifies: bool) -> None:
        """Remove disqualification from the choices unless ``disqualifies``."""
        if not disqualifies:
            offered = self.fields["level"].widget
            offered.choices = [  # type: ignore[attr-defined]
                choice
                for choice in offered.choices  # type: ignore[attr-defined]
                if choice[0] != Penalty.Level.DISQUALIFICATION
            ]


class PenaltyForm(PenaltyLevelForm):
    """Form for a penalty of one of the event's players.

    ``considered``: number of the player for whom a more severe penalty was already proposed.
    """

    considered = forms.IntegerField(widget=forms.HiddenInput, required=False)
    number = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int)
    level = forms.ChoiceField(
        label=gettext_lazy("Penalty"), choices=Penalty.Level, widget=forms.RadioSelect
    )
    infraction = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=200,
        help_text=gettext_lazy("The player can read this."),
    )
    note = note_field()

    def __init__(
        self,
        *args: Any,
        players: Collection[tuple[int, str]],
        disqualifies: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer_levels(disqualifies=disqualifies)
        choices = [(number, f"{number}. {name}") for number, name in players]
        self.fields["number"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]


def penalties(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all penalties to the staff; store one that a judge gives on POST."""
    event, actor = find_staff_event(request, slug)
    choices: dict[str, Any] = {
        "players": list(event.entries.order_by("number").values_list("number", "name")),
        "disqualifies": can_rule(actor, event),
    }
    if request.method != "POST":
        wanted = request.GET.get("player", "")[:9]
        form = PenaltyForm(**choices, initial={"number": wanted})
        return _page(request, event, actor, form, about=wanted)
    require_role(can_judge, actor, event)
    form = PenaltyForm(request.POST, **choices)
    if not form.is_valid():
        return _page(request, event, actor, form, status=400)
    values = form.cleaned_data
    number, considered = values.pop("number"), values.pop("considered")
    entry = event.entries.get(number=number)
    level, infraction, rules = values["level"], values["infraction"], choices["disqualifies"]
    graver = None
    if considered != number:
        graver = propose_penalty(entry, level, infraction, disqualifies=rules)
    if graver is not None:
        asked = {"level": graver["level"], "considered": str(number)}
        form = PenaltyForm(request.POST.dict() | asked, **choices)
        return _page(request, event, actor, form, graver=graver)
    try:
        given = give_penalty(entry=entry, **values, by=actor)
    except RuleError as error:
        add_rule_error(form, error)
        return _page(request, event, actor, form, status=status_code(error))
    return redirect_after_penalty(request, given, "tournaments:penalties")


def redirect_after_penalty(request: HttpRequest, given: Penalty, back: str) -> HttpResponse:
    """Redirect after a penalty, with a message.

    To the page with the URL name ``back``, or to a match that may need a correction.
    """
    (words, to_correct), slug = penalty_message(given), given.event.slug
    if to_correct is not None:
        to = "tournaments:match"
        return redirect_with_message(request, words, to, slug, to_correct.pk, tone=messages.INFO)
    return redirect_with_message(request, words, back, slug, tone=messages.INFO)


def _page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    form: PenaltyForm,
    *,
    status: int = 200,
    about: str = "",
    graver: dict[str, Any] | None = None,
) -> HttpResponse:
    rows = penalty_rows(event)
    context = {
        "graver": graver,
        "history": [row for row in rows if str(row.penalty.entry.number) == about],
        "event": event,
        "actor": actor,
        "rows": rows,
        "form": form,
        "judges": can_judge(actor, event),
        "rules": can_rule(actor, event),
        "running": is_allowed("event", event.state, "play"),
    }
    return render_page(request, "tournaments/penalties/penalties.html", context, status=status)


@action_view(penalties)
def penalty_remove(request: HttpRequest, slug: str, penalty_id: int) -> HttpResponse:
    """Delete a penalty given by mistake."""
    event, actor = find_judge_event(request, slug)
    require_role(can_rule, actor, event)
    penalty = remove_penalty(event=event, penalty_id=penalty_id, by=actor)
    words = _("Removed.")
    if penalty.match is not None and is_match_loss(penalty):
        stays = _("The match still counts as lost. Correct its result if needed.")
        return redirect_with_message(
            request, f"{words} {stays}", "tournaments:match", slug, penalty.match.pk
        )
    if penalty.level == Penalty.Level.DISQUALIFICATION and not penalty.entry.plays:
        stays = _("The player stays disqualified. Reinstate them if needed.")
        return redirect_with_message(
            request, f"{words} {stays}", "tournaments:manage-player", slug, penalty.entry.number
        )
    return redirect_with_message(request, words, "tournaments:penalties", slug)


PENALTIES = f"{EVENT}penalties/"

urlpatterns = [
    path(PENALTIES, penalties, name="penalties"),
    path(f"{PENALTIES}<int:penalty_id>/take-back/", penalty_remove, name="penalty-take-back"),
]
