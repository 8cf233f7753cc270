"""The page that shows what a strike changes, and strikes or lifts it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext_lazy as _

from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage
from tournaments.pages.access import PLAYER, require_role
from tournaments.players.views.player import PlayerFormView
from tournaments.strikes.services import STRIKES, strike_context


class StrikeForm(forms.Form):
    """Form for the reason to strike a player or lift the strike."""

    reason = forms.CharField(label=_("Reason"), max_length=500)
    action = forms.ChoiceField(choices=[("strike", ""), ("lift", "")], widget=forms.HiddenInput)


class StrikePage(PlayerFormView):
    """Page that previews a strike or its lifting, and carries it out."""

    template_name, form_class = "tournaments/strikes/strike.html", StrikeForm

    def check(self) -> None:
        """Admit organisers only."""
        require_role(can_manage, self.actor, self.event)
        self.shown = strike_context(read_facts(self.event, for_staff=True), self.entry)

    def get_initial(self) -> dict[str, Any]:
        """Preselect the action that is possible."""
        struck = self.shown is not None and self.shown["attendance"].struck
        return {"action": "lift" if struck else "strike"}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the matches and the effects."""
        return super().get_context_data(strike=self.shown, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Strike, or lift the strike."""
        reason, action = form.cleaned_data["reason"], form.cleaned_data["action"]
        STRIKES[action](entry=self.entry, reason=reason, by=self.actor)
        messages.success(self.request, _("Saved."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


urlpatterns = [
    path(f"{PLAYER}strike/", StrikePage.as_view(), name="manage-player-strike"),
]
