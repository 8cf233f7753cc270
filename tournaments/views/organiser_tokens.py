"""API tokens of an event."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.tokens import DaysForm
from config.shown_once import hand_over, handed_over, kept_out_of_caches
from config.web import rule_errors
from tournaments.models import TokenScope
from tournaments.services.tokens import make_token, revoke_token
from tournaments.views.organiser import organiser_event
from tournaments.views.organiser_form import OrganiserFormView

SHOWN = "new"


class TokenForm(DaysForm):
    """What a new token may do, and for how long."""

    level = forms.ChoiceField(
        label=gettext_lazy("What it may do"),
        choices=TokenScope.Level.choices,
        initial=TokenScope.Level.READ,
    )
    field_order = ("level", "days")


class Tokens(OrganiserFormView):
    """The tokens that reach this event alone, and a form to make one."""

    template_name, form_class = "tournaments/organiser/tokens.html", TokenForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the tokens; right after one was made, that one."""
        if secret := handed_over(request, SHOWN):
            context = {"event": self.event, "actor": self.actor, "token": secret}
            shown = render(request, "tournaments/organiser/token.html", context)
            return kept_out_of_caches(shown)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the tokens; one query."""
        scopes = self.event.token_scopes.select_related("token__user", "token__use").order_by("pk")
        return super().get_context_data(scopes=scopes, **kwargs)

    def act(self, form: forms.Form) -> HttpResponse:
        """Make a token; it is shown after a redirect."""
        secret = make_token(event=self.event, **form.cleaned_data, by=self.actor)
        return hand_over(self.request, self.request.path, secret, SHOWN)


@require_POST
@rule_errors
def token_revoke(request: HttpRequest, slug: str, scope_id: int) -> HttpResponse:
    """Revoke a token."""
    event, actor = organiser_event(request, slug)
    revoke_token(event=event, scope_id=scope_id, by=actor)
    messages.success(request, _("The token no longer works."))
    return redirect("tournaments:manage-tokens", slug)
