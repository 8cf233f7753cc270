"""The page on which organisers erase a person over a series."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from tournaments.erasing.views import ConfirmPage
from tournaments.series.access import SERIES, SeriesFormView
from tournaments.series.erasing import erase_in_series
from tournaments.series.selectors import people_now


class ErasePerson(SeriesFormView, ConfirmPage):
    """Erase a person from the events that the organiser manages."""

    template_name = "tournaments/series/erase.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep the key of the person."""
        self.key = kwargs["person"]
        return super().dispatch(request, *args, **kwargs)

    def wanted(self) -> str:
        """Return the person's name."""
        found = people_now(self.facts).of_entry.get(self.key)
        if found is None:
            raise Http404
        return found.name

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the person."""
        person = people_now(self.facts).of_entry.get(self.key)
        return super().get_context_data(person=person, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Erase the person, and name the events of others."""
        typed = form.cleaned_data["confirm"]
        left = erase_in_series(series=self.series, key=self.key, confirm=typed, by=self.actor)
        messages.success(self.request, _("Erased."))
        if left:
            names = ", ".join(event.name for event in left)
            words = _("Not erased in %(events)s: ask their organisers.")
            messages.warning(self.request, words % {"events": names})
        return redirect("tournaments:series", self.series.slug)


urlpatterns = [
    path(f"{SERIES}people/<int:person>/erase/", ErasePerson.as_view(), name="series-erase")
]
