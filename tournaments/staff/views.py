"""Pages for staff roles, invitations and tokens of an event."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.invitations import opened_invitation_hash, remember_invitation
from accounts.mail import NO_ADDRESS, can_mail_links, reserve_mail
from accounts.tokens import TokenLifetimeForm
from config.addresses import absolute_url
from config.shown_once import mark_no_store, redirect_with_secret, take_secret, token_hash
from config.web import handle_rule_errors, post_only, redirect_with_message
from rules.errors import RuleError
from tournaments.models import Event, StaffRole, TokenScope
from tournaments.pages.access import MANAGE, OrganiserFormView, find_actor, find_organiser_event
from tournaments.pages.views import qr_code
from tournaments.staff.services import (
    accept_invitation,
    create_event_token,
    offer_role,
    open_invitations,
    remove_role,
    revoke_event_token,
    revoke_invitation,
    staff_rows,
    unsent_invitation_token,
)
from tournaments.staff.services import find_open_invitation as find

JUDGES = {StaffRole.Role.HEAD_JUDGE, StaffRole.Role.JUDGE}
"""Roles whose first page of a running event is that of the judges."""


class RoleForm(forms.Form):
    """Form to offer a staff role to an email address."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=StaffRole.Role.choices, initial=StaffRole.Role.JUDGE
    )


SHOWN_ONCE = "staff_invitation_link"


@method_decorator(never_cache, name="dispatch")
class StaffPage(OrganiserFormView):
    """Page of an event's staff roles and open invitations, with a form to invite."""

    template_name, form_class = "tournaments/staff/staff.html", RoleForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Pop the link of the last invitation from the session: it is shown once."""
        kept: dict[str, str] = request.session.pop(SHOWN_ONCE, {})
        self.link = kept.get("url", "") if kept.get("slug") == kwargs["slug"] else ""
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the roles, the invitations, and the new link."""
        return super().get_context_data(
            roles=staff_rows(self.event),
            invitations=open_invitations(self.event),
            link=self.link,
            qr=qr_code(self.link) if self.link else "",
            **kwargs,
        )

    def act(self, form: Form) -> HttpResponse:
        """Invite; queue a mail with the link, or show it to the organiser."""
        email = form.cleaned_data["email"]
        turn = self._turn_to_mail(email)
        try:
            offer = offer_role(
                event=self.event, **form.cleaned_data, mailed=bool(turn), by=self.actor
            )
        except RuleError:
            cache.delete(turn)
            raise
        if offer.given is not None:
            cache.delete(turn)
            return redirect_with_message(
                self.request, _("Saved."), "tournaments:manage-staff", self.event.slug
            )
        if not turn:
            _show_once(self.request, self.event, offer.token)
        return redirect("tournaments:manage-staff", self.event.slug)

    def _turn_to_mail(self, email: str) -> str:
        """Return the key of the reservation to mail an invitation; "", with a message, if none."""
        if not settings.SENDS_MAIL:
            return ""
        if not can_mail_links():
            messages.warning(self.request, _(NO_ADDRESS))
            return ""
        turn = reserve_mail("invitation", email)
        if not turn:
            words = _("Not sent: this address received an invitation a few minutes ago.")
            messages.warning(self.request, words)
        return turn


def _show_once(request: HttpRequest, event: Event, token: str) -> None:
    """Let the page of the staff show an invitation's link the next time it is opened."""
    url = absolute_url(request, reverse("tournaments:open-invitation", args=[token]))
    request.session[SHOWN_ONCE] = {"slug": event.slug, "url": url}


