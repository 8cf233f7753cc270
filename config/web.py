"""Responses shared by pages and endpoints: refusals, fragments, versions (ETags).

**A page that acts** (start, publish, drop …). The service raises ``RuleError``; the view does
not catch it::

    @posted
    def start(request, slug):
        start_event(event=..., by=request.user)
        return done(request, _("The event has started."), "tournaments:desk", slug)

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

**The API**: ``config.api.api_error`` answers ``{"code", "detail", "request_id", …}``; values of
the ``RuleError`` that JSON can carry (``matches=[3, 4]``) stand beside them.

**Fragments and versions**::

    tag = version_tag(request, event.version)
    return not_modified(request, tag) or page(
        request, "tournaments/standings.html", context, fragment="tournaments/_rows.html", tag=tag)
"""

from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_POST
from django.views.generic import FormView, View

from config.api import refusal_data, status_code
from config.problems import PROBLEM, GoneError, referring_path
from config.wording import add_refusal, explain
from rules.errors import RuleError


# --- Refusals on pages -------------------------------------------------------------------
def refusal(
    request: HttpRequest, error: RuleError, *, back: str = "", label: str = ""
) -> HttpResponse:
    """Return the response to a ``RuleError``.

    JSON under /api/ and for a script, a message for htmx, else a page that leads ``back``, by
    default to the page that was left, with this label on its button.
    """
    if request.path.startswith("/api/"):
        return refusal_as_json(request, error)
    if wants_json(request):
        return refused_to_script(error)
    status = status_code(error)
    back = back or referring_path(request)
    context = {"sentence": explain(error), "code": error.code, "back": back, "label": label}
    if is_fragment(request):
        response = render(request, "components/refusal.html", context, status=status)
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "innerHTML"
        return response
    return render(request, "errors/refused.html", context, status=status)


def refusal_as_json(request: HttpRequest, error: RuleError) -> JsonResponse:
    """Return the response of the API to a ``RuleError``."""
    data = refusal_data(request, error)
    return JsonResponse(data, status=status_code(error), content_type=PROBLEM)


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script of a page sent the request; it shows the sentence itself."""
    return "application/json" in request.headers.get("Accept", "")


def refused_to_script(error: RuleError | GoneError) -> JsonResponse:
    """Return the answer to a script whose request is refused."""
    if isinstance(error, GoneError):
        status, code, sentence = int(HTTPStatus.NOT_FOUND), "gone", error.sentence
    else:
        status, code, sentence = status_code(error), error.code, explain(error)
    content = {"status": "refused", "code": code, "sentence": sentence}
    return JsonResponse(content, status=status)


def rule_errors(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a function view so that a ``RuleError`` becomes a ``refusal``."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except RuleError as error:
            return refusal(request, error)

    return guarded


def posted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a function view that acts: POST alone, and ``rule_errors``."""
    return require_POST(rule_errors(view))


def done(
    request: HttpRequest, words: str, to: str, *args: object, tone: int = messages.SUCCESS
) -> HttpResponse:
    """Return a redirect to a page that shows the sentence; ``tone`` is a level of messages."""
    messages.add_message(request, tone, words)
    return redirect(to, *args)


class RuleErrors(View):
    """View mixin: on a ``RuleError`` of ``post``, render ``get`` with its sentence as a message."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the view's response, or the page of the refusal if it raises a RuleError."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except RuleError as error:
            show = getattr(self, "get", None)
            if show is None or request.method in ("GET", "HEAD") or is_fragment(request):
                return refusal(request, error)
            messages.error(request, explain(error))
            response = show(request, *args, **kwargs)
            response.status_code = status_code(error)
            return response


class RuleFormView(FormView):  # type: ignore[type-arg]
    """A page with one form; ``act`` calls one service and returns the response.

    ``beside`` maps codes of errors to the fields at which they are shown.
    """

    beside: Mapping[str, str] = {}

    def act(self, form: Any) -> HttpResponse:
        """Perform the action of a valid form and return the response, usually a redirect."""
        raise NotImplementedError

    def form_valid(self, form: Form) -> HttpResponse:
        """Act; show a ``RuleError`` above the form or at its field, keeping the input."""
        try:
            return self.act(form)
        except RuleError as error:
            add_refusal(form, error, self.beside)
            response = self.form_invalid(form)
            response.status_code = status_code(error)
            return response

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the form again, with status 400."""
        response = super().form_invalid(form)
        response.status_code = HTTPStatus.BAD_REQUEST
        return response


# --- Whole page or fragment; versions ----------------------------------------------------
def is_fragment(request: HttpRequest) -> bool:
    """Return whether htmx requests a fragment (not a boosted link or its history)."""
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx) and not (htmx.boosted or htmx.history_restore_request)


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    fragment: str | None = None,
    tag: str | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render the whole page, or for htmx only the fragment; ``tag`` is from ``version_tag``."""
    name = fragment if fragment and is_fragment(request) else template
    response = render(request, name, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    if tag:
        response["ETag"] = tag
        response["Cache-Control"] = "private, no-cache"
    return response


def version_tag(request: HttpRequest, *versions: object) -> str:
    """Return an ETag of versions, language, reader, and page or fragment."""
    user = getattr(request, "user", None)
    parts = (*versions, get_language(), getattr(user, "pk", None), is_fragment(request))
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:20]}"'


def not_modified(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return a 304 response if the client has this version, else None."""
    response = get_conditional_response(request, etag=tag)
    return response if response is not None and response.status_code == 304 else None
