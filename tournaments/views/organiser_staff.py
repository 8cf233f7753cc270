"""Who works on an event, and who is invited to."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.mail import send_mail
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.mail import NOT_SENT
from config.web import rule_errors
from tournaments.forms.staff import RoleForm
from tournaments.selectors.staff import invitation_rows, staff_rows
from tournaments.services.invitations import offer_role, revoke
from tournaments.services.staff import take_role
from tournaments.views.organiser import organiser_event
from tournaments.views.organiser_form import OrganiserFormView
from tournaments.views.qr_code import qr_code

SHOWN_ONCE = "staff_invitation_link"


@method_decorator(never_cache, name="dispatch")
class Staff(OrganiserFormView):
    """The roles, the open invitations, and a form to invite somebody."""

    template_name, form_class = "tournaments/organiser/staff.html", RoleForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take the link of the last invitation out of the session: it is shown once."""
        kept: dict[str, str] = request.session.pop(SHOWN_ONCE, {})
        self.link = kept.get("url", "") if kept.get("slug") == kwargs["slug"] else ""
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the roles given, the invitations, and the link to hand on."""
        return super().get_context_data(
            roles=staff_rows(self.event),
            invitations=invitation_rows(self.event),
            link=self.link,
            qr=qr_code(self.link) if self.link else "",
            sends_mail=settings.SENDS_MAIL,
            **kwargs,
        )

    def act(self, form: Form) -> HttpResponse:
        """Invite; the link goes by mail, else the organiser hands it on."""
        email = form.cleaned_data["email"]
        offer = offer_role(event=self.event, **form.cleaned_data, by=self.actor)
        if offer.given is not None:
            words = _("%(name)s has the role: %(role)s.")
            names = {"name": str(offer.given.user), "role": offer.given.get_role_display()}
            messages.success(self.request, words % names)
            return redirect("tournaments:manage-staff", self.event.slug)
        path = reverse("tournaments:open-invitation", args=[offer.token])
        url = self.request.build_absolute_uri(path)
        if settings.SENDS_MAIL and self._mailed(email, url):
            messages.success(self.request, _("The invitation is on its way to %s.") % email)
        else:
            self.request.session[SHOWN_ONCE] = {"slug": self.event.slug, "url": url}
        return redirect("tournaments:manage-staff", self.event.slug)

    def _mailed(self, email: str, url: str) -> bool:
        """Send the invitation; False where the mail server does not take it."""
        context = {"event": self.event, "by": self.actor.user, "url": url}
        text = render_to_string("tournaments/organiser/invitation.txt", context)
        subject = " ".join((_("Invitation to the staff of %s") % self.event.name).split())
        try:
            send_mail(f"Girone: {subject}", text.strip(), None, [email])
        except NOT_SENT:
            messages.warning(self.request, _("The mail could not be sent: hand the link on."))
            return False
        return True


@require_POST
@rule_errors
def staff_take(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    """Take a role away."""
    event, actor = organiser_event(request, slug)
    take_role(event=event, role_id=role_id, by=actor)
    messages.success(request, _("The role is taken away."))
    return redirect("tournaments:manage-staff", slug)


@require_POST
@rule_errors
def invitation_revoke(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Take an invitation back."""
    event, actor = organiser_event(request, slug)
    revoke(event=event, invitation_id=invitation_id, by=actor)
    messages.success(request, _("The invitation is taken back: its link doesn’t work any more."))
    return redirect("tournaments:manage-staff", slug)
