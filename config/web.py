"""Responses shared by pages and endpoints: refusals, fragments, versions (ETags).

**A page that acts** (start, publish, drop …). The service raises ``RuleError``; the view does
not catch it::

    @post_only
    def start(request, slug):
        start_event(event=..., by=request.user)
        return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)

The error becomes a page with its message, a link back and status 409 (400 for ``BadInput``).
An htmx request gets the message alone, swapped into the messages region of the open page.

**A page with a form**: the input stays, the message stands above the form::

    class Register(RuleFormView):
        template_name, form_class = "tournaments/register.html", RegisterForm

        def act(self, form):                      # raises RuleError, or responds
            entry = register_player(name=form.cleaned_data["name"], ...)
            return redirect(entry)

**A class-based page** whose ``post`` acts and whose ``get`` shows: ``class X(RuleErrorMixin)``.
After an error ``get`` renders the page again, with the message and status 409.

**The API**: ``config.api.api_exception_handler`` answers ``{"code", "detail", "request_id", …}``;
values of the ``RuleError`` that JSON can carry (``matches=[3, 4]``) stand beside them.

**Fragments and versions**::

    tag = version_tag(request, event.version)
    return not_modified_response(request, tag) or render_page(
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

from config.api import rule_error_data, status_code
from config.problems import PROBLEM, GoneError, referring_path
from config.wording import add_rule_error, error_message
from rules.errors import RuleError


# --- Refusals on pages -------------------------------------------------------------------
def rule_error_response(
    request: HttpRequest, error: RuleError, *, back: str = "", label: str = ""
) -> HttpResponse:
    """Return the response to a RuleError: 400 for BadInput, else 409.

    JSON under /api/ and for scripts, a fragment for htmx, else a page. back: URL of the page's
    button, by default the referring page; label: its text.
    """
    if request.path.startswith("/api/"):
        return rule_error_json(request, error)
    if wants_json(request):
        return script_error_response(error)
    status = status_code(error)
    back = back or referring_path(request)
    context = {"sentence": error_message(error), "code": error.code, "back": back, "label": label}
    if is_fragment_request(request):
        response = render(request, "components/refusal.html", context, status=status)
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "innerHTML"
        return response
    return render(request, "errors/refused.html", context, status=status)


def rule_error_json(request: HttpRequest, error: RuleError) -> JsonResponse:
    """Return the API's response to a RuleError, a problem document."""
    data = rule_error_data(request, error)
    return JsonResponse(data, status=status_code(error), content_type=PROBLEM)


def wants_json(request: HttpRequest) -> bool:
    """Return whether the request accepts JSON, as those of scripts do."""
    return "application/json" in request.headers.get("Accept", "")


def script_error_response(error: RuleError | GoneError) -> JsonResponse:
    """Return the JSON response to a script: ``status`` "refused", ``code``, ``sentence``.

    The HTTP status is 404 for GoneError, 400 for BadInput, else 409.
    """
    if isinstance(error, GoneError):
        status, code, sentence = int(HTTPStatus.NOT_FOUND), "gone", error.sentence
    else:
        status, code, sentence = status_code(error), error.code, error_message(error)
    content = {"status": "refused", "code": code, "sentence": sentence}
    return JsonResponse(content, status=status)


def handle_rule_errors(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a function view: respond to a RuleError with ``rule_error_response``."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except RuleError as error:
            return rule_error_response(request, error)

    return guarded


def post_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a function view: accept POST only, and ``handle_rule_errors``."""
    return require_POST(handle_rule_errors(view))


def redirect_with_message(
    request: HttpRequest, words: str, to: str, *args: object, tone: int = messages.SUCCESS
) -> HttpResponse:
    """Add a message for the user and redirect.

    words: the message. to, args: URL name and its arguments. tone: a level of
    django.contrib.messages.
    """
    messages.add_message(request, tone, words)
    return redirect(to, *args)


class RuleErrorMixin(View):
    """View mixin: if ``post`` raises a RuleError, render ``get`` with the error as a message."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the view's response, or the page of the refusal if it raises a RuleError."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except RuleError as error:
            show = getattr(self, "get", None)
            if show is None or request.method in ("GET", "HEAD") or is_fragment_request(request):
                return rule_error_response(request, error)
            messages.error(request, error_message(error))
            response = show(request, *args, **kwargs)
            response.status_code = status_code(error)
            return response


class RuleFormView(FormView):  # type: ignore[type-arg]
    """Base class of a page with one form; subclasses define ``act``.

    ``act(form)`` calls a service and returns a response; a RuleError that it raises is shown in the
    form. ``beside``: names of fields by error code, at which such errors are shown.
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
            add_rule_error(form, error, self.beside)
            response = self.form_invalid(form)
            response.status_code = status_code(error)
            return response

    def form_invalid(self, form: Form) -> HttpResponse:
        """Show the form again, with status 400."""
        response = super().form_invalid(form)
        response.status_code = HTTPStatus.BAD_REQUEST
        return response


# --- Whole page or fragment; versions ----------------------------------------------------
def is_fragment_request(request: HttpRequest) -> bool:
    """Return whether htmx requests a fragment of a page, not a whole one."""
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx) and not (htmx.boosted or htmx.history_restore_request)


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    fragment: str | None = None,
    tag: str | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render a page, or for a request by htmx only its ``fragment`` template.

    tag: ETag of the response, from ``version_tag``.
    """
    name = fragment if fragment and is_fragment_request(request) else template
    response = render(request, name, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    if tag:
        response["ETag"] = tag
        response["Cache-Control"] = "private, no-cache"
    return response


def version_tag(request: HttpRequest, *versions: object) -> str:
    """Return a weak ETag of data versions, language, user, and whether it is a fragment.

    versions: any values that change with the page's data.
    """
    user = getattr(request, "user", None)
    parts = (*versions, get_language(), getattr(user, "pk", None), is_fragment_request(request))
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:20]}"'


def not_modified_response(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return a 304 response if the client has the version ``tag``, else None."""
    response = get_conditional_response(request, etag=tag)
    return response if response is not None and response.status_code == 304 else None
