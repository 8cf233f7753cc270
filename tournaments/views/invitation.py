"""An invitation to the staff of an event, for who was invited."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.invitations import opened, remember
from config.tokens import hash_of
from config.web import rule_errors
from tournaments.selectors.staff import open_invitation as find
from tournaments.services.invitations import accept
from tournaments.views.access import actor_of


@require_safe
@never_cache
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the invitation in the session, so that its token leaves the address."""
    if find(hash_of(token)) is None:
        return _gone(request)
    remember(request, token)
    return redirect("tournaments:invitation")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@rule_errors
def invitation(request: HttpRequest) -> HttpResponse:
    """Show the invitation that was opened, or accept it as the signed-in reader."""
    found = find(opened(request))
    if found is None:
        return _gone(request)
    if request.method == "POST" and request.user.is_authenticated:
        given = accept(invitation=found, by=actor_of(request))
        words = _("You are on the staff: %(role)s.") % {"role": given.get_role_display()}
        messages.success(request, words)
        return redirect("tournaments:manage", found.event.slug)
    return render(request, "tournaments/public/invitation.html", {"invitation": found})


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)
