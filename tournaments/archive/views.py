"""The page that restores an event, or a series, from its archive, and its form."""

from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.web import RuleFormView, redirect_with_message
from tournaments.archive.checking import INVALID
from tournaments.archive.reader import LARGEST, OTHER_ARCHIVES, restore_archive
from tournaments.core.permissions import can_create_events, require_permission
from tournaments.models import Event
from tournaments.pages.access import find_actor


class RestoreForm(forms.Form):
    """Form to restore an event: its archive and optionally another slug."""

    file = forms.FileField(
        label=_("File (JSON)"),
        allow_empty_file=True,
        help_text=_(
            "Up to 10 MB. The site’s operator can restore larger archives with “manage.py restore”."
        ),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    slug = forms.SlugField(
        label=_("Another address"),
        required=False,
        max_length=Event._meta.get_field("slug").max_length,
        help_text=_("Only if the event’s address is taken."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_slug(self) -> str:
        """Return the address in small letters, as the API does."""
        return str(self.cleaned_data["slug"]).lower()


class RestoreEvent(LoginRequiredMixin, RuleFormView):
    """Page that restores an event from an archive; the user becomes its organiser."""

    template_name, form_class = "tournaments/archive/restore.html", RestoreForm
    beside = {INVALID: "file", "slug_taken": "slug"}
    largest_body = LARGEST

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated:
            require_permission(can_create_events(find_actor(request)))
        return super().dispatch(request, *args, **kwargs)

    def act(self, form: RestoreForm) -> HttpResponse:
        """Store the event and redirect to its page."""
        content, slug = form.cleaned_data["file"].read(LARGEST + 1), form.cleaned_data["slug"]
        caller = find_actor(self.request).user
        for restore_other in OTHER_ARCHIVES:
            if (other := restore_other(content, slug, caller)) is not None:
                return redirect_with_message(
                    self.request, gettext("Saved."), str(other.get_absolute_url())
                )
        event = restore_archive(content, slug=slug, caller=caller)
        words = gettext("Event restored")
        return redirect_with_message(self.request, words, "tournaments:manage", event.slug)


urlpatterns: list[URLPattern] = [
    path("events/restore/", RestoreEvent.as_view(), name="event-restore"),
]
