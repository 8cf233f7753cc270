"""Forms that a script keeps and sends until they are answered: stored once each."""

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseRedirectBase

from config import transaction
from config.api import status_of
from config.problems import GoneError
from config.wording import explain
from rules.errors import RuleError
from tournaments.core.given_answers import HEADER, LONGEST_KEY, given_answer
from tournaments.pages.acting import unreadable_request, wants_json

View = Callable[..., HttpResponse]
TAKEN_OUT = ("csrfmiddlewaretoken", "late")
"""What may differ between two tries of the same form."""

MEANWHILE = "undo"
"""What a later try is not told: others have acted since."""


def sent_once(view: View) -> View:
    """Decorate a view: a script's POST with an Idempotency-Key gets JSON, the same each time.

    The answer has ``status`` (saved or refused), a ``sentence``, and ``to``: the page that a form
    sent without script leads to. That page says the sentence, unless the form came ``late``: then
    the reader is elsewhere, and the script says it. Refusals are kept under no key, nor is what a
    player sends by a personal link: the view knows by itself what it has stored already.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **parts: Any) -> HttpResponse:
        key = request.headers.get(HEADER, "")[:LONGEST_KEY]
        is_sent = request.method == "POST" and key and wants_json(request)
        if not is_sent:
            return view(request, *args, **parts)
        answer = _answer_once if request.user.is_authenticated else _answer_again
        try:
            status, body = answer(lambda: view(request, *args, **parts), request, key)
        except RuleError as error:
            status = status_of(error)
            body = {"status": "refused", "code": error.code, "sentence": explain(error)}
        except GoneError as gone:
            status, body = 404, {"status": "refused", "code": "gone", "sentence": gone.sentence}
        return JsonResponse(body, status=status)

    return guarded


@transaction.atomic
def _answer_once(act: View, request: HttpRequest, key: str) -> tuple[int, Any]:
    """Act and keep the answer in one transaction, or return the answer kept."""
    kept, is_new = given_answer(request.user, key, _fingerprint(request), unreadable_request())
    if not is_new:
        return kept.status, kept.body
    status, body = _answer_again(act, request, key)
    if status >= 400:
        kept.delete()
    else:
        kept.status = status
        kept.body = {name: value for name, value in body.items() if name != MEANWHILE}
        kept.save(update_fields=["status", "body"])
    return status, body


def _answer_again(act: View, request: HttpRequest, _key: str) -> tuple[int, Any]:
    """Act, whether or not the request came before."""
    response = act()
    status = 200 if isinstance(response, HttpResponseRedirectBase) else response.status_code
    return status, _json_body(request, response)


def _fingerprint(request: HttpRequest) -> str:
    sent = {name: found for name, found in request.POST.lists() if name not in TAKEN_OUT}
    text = json.dumps([request.path, sent], sort_keys=True)
    return sha256(text.encode()).hexdigest()


def _json_body(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    if isinstance(response, HttpResponseRedirectBase):
        return {"status": "saved", "sentence": _sentence(request), "to": response.url}
    body: dict[str, Any] = json.loads(response.content)
    return body


def _sentence(request: HttpRequest) -> str:
    """Return the messages for the next page as one text; they stay unless the form came late."""
    told = messages.get_messages(request)
    shown = list({str(each): each for each in told}.values())  # of two tries once
    if request.POST.get("late") != "yes":
        for each in shown:
            messages.add_message(request, each.level or messages.INFO, each.message)
    return " ".join(str(each) for each in shown)