@post_only
def reveal_invitation_link(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Redirect to the staff page, which shows the link of an invitation not mailed.

    Only for an invitation whose mail could not be sent.
    """
    event, actor = find_organiser_event(request, slug)
    _show_once(
        request, event, unsent_invitation_token(event=event, invitation_id=invitation_id, by=actor)
    )
    return redirect("tournaments:manage-staff", slug)


@post_only
def remove_staff_role(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    """Remove a staff role and redirect to the staff page."""
    event, actor = find_organiser_event(request, slug)
    remove_role(event=event, role_id=role_id, by=actor)
    return redirect_with_message(request, _("Removed."), "tournaments:manage-staff", slug)


@post_only
def revoke_staff_invitation(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Revoke an invitation and redirect to the staff page."""
    event, actor = find_organiser_event(request, slug)
    revoke_invitation(event=event, invitation_id=invitation_id, by=actor)
    return redirect_with_message(request, _("Removed."), "tournaments:manage-staff", slug)


SHOWN = "new"


class TokenForm(TokenLifetimeForm):
    """Form for the level and lifetime of a new API token."""

    level = forms.ChoiceField(
        label=gettext_lazy("Permissions"),
        choices=TokenScope.Level.choices,
        initial=TokenScope.Level.READ,
    )
    field_order = ("level", "days")


class TokensPage(OrganiserFormView):
    """Page of an event's API tokens, with a form to create one."""

    template_name, form_class = "tournaments/staff/tokens.html", TokenForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the tokens, and once the secret of a new one."""
        if secret := take_secret(request, SHOWN):
            context = {"event": self.event, "actor": self.actor, "token": secret}
            shown = render(request, "tournaments/staff/token.html", context)
            return mark_no_store(shown)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the tokens; one query."""
        scopes = self.event.token_scopes.select_related("token__user", "token__use").order_by("pk")
        return super().get_context_data(scopes=scopes, **kwargs)

    def act(self, form: forms.Form) -> HttpResponse:
        """Create a token; it is shown after a redirect."""
        secret = create_event_token(event=self.event, **form.cleaned_data, by=self.actor)
        return redirect_with_secret(self.request, self.request.path, secret, SHOWN)


@post_only
def revoke_api_token(request: HttpRequest, slug: str, scope_id: int) -> HttpResponse:
    """Revoke an API token and redirect to the page of tokens."""
    event, actor = find_organiser_event(request, slug)
    revoke_event_token(event=event, scope_id=scope_id, by=actor)
    return redirect_with_message(
        request, _("The token has been revoked."), "tournaments:manage-tokens", slug
    )


@require_safe
@never_cache
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Store an opened invitation in the session; redirect to a URL without its token.

    404 if it is not open.
    """
    if find(token_hash(token)) is None:
        return _invitation_gone_page(request)
    remember_invitation(request, token)
    return redirect("tournaments:invitation")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_rule_errors
def invitation_page(request: HttpRequest) -> HttpResponse:
    """Page of the invitation in the session; POST accepts it for the signed-in user."""
    found = find(opened_invitation_hash(request))
    if found is None:
        return _invitation_gone_page(request)
    if request.method == "POST" and request.user.is_authenticated:
        given = accept_invitation(invitation=found, by=find_actor(request))
        words = _("Saved.")
        messages.success(request, words)
        event = found.event
        judges = event.state == Event.State.RUNNING and given.role in JUDGES
        return redirect("tournaments:floor" if judges else "tournaments:manage", event.slug)
    return render(request, "tournaments/staff/invitation.html", {"invitation": found})


def _invitation_gone_page(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)


urlpatterns = [
    path(f"{MANAGE}staff/", StaffPage.as_view(), name="manage-staff"),
    path(f"{MANAGE}staff/<int:role_id>/take/", remove_staff_role, name="manage-staff-take"),
    path(
        f"{MANAGE}staff/invitations/<int:invitation_id>/revoke/",
        revoke_staff_invitation,
        name="manage-invitation-revoke",
    ),
    path(
        f"{MANAGE}staff/invitations/<int:invitation_id>/link/",
        reveal_invitation_link,
        name="manage-invitation-link",
    ),
    path(f"{MANAGE}tokens/", TokensPage.as_view(), name="manage-tokens"),
    path(f"{MANAGE}tokens/<int:scope_id>/revoke/", revoke_api_token, name="manage-token-revoke"),
    path("invitations/<str:token>/", open_invitation, name="open-invitation"),
    path("invitations/", invitation_page, name="invitation"),
]
