"""Pages that poll for changes, the clock's header, QR codes, what the staff's acts share, and
storing once what a script sends until it is answered.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar

import segno
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import resolve, reverse
from django.utils.html import strip_spaces_between_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config import transaction
from config.api import status_code
from config.problems import GoneError
from config.web import (
    not_modified_response,
    render_page,
    script_error_response,
    version_tag,
    wants_json,
)
from config.wording import error_message
from rules.errors import BadInput, RuleError
from tournaments.core.clocks import clock_header
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import visible_announcements
from tournaments.log.services import IDEMPOTENCY_KEY, LONGEST_KEY, stored_api_response
from tournaments.matches.selectors import find_match
from tournaments.models import Event, Match
from tournaments.pages.access import allow_caching, find_actor, find_staff_event, find_visible_event

CLOCK = "X-Clock"


def add_clock_header(response: HttpResponse, facts: EventFacts) -> HttpResponse:
    """Add the ``X-Clock`` header (round timer) to a response; return it. No query."""
    if header := clock_header(facts):
        response[CLOCK] = header
    return response


ContextOf = Callable[[EventFacts], Mapping[str, Any]]


def polling_page(
    request: HttpRequest,
    slug: str,
    template: str | Callable[[EventFacts], str],
    context_of: ContextOf,
) -> HttpResponse:
    """Return a page of an event that polls for changes.

    A polling request gets a fragment, or 304 if nothing changed. template: name, or function of the
    facts that returns it; ``rounds/pairings.html`` has the fragment ``rounds/_pairings.html``.
    context_of: function of the facts that returns the template's context.
    """
    event, actor = find_visible_event(request, slug)
    facts = read_facts(event)
    if not isinstance(template, str):
        template = template(facts)
    folder, _slash, name = template.rpartition("/")
    announced = visible_announcements(facts)
    shown_announcements = [each.pk for each in announced]
    tag = version_tag(request, event.version, name, request.GET.urlencode(), *shown_announcements)
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := not_modified_response(request, tag)):
        return add_clock_header(same, facts)
    context = {"event": event, "actor": actor, "own_number": _own_number(actor, event)}
    context |= {"facts": facts}
    context |= {"announcements": announced, "fragment": f"{folder}/_{name}"}
    context |= context_of(facts)
    allow_caching(request, actor, event, clock=True)
    response = render_page(
        request,
        template,
        context,
        fragment="tournaments/public/_live.html",
        tag=tag if polls else None,
    )
    return add_clock_header(response, facts) if polls else response


def _own_number(actor: Actor, event: Event) -> int:
    entry = actor.entry_in(event)
    return entry.number if entry else 0


def qr_code(text: str) -> SafeString:
    """Return a text as a QR code in inline SVG, which the CSP allows."""
    drawn = segno.make_qr(text, error="m").svg_inline(
        border=3, light="#fff", dark="#000", svgclass="qr", lineclass=None, omitsize=True
    )
    return mark_safe(drawn)  # noqa: S308 - made of squares, not of the text


def strip_scheme(address: str) -> str:
    """Return a URL without its scheme and trailing slash, for printing."""
    return address.split("://", 1)[-1].rstrip("/")


AS_IS = "%(problem)s"
"""The sentence of a form, which is in the reader's language already."""
View = Callable[..., HttpResponse]
F = TypeVar("F", bound=Form)


def find_staff_match(request: HttpRequest, slug: str, match_id: int) -> tuple[Match, Actor]:
    """Return (match, actor) for a page of the staff.

    PermissionDenied for others; GoneError (404) if the match was deleted.
    """
    event, actor = find_staff_event(request, slug)
    match = find_match(event, match_id)
    if match is None:
        words = _("This match no longer exists.")
        raise GoneError(words, back=reverse("tournaments:desk", args=[slug]))
    return match, actor


def parse_posted_number(request: HttpRequest, name: str) -> int:
    """Return a POST parameter as an integer; raises BadInput ``bad_request``."""
    value = request.POST.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) < 9):
        raise bad_request_error()
    return int(value)


def bad_request_error() -> BadInput:
    """Return the BadInput ``bad_request``, for a request that no page of this site sends."""
    return BadInput("bad_request", "Reload the page and try again.")


def require_valid_form(form: F) -> F:
    """Return a bound form if it is valid; else raise BadInput with its first error."""
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        label = form.fields[name].label if name in form.fields else None
        raise BadInput(
            "bad_request",
            AS_IS,
            problem=f"{label}: {problems[0]}" if label else str(problems[0]),
        )
    return form


def is_from_floor(request: HttpRequest) -> bool:
    """Return whether a form was sent from the judges' phone page."""
    return request.POST.get("back") == "floor"


def origin_url_name(request: HttpRequest) -> str:
    """Return the URL name of the page that sent a form: the judges' phone page or the desk."""
    return "tournaments:floor" if is_from_floor(request) else "tournaments:desk"


