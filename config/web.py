"""Answers that every page and endpoint shares: refusals, error pages, fragments, versions.

**A page that acts** (start, publish, drop …). The service raises ``RuleError``; the view does
not catch it::

    @require_POST
    @rule_errors
    def start(request, slug):
        start_event(event=..., by=request.user)
        messages.success(request, _("The event has started."))
        return redirect(...)

A refusal becomes a page with the sentence, a way back and status 409 (400 for ``BadInput``).
An htmx request gets the sentence alone, swapped into the messages region of the open page.

**A page with a form**: what was typed stays, the sentence stands above the form::

    class Register(RuleFormView):
        template_name, form_class = "tournaments/register.html", RegisterForm

        def act(self, form):                      # raises RuleError, or answers
            entry = register_player(name=form.cleaned_data["name"], ...)
            return redirect(entry)

**A class-based page** whose ``post`` acts and whose ``get`` shows: ``class X(RuleErrors, View)``.
After a refusal ``get`` draws the page again, with the sentence as a message and status 409.

**The API**: ``api_error`` (set in REST_FRAMEWORK) answers ``{"code", "detail", "request_id", …}``;
values of the ``RuleError`` that JSON can carry (``matches=[3, 4]``) stand beside them.

**Fragments and versions**::

    tag = version_tag(request, event.version)
    return unchanged(request, tag) or page(
        request, "tournaments/standings.html", context, fragment="tournaments/_rows.html", tag=tag)
"""

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.db import DatabaseError, OperationalError
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext
from django.views.generic import FormView, View
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from config.wording import explain, translate
from rules.errors import BadInput, RuleError
from rules.wording import Sentence

RETRY_SECONDS = 5


def status_of(error: RuleError) -> int:
    """Return 400 for what cannot be meant, 409 for what is not possible now."""
    return HTTPStatus.BAD_REQUEST if isinstance(error, BadInput) else HTTPStatus.CONFLICT


# --- Refusals on pages -------------------------------------------------------------------
def way_back(request: HttpRequest) -> str:
    """Return the path of the page that the reader came from, or the front page."""
    referer = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(
        referer, {request.get_host()}, require_https=request.is_secure()
    ):
        return urlsplit(referer)._replace(scheme="", netloc="").geturl() or "/"
    return "/"


def refusal(request: HttpRequest, error: RuleError) -> HttpResponse:
    """Answer a refused step: JSON under /api/, a message for htmx, else a page of its own."""
    status = status_of(error)
    if request.path.startswith("/api/"):
        return JsonResponse(refusal_data(request, error), status=status)
    context = {"sentence": explain(error), "code": error.code, "back": way_back(request)}
    if is_fragment(request):
        response = render(request, "components/refusal.html", context, status=status)
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "innerHTML"
        return response
    return render(request, "errors/refused.html", context, status=status)


def rule_errors(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Turn a ``RuleError`` of a function view into an answer that says what to do."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except RuleError as error:
            return refusal(request, error)

    return guarded


class RuleErrors(View):
    """A page whose ``post`` acts: a refusal draws ``get`` again with the sentence as message."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request, or the refusal."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except RuleError as error:
            show = getattr(self, "get", None)
            if show is None or request.method in ("GET", "HEAD") or is_fragment(request):
                return refusal(request, error)
            messages.error(request, explain(error))
            response = show(request, *args, **kwargs)
            response.status_code = status_of(error)
            return response


class RuleFormView(FormView):  # type: ignore[type-arg]
    """A page with one form; ``act`` calls one service and answers."""

    def act(self, form: Form) -> HttpResponse:
        """Do what the form asks for and answer, usually by a redirect."""
        raise NotImplementedError

    def form_valid(self, form: Form) -> HttpResponse:
        """Act; a refusal stands above the form, and what was typed stays."""
        try:
            return self.act(form)
        except RuleError as error:
            form.add_error(None, explain(error))
            response = self.form_invalid(form)
            response.status_code = status_of(error)
            return response

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the form again, with status 400."""
        response = super().form_invalid(form)
        response.status_code = HTTPStatus.BAD_REQUEST
        return response


# --- Whole page or fragment; versions ----------------------------------------------------
def is_fragment(request: HttpRequest) -> bool:
    """Say whether htmx asks for a part of a page (not a boosted link or its history)."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    fragment: str | None = None,
    tag: str | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render the whole page, or for htmx the fragment alone; ``tag`` from ``version_tag``."""
    name = fragment if fragment and is_fragment(request) else template
    response = render(request, name, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    if tag:
        response["ETag"] = tag
        response["Cache-Control"] = "private, no-cache"
    return response


def version_tag(request: HttpRequest, *versions: object) -> str:
    """Return an ETag out of versions, the language, the reader, and page or fragment."""
    user = getattr(request, "user", None)
    parts = (*versions, get_language(), getattr(user, "pk", None), is_fragment(request))
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:20]}"'


