"""The page of an event's mails, and the button that sends one again."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.outbox.queue import requeue_delivery
from config.web import post_only, redirect_with_message, render_page
from rules.errors import RuleError
from tournaments.mails.selectors import event_mails, find_mail
from tournaments.pages.access import MANAGE, find_organiser_event


@require_safe
@never_cache
def mails_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event's mails: waiting, sent, or failed and why."""
    event, actor = find_organiser_event(request, slug)
    context = {"event": event, "actor": actor, "mails": event_mails(event)}
    return render_page(request, "tournaments/mails/mails.html", context)


@post_only
def resend_mail(request: HttpRequest, slug: str, mail_id: int) -> HttpResponse:
    """Queue a mail again. Raises RuleError ``mail_gone``."""
    event, _actor = find_organiser_event(request, slug)
    mail = find_mail(event, mail_id)
    if mail is None:
        raise RuleError("mail_gone")
    requeue_delivery(mail)
    return redirect_with_message(request, _("Saved."), "tournaments:manage-mails", slug)


urlpatterns = [
    path(f"{MANAGE}mails/", mails_page, name="manage-mails"),
    path(f"{MANAGE}mails/<int:mail_id>/again/", resend_mail, name="manage-mail-again"),
]
