"""The page of the site's operator."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.web import post_only, redirect_with_message
from tournaments.pages.access import find_actor
from tournaments.site_status.selectors import is_operator, site_status
from tournaments.site_status.services import send_test_mail


@require_safe
@never_cache
def status_page(request: HttpRequest) -> HttpResponse:
    """Page with the state of the site, for its operators."""
    user = find_actor(request).user
    if user is None:
        return redirect_to_login(request.get_full_path())
    if not is_operator(user):
        raise PermissionDenied
    return render(request, "tournaments/site_status/status.html", {"status": site_status()})


@post_only
def test_mail(request: HttpRequest) -> HttpResponse:
    """Send a mail to the operator; show what the mail server answered after a redirect."""
    user = find_actor(request).user
    if user is None:
        return redirect_to_login(request.path)
    trial = send_test_mail(by=user)
    tone = messages.SUCCESS if trial.sent else messages.WARNING
    return redirect_with_message(request, trial.detail, "tournaments:site", tone=tone)


urlpatterns = [
    path("site/", status_page, name="site"),
    path("site/test-mail/", test_mail, name="test-mail"),
]
