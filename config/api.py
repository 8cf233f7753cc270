"""Errors of the API as problem documents (RFC 9457) with ``code``, ``request_id`` and more.

A 400 names each invalid field under ``errors``, and also at the top level unless a member of the
document has that name.
"""

from collections.abc import Mapping
from fractions import Fraction
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest
from django.utils.translation import gettext
from rest_framework.exceptions import NotAuthenticated, NotFound, Throttled, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from config.problems import (
    ERROR_CODES,
    PROBLEM,
    RETRY_SECONDS,
    current_request_id,
    describe_busy_error,
    error_texts,
    is_busy,
    problem_document,
)
from config.wording import error_message, translate
from rules.errors import BadInput, RuleError
from rules.json_reader import Reader, WrongValue
from rules.wording import Sentence

FIELDS = {
    "seed_taken": "seed",
    "bad_seed": "seed",
    "bad_order": "order",
    "bad_missed": "late",
    "bad_pair": "players",
    "bad_table": "table",
    "choose_one": "players",
    "choose_two": "players",
    "impossible_minutes": "minutes",
    "no_code_found": "photo",
    "no_photo": "photo",
    "none_chosen": "players",
    "not_confirmed": "confirm",
    "not_regular": "players",
    "photo_too_large": "photo",
    "player_twice": "players",
    "reason_missing": "reason",
    "same_player": "players",
    "unknown_player": "players",
}
"""The field that an error with this code concerns."""


def status_code(error: RuleError) -> int:
    """Return the HTTP status of a RuleError: 400 for BadInput, else 409."""
    return HTTPStatus.BAD_REQUEST if isinstance(error, BadInput) else HTTPStatus.CONFLICT


def sentence_value_to_json(value: object) -> object:
    """Convert a value of a RuleError's sentence for JSON.

    Sentences are translated; fractions become an integer or text like "1/2"; sets and tuples become
    lists.
    """
    if isinstance(value, Sentence):
        return translate(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {str(key): sentence_value_to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [sentence_value_to_json(item) for item in value]
    return value if isinstance(value, int | float | None) else str(value)


def rule_error_data(request: HttpRequest, error: RuleError) -> dict[str, object]:
    """Return the problem document (the body of a 400 or 409) for a RuleError."""
    extra = {key: sentence_value_to_json(value) for key, value in error.sentence.values.items()}
    named = {
        "code": error.code,
        "detail": error_message(error),
        "request_id": current_request_id(request),
    }
    return problem_document(status_code(error), extra | _wrong_field(error) | named)


def _wrong_field(error: RuleError) -> dict[str, object]:
    """Return the field of a BadInput in the shape of a ValidationError's detail."""
    field = FIELDS.get(error.code) if isinstance(error, BadInput) else None
    if field is None:
        return {}
    words = [error_message(error)]
    return {"errors": {field: words}, field: words}


def field_errors(
    sent: Mapping[str, object], readers: Mapping[str, Reader[Any]]
) -> dict[str, list[str]]:
    """Return the error messages of a request body's fields, by field name.

    readers: parsers by field name, which raise WrongValue. A missing field is parsed as None.
    """
    found: dict[str, list[str]] = {}
    for field, reader in readers.items():
        try:
            reader(sent.get(field))
        except WrongValue as wrong:
            found[field] = [translate(wrong.problem)]
    return found


def api_exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Exception handler for DRF: return a problem document, or None for an unexpected error."""
    request = context["request"]
    error = _as_usual(error, context)
    number = {"request_id": current_request_id(request)}
    if isinstance(error, RuleError):
        data = rule_error_data(request, error)
        return Response(data, status=status_code(error), content_type=PROBLEM)
    if isinstance(error, DatabaseError | InterfaceError) and is_busy(error):
        code, sentence = describe_busy_error(error)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        data = problem_document(503, {"code": code, "detail": sentence, **number})
        return Response(data, status=503, headers=headers, content_type=PROBLEM)
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    if isinstance(error, ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"errors": error.detail}
        detail = gettext("Some fields are invalid.")
        named = {"code": "invalid", "detail": detail, **number}
        response.data = {"errors": fields} | fields | named
    elif isinstance(error, Throttled):
        response.data = {"code": ERROR_CODES[429], "detail": error_texts(429)[1], **number}
    elif isinstance(response.data, dict):
        codes = getattr(error, "get_codes", lambda: None)()
        code = codes if isinstance(codes, str) else ERROR_CODES.get(response.status_code, "error")
        response.data = {"code": code, **response.data, **number}
    response.data = problem_document(response.status_code, response.data)
    response.content_type = PROBLEM
    return response


def _as_usual(error: Exception, context: Mapping[str, Any]) -> Exception:
    """Map Django's exceptions to DRF's: 401 instead of 403 for a client without a token.

    Hidden and missing objects get the same response.
    """
    if isinstance(error, Http404):
        return NotFound()
    request = context["request"]
    if isinstance(error, PermissionDenied) and not request.user.is_authenticated:
        unknown = NotAuthenticated()
        unknown.auth_header = context["view"].get_authenticate_header(request)  # type: ignore[attr-defined]
        return unknown
    return error
