"""A player calls a judge."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.web import rule_errors
from tournaments.forms.judging import CallForm
from tournaments.personal.selectors.own_matches import my_match
from tournaments.players.views.access import no_match, player_of
from tournaments.services.calls import call_judge
from tournaments.views.desk_access import checked


@require_POST
@rule_errors
def call(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Call a judge to the own table."""
    event, entry, actor = player_of(request, slug)
    found = my_match(event, entry, match_id)
    if found is None or found.is_bye:
        raise no_match(event)
    found.match.round.event = event
    values = checked(CallForm(request.POST)).cleaned_data
    call_judge(match=found.match, entry=entry, reason=values["reason"], by=actor)
    messages.success(request, _("A judge is called. Please stay at your table."))
    return redirect("tournaments:me", event.slug)
