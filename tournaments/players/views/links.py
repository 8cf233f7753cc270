"""Personal links for all players at once: shown once, as a list, or by mail."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.mail import NO_ADDRESS, mails_links
from config.addresses import absolute_url
from config.api import status_of
from config.shown_once import hand_over, handed_over, kept_out_of_caches
from config.web import page, posted
from config.wording import explain
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.models import Entry, Event
from tournaments.pages.access import organiser_event
from tournaments.pages.addresses import PLAYERS
from tournaments.players.link_mails import mail_address_of, send_links
from tournaments.players.selectors.players import links_made
from tournaments.players.services.links import make_links


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link for every player; show them once, for ten minutes."""
    event, actor = organiser_event(request, slug)
    context = {"event": event, "actor": actor, "sends_mail": mails_links()}
    context["lacks_address"] = settings.SENDS_MAIL and not mails_links()
    status = 200
    if request.method == "POST":
        try:
            return hand_over(request, request.path, make_links(event=event, by=actor))
        except RuleError as error:
            context["error"], status = explain(error), status_of(error)
    addresses = link_addresses(request, event)
    context["addresses"] = addresses
    context["text"] = "\n".join(f"{entry.display_name}: {url}" for entry, url in addresses.items())
    context["with_mail"] = sum(bool(mail_address_of(entry)) for entry in addresses)
    context["players"] = event.entries.playing().count()
    shown = page(request, "tournaments/players/links.html", context, status=status)
    return kept_out_of_caches(shown)


@posted
def mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Send each player with an address the link that was made just now, once an hour."""
    event, _actor = organiser_event(request, slug)
    paths = {
        entry: path
        for entry, path in _paths_of_new_links(request, event).items()
        if mail_address_of(entry)
    }
    if not (paths and settings.SENDS_MAIL):
        raise RuleError(
            "nothing_to_send",
            gettext_noop("There is nothing to send. Nothing was sent: make the links first."),
        )
    if not mails_links():
        raise RuleError("site_address_missing", NO_ADDRESS)
    sent = send_links(event, paths)
    if sent.count:
        words = ngettext(
            "%(count)s mail is on its way.", "%(count)s mails are on their way.", sent.count
        )
        messages.success(request, words % {"count": sent.count})
    if sent.failed:
        names = ", ".join(entry.display_name for entry in sent.failed)
        messages.error(request, _("Not sent: %(names)s. Hand these links on.") % {"names": names})
    if sent.too_soon:
        names = ", ".join(entry.display_name for entry in sent.too_soon)
        words = _("Not sent, as they got a link by mail less than an hour ago: %(names)s.")
        messages.warning(request, words % {"names": names})
    return redirect("tournaments:manage-links", slug)


def link_addresses(request: HttpRequest, event: Event) -> dict[Entry, str]:
    """Return the links made in the last ten minutes in this session, by player; else empty."""
    return {
        entry: absolute_url(request, path)
        for entry, path in _paths_of_new_links(request, event).items()
    }


def _paths_of_new_links(request: HttpRequest, event: Event) -> dict[Entry, str]:
    """Return the paths of the links made just now, by player; none when the time is over."""
    made_at = reverse("tournaments:manage-links", args=[event.slug])
    secret = handed_over(request, address=made_at)
    if not secret:
        return {}
    return {
        entry: reverse("tournaments:open-link", args=[token])
        for entry, token in links_made(event, secret).items()
    }


urlpatterns = [
    path(f"{PLAYERS}links/", links, name="manage-links"),
    path(f"{PLAYERS}links/mail/", mail, name="manage-links-mail"),
]
