"""The organiser shows everybody the lists of a finished event, or hides them again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.web import rule_errors
from tournaments.events.views import organiser_event
from tournaments.services.published_lists import hide_lists, publish_lists


@require_POST
@rule_errors
def lists_publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish the lists."""
    event, actor = organiser_event(request, slug)
    publish_lists(event=event, by=actor)
    messages.success(request, _("The lists are published: everybody can read them."))
    return redirect("tournaments:manage", slug)


@require_POST
@rule_errors
def lists_hide(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide published lists again."""
    event, actor = organiser_event(request, slug)
    hide_lists(event=event, by=actor)
    messages.success(request, _("The lists are hidden again."))
    return redirect("tournaments:manage", slug)