def unchanged(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return 304 when the reader already holds this version."""
    response = get_conditional_response(request, etag=tag)
    return response if response is not None and response.status_code == 304 else None


# --- Error pages -------------------------------------------------------------------------
def error_words(status: int) -> tuple[str, str]:
    """Return title and sentence of an error page in the active language."""
    return {
        400: (
            gettext("This request cannot be read"),
            gettext("Nothing was stored. Go back, load the page again and try once more."),
        ),
        403: (
            gettext("This page is not open to you"),
            gettext("Sign in with the account that has the right, or ask the organiser."),
        ),
        404: (
            gettext("There is no such page"),
            gettext("The address may be mistyped, or the page is not public."),
        ),
        405: (
            gettext("This address does not work that way"),
            gettext("Nothing was stored. Open the page and use its buttons."),
        ),
        429: (
            gettext("Too many requests"),
            gettext("Nothing was stored. Wait a minute, then try again."),
        ),
        500: (
            gettext("Something broke on our side"),
            gettext("What was saved before is safe. Load the page again and look before retrying."),
        ),
        503: (
            gettext("The site is busy for a moment"),
            gettext("Nothing was stored. Wait a few seconds, then send it again."),
        ),
    }[status]


ERROR_CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    429: "throttled",
    500: "server_error",
    503: "busy",
}


def error_page(
    request: HttpRequest, status: int, *, sentence: str = "", code: str = ""
) -> HttpResponse:
    """Answer an error: JSON under /api/, else a page with the request's number."""
    title, usual = error_words(status)
    sentence, code = sentence or usual, code or ERROR_CODES[status]
    if request.path.startswith("/api/"):
        data = {"code": code, "detail": sentence, "request_id": number_of(request)}
        return JsonResponse(data, status=status)
    context = {
        "title": title,
        "sentence": sentence,
        "code": code,
        "status": status,
        "request_id": number_of(request),
        "back": way_back(request),
    }
    return render(request, "errors/error.html", context, status=status)


def number_of(request: HttpRequest) -> str:
    """Return the number under which the log knows this request."""
    return getattr(request, "id", "-")


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 400."""
    try:
        return error_page(request, 400)
    except Exception:  # noqa: BLE001 - an unknown Host header breaks every page that needs it
        return HttpResponse("400", status=400, content_type="text/plain")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 403, with the sentence of ``PermissionDenied("…")`` if there is one."""
    return error_page(request, 403, sentence=str(exception or ""))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 for a form without a valid token."""
    sentence = gettext("This form is too old. Nothing was stored: load the page and send it again.")
    return error_page(request, 403, sentence=sentence, code="csrf")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 404."""
    return error_page(request, 404)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 429."""
    response = error_page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 when the database was busy; with a plain page as the last resort."""
    error = sys.exc_info()[1]
    if error is not None and is_busy(error):
        return busy_page(request, error)
    try:
        return error_page(request, 500)
    except Exception:  # noqa: BLE001 - the page that says "broken" must not break
        return HttpResponse("500", status=500, content_type="text/plain")


# --- A busy or full database -------------------------------------------------------------
def is_busy(error: BaseException) -> bool:
    """Say whether another writer holds the database, or its disk is full or read-only."""
    return isinstance(error, OperationalError) and any(
        words in str(error).lower()
        for words in ("locked", "disk is full", "readonly", "disk i/o", "too many clients")
    )


def busy_words(error: BaseException) -> tuple[str, str]:
    """Return code and sentence for ``is_busy`` errors."""
    if "full" in str(error).lower() or "readonly" in str(error).lower():
        return "storage_full", gettext(
            "Nothing was stored: there is no room on the disk. Ask the organiser to free some."
        )
    return "busy", error_words(503)[1]


def busy_page(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Answer 503 with Retry-After."""
    code, sentence = busy_words(error)
    response = error_page(request, 503, sentence=sentence, code=code)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


# --- API ---------------------------------------------------------------------------------
def in_json(value: object) -> object:
    """Return a value of a ``RuleError`` as JSON can carry it."""
    if isinstance(value, Sentence):
        return translate(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {str(key): in_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [in_json(item) for item in value]
    return value if isinstance(value, int | float | None) else str(value)


def refusal_data(request: HttpRequest, error: RuleError) -> dict[str, object]:
    """Return the body of a 400 or 409 of the API."""
    extra = {key: in_json(value) for key, value in error.sentence.values.items()}
    named = {"code": error.code, "detail": explain(error), "request_id": number_of(request)}
    return extra | named


def api_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an exception of the API with ``code``, ``detail`` and what else is known."""
    request = context["request"]
    number = {"request_id": number_of(request)}
    if isinstance(error, RuleError):
        return Response(refusal_data(request, error), status=status_of(error))
    if isinstance(error, DatabaseError) and is_busy(error):
        code, sentence = busy_words(error)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        return Response({"code": code, "detail": sentence, **number}, status=503, headers=headers)
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    if isinstance(error, ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"errors": error.detail}
        detail = gettext("Some fields are not right. Nothing was stored.")
        response.data = {"code": "invalid", "detail": detail, **number, **fields}
    elif isinstance(response.data, dict):
        codes = getattr(error, "get_codes", lambda: None)()
        code = codes if isinstance(codes, str) else ERROR_CODES.get(response.status_code, "error")
        response.data = {"code": code, **response.data, **number}
    return response
