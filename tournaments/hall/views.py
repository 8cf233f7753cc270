"""The switch *Phones in this hall*, with address and QR code while the hall is open."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from config import venue
from config.hall import can_control_hall, hall
from config.pages import help_section
from config.web import RuleFormView, post_only
from tournaments.pages.views import qr_code


class HallForm(forms.Form):
    """Form to open the laptop's site to the local network: address, and http or https."""

    address = forms.ChoiceField(label=_("Address"))
    certificate = forms.BooleanField(
        label=_("Encrypted (https)"),
        required=False,
        help_text=_("Phones show a warning until they trust the certificate."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["address"]
        field.choices = [(each, each) for each in venue.local_addresses()]
        if len(field.choices) == 1:
            field.widget, field.initial = forms.HiddenInput(), field.choices[0][0]


@method_decorator(never_cache, name="dispatch")
class HallPage(RuleFormView):
    """Page that opens the laptop's site to the local network.

    Raises Http404 unless the laptop's organiser opens it on the laptop itself.
    """

    template_name, form_class = "tournaments/hall/hall.html", HallForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Show the page to who may switch."""
        require_hall_control(request)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the hall while it is open, its QR code, and what phones and firewalls ask."""
        opening = hall.opening
        return super().get_context_data(**more) | {
            "opening": opening,
            "qr": qr_code(f"{opening.url}/") if opening else "",
            "own": f"{self.request.scheme}://{self.request.get_host()}/",
            "addresses": venue.local_addresses(),
            "help": help_section("organising", "hall"),
        }

    def act(self, form: HallForm) -> HttpResponse:
        """Open the hall."""
        given = form.cleaned_data
        hall.open(given["address"], certificate=given["certificate"], again=True)
        return redirect("tournaments:hall")


@post_only
def close_hall(request: HttpRequest) -> HttpResponse:
    """Close the site to the local network, so that it serves the laptop alone."""
    require_hall_control(request)
    hall.close()
    return redirect("tournaments:hall")


def require_hall_control(request: HttpRequest) -> None:
    """Raise Http404 unless the laptop's organiser sends the request from the laptop."""
    if not can_control_hall(request):
        raise Http404


urlpatterns = [
    path("hall/", HallPage.as_view(), name="hall"),
    path("hall/close/", close_hall, name="hall-close"),
]
