"""The page that restores an event from its archive."""

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from config.web import RuleFormView, done
from tournaments.archive.checking import INVALID
from tournaments.archive.forms import RestoreForm
from tournaments.archive.reader import LARGEST, restore
from tournaments.core.permissions import can_create_events, require
from tournaments.pages.access import actor_of


class RestoreEvent(LoginRequiredMixin, RuleFormView):
    """The form that stores an archived event; who restores it becomes its organiser."""

    template_name, form_class = "tournaments/archive/restore.html", RestoreForm
    beside = {INVALID: "file", "slug_taken": "slug"}
    largest_body = LARGEST

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated:
            require(can_create_events(actor_of(request)))
        return super().dispatch(request, *args, **kwargs)

    def act(self, form: RestoreForm) -> HttpResponse:
        """Store the event and redirect to its page."""
        content, slug = form.cleaned_data["file"].read(LARGEST + 1), form.cleaned_data["slug"]
        event = restore(content, slug=slug, caller=actor_of(self.request).user)
        words = _("The event is restored, and you are its organiser.")
        return done(self.request, words, "tournaments:manage", event.slug)


urlpatterns: list[URLPattern] = [
    path("events/restore/", RestoreEvent.as_view(), name="event-restore"),
]