def redirect_to_origin(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the page that sent a form: the judges' phone page or the desk."""
    return redirect(origin_url_name(request), slug)


def call_view(name: str, request: HttpRequest, **parts: Any) -> HttpResponse:
    """Call the view of a URL name with this request; return its response.

    parts: the URL's arguments.
    """
    found = resolve(reverse(name, kwargs=parts))
    page: HttpResponse = found.func(request, **found.kwargs)
    return page


def render_origin(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the page that sent a form (desk or judges' phone page), to show an error on it."""
    return call_view(origin_url_name(request), request, slug=slug)


def render_for_script(request: HttpRequest, template: str, context: dict[str, Any]) -> str:
    """Return a rendered template without space between tags, to be sent to a script."""
    part = render_to_string(template, context, request=request)
    return strip_spaces_between_tags(part.strip())


def render_undo_buttons(request: HttpRequest, event: Event, actor: Actor) -> str:
    """Return the HTML of the desk's undo and redo buttons; one query for organisers."""
    context = {"event": event, "actor": actor}
    return render_for_script(request, "tournaments/desk/_last_acts.html", context)


def saved_response(request: HttpRequest, sentence: str, match: Match) -> HttpResponse:
    """Return the response after an action on a match was saved.

    A script gets JSON with ``sentence`` and the undo buttons. Others are redirected to the desk or
    the judges' phone page if the form names it in ``back``, else to the match's page.
    """
    event = match.round.event
    if wants_json(request):
        undo = render_undo_buttons(request, event, find_actor(request, event))
        return JsonResponse({"status": "saved", "sentence": sentence, "undo": undo})
    messages.success(request, sentence)
    if request.POST.get("back") in ("desk", "floor"):
        return redirect_to_origin(request, event.slug)
    return redirect("tournaments:match", event.slug, match.pk)


def action_view(show: str | View, *kept: str) -> Callable[[View], View]:
    """Return a decorator for POST views of an event: a RuleError is shown on another page.

    show: view or URL name of that page, rendered with the message and the error's status. kept:
    names of its URL arguments besides the slug. A script gets the message as JSON.
    """
    render = partial(call_view, show) if isinstance(show, str) else show

    def decorate(view: View) -> View:
        @require_POST
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **parts: Any) -> HttpResponse:
            try:
                return view(request, slug, **parts)
            except RuleError as error:
                if wants_json(request):
                    return script_error_response(error)
                messages.error(request, error_message(error))
                response = render(request, slug=slug, **{name: parts[name] for name in kept})
                response.status_code = status_code(error)
                return response

        return guarded

    return decorate


TAKEN_OUT = ("csrfmiddlewaretoken", "late")
"""What may differ between two tries of the same form."""

MEANWHILE = "undo"
"""What a later try is not told: others have acted since."""


def repeatable_post(view: View) -> View:
    """Decorate a view so that scripts get JSON and can repeat a POST safely.

    The JSON has ``status`` (saved or refused), ``sentence``, and ``to``, the page to open, which
    also shows the message unless the form was sent ``late``. A repeated Idempotency-Key of a
    signed-in user gets the stored response; errors are not stored.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **parts: Any) -> HttpResponse:
        if request.method != "POST" or not wants_json(request):
            return view(request, *args, **parts)
        key = request.headers.get(IDEMPOTENCY_KEY, "")[:LONGEST_KEY]

        def act() -> HttpResponse:
            return _for_script(request, view(request, *args, **parts))

        try:
            is_kept = key and request.user.is_authenticated
            return _answer_once(act, request, key) if is_kept else act()
        except (RuleError, GoneError) as error:
            return script_error_response(error)

    return guarded


@transaction.atomic
def _answer_once(act: Callable[[], HttpResponse], request: HttpRequest, key: str) -> HttpResponse:
    """Act and keep the answer in one transaction, or return the answer kept."""
    kept, is_new = stored_api_response(
        request.user, key, _fingerprint(request), bad_request_error()
    )
    if not is_new:
        return JsonResponse(kept.body, status=kept.status)
    response = act()
    if isinstance(response, JsonResponse) and response.status_code < HTTPStatus.BAD_REQUEST:
        body = json.loads(response.content)
        kept.status = response.status_code
        kept.body = {name: value for name, value in body.items() if name != MEANWHILE}
        kept.save(update_fields=["status", "body"])
    else:
        kept.delete()
    return response


def _for_script(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return what a script is told in place of a redirect; JSON, and a page that asks, as it is."""
    if not isinstance(response, HttpResponseRedirectBase):
        return response
    body = {"status": "saved", "sentence": _sentence(request), "to": response.url}
    return JsonResponse(body)


def _fingerprint(request: HttpRequest) -> str:
    sent = {name: found for name, found in request.POST.lists() if name not in TAKEN_OUT}
    text = json.dumps([request.path, sent], sort_keys=True)
    return sha256(text.encode()).hexdigest()


def _sentence(request: HttpRequest) -> str:
    """Return the messages for the next page as one text; they stay unless the form came late."""
    told = messages.get_messages(request)
    shown = list({str(each): each for each in told}.values())  # of two tries once
    if request.POST.get("late") != "yes":
        for each in shown:
            messages.add_message(request, each.level or messages.INFO, each.message)
    return " ".join(str(each) for each in shown)
