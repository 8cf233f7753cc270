"""Forms that a script keeps and sends until they are answered: stored once each."""

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseRedirectBase

from config import transaction
from config.problems import GoneError
from config.web import refused_to_script, wants_json
from rules.errors import RuleError
from tournaments.core.given_answers import IDEMPOTENCY_KEY, LONGEST_KEY, given_answer
from tournaments.pages.views import unreadable_request

View = Callable[..., HttpResponse]
TAKEN_OUT = ("csrfmiddlewaretoken", "late")
"""What may differ between two tries of the same form."""

MEANWHILE = "undo"
"""What a later try is not told: others have acted since."""


def sent_once(view: View) -> View:
    """Decorate a view: a script's POST gets JSON, with an Idempotency-Key the same each time.

    The answer has ``status`` (saved or refused), a ``sentence``, and ``to``: the page that a form
    sent without script leads to. That page says the sentence, unless the form came ``late``: then
    the reader is elsewhere, and the script says it. Refusals are kept under no key, nor is what a
    player sends by a personal link: the view knows by itself what it has stored already.
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
            return refused_to_script(error)

    return guarded


@transaction.atomic
def _answer_once(act: Callable[[], HttpResponse], request: HttpRequest, key: str) -> HttpResponse:
    """Act and keep the answer in one transaction, or return the answer kept."""
    kept, is_new = given_answer(request.user, key, _fingerprint(request), unreadable_request())
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
