"""Personal links for all players at once: shown once, as a list, as cards of paper, or by mail."""

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, get_connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.mail import NOT_SENT
from config.addresses import absolute
from config.shown_once import hand_over, handed_over, kept_out_of_caches
from config.web import page, rule_errors, status_of
from config.wording import explain
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.models import Entry, Event
from tournaments.pages.access import organiser_event
from tournaments.paper.contents import people
from tournaments.paper.views import paper_of, pdf
from tournaments.players.selectors.players import links_made
from tournaments.players.services.links import make_links


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link for every player; show them once, for ten minutes."""
    event, actor = organiser_event(request, slug)
    context = {"event": event, "actor": actor, "sends_mail": settings.SENDS_MAIL}
    status = 200
    if request.method == "POST":
        try:
            return hand_over(request, request.path, make_links(event=event, by=actor))
        except RuleError as error:
            context["error"], status = explain(error), status_of(error)
    addresses = _addresses(request, event)
    context["addresses"] = addresses
    context["text"] = "\n".join(f"{entry.name}: {url}" for entry, url in addresses.items())
    context["with_mail"] = sum(bool(_mail_of(entry)) for entry in addresses)
    context["players"] = event.entries.playing().count()
    shown = page(request, "tournaments/players/links.html", context, status=status)
    return kept_out_of_caches(shown)


@require_safe
def cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the links that were made just now as cards to cut; else the page that makes them."""
    event, _actor = organiser_event(request, slug)
    addresses = _addresses(request, event)
    if not addresses:
        words = _("The links are shown for ten minutes after they were made. Make new ones.")
        messages.warning(request, words)
        return redirect("tournaments:manage-links", slug)
    content = people.links(event, addresses, timezone.now())
    return pdf(content, "links", paper_of(request), f"{event.slug}-links")


@require_POST
@rule_errors
def mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Send each player with an address the link that was made just now."""
    event, _actor = organiser_event(request, slug)
    addresses = {e: url for e, url in _addresses(request, event).items() if _mail_of(e)}
    if not (addresses and settings.SENDS_MAIL):
        raise RuleError(
            "nothing_to_send",
            gettext_noop("There is nothing to send. Nothing was sent: make the links first."),
        )
    sent, failed = _sent(event, addresses)
    if sent:
        words = ngettext("%(count)s mail is on its way.", "%(count)s mails are on their way.", sent)
        messages.success(request, words % {"count": sent})
    if failed:
        names = ", ".join(entry.name for entry in failed)
        messages.error(request, _("Not sent: %(names)s. Hand these links on.") % {"names": names})
    return redirect("tournaments:manage-links", slug)


def _addresses(request: HttpRequest, event: Event) -> dict[Entry, str]:
    """Return the addresses of the links made just now, by player; none when the time is over."""
    made_at = reverse("tournaments:manage-links", args=[event.slug])
    secret = handed_over(request, address=made_at)
    if not secret:
        return {}
    return {
        entry: absolute(request, reverse("tournaments:open-link", args=[token]))
        for entry, token in links_made(event, secret).items()
    }


def _mail_of(entry: Entry) -> str:
    return entry.user.email if entry.user else ""


def _sent(event: Event, addresses: dict[Entry, str]) -> tuple[int, list[Entry]]:
    """Send the mails over one connection; return their number, and who got none."""
    sent, failed = 0, []
    subject = f"Girone: {' '.join(event.name.split())}"
    connection = get_connection()
    try:
        connection.open()
        for entry, url in addresses.items():
            context = {"event": event, "entry": entry, "url": url}
            text = render_to_string("tournaments/players/link.txt", context).strip()
            try:
                EmailMessage(subject, text, None, [_mail_of(entry)], connection=connection).send()
                sent += 1
            except NOT_SENT:
                failed.append(entry)
        connection.close()
    except NOT_SENT:
        failed = [*failed, *list(addresses)[sent + len(failed) :]]
    return sent, failed
