"""The schema of the API: what every call may answer beside its own, and the view that shows it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from rules.json_reader import LARGE

REFUSALS = {
    "400": "A field is wrong, or the result is impossible; nothing was stored.",
    "401": "The token is not valid.",
    "403": "The caller may not do this.",
    "404": "There is no such thing, or not for the caller.",
    "409": "The step is not possible now, or the version is an older one.",
    "429": "Too many requests; Retry-After says when to come back.",
    "503": "The database is busy or full; nothing was stored.",
}
OF_BODIES = {
    "413": "The body is longer than the call needs.",
    "415": "The body is not application/json.",
}
OF_TAGS = {"412": "If-Match names no present ETag; nothing was stored."}
OF_KEYS = {"422": "The Idempotency-Key was used for another request."}
PROBLEM = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string", "description": "the status in words"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "stable, for programs"},
        "detail": {"type": "string", "description": "a sentence in the reader's language"},
        "request_id": {"type": "string"},
    },
    "required": ["type", "title", "status", "code", "detail"],
    "additionalProperties": {},
}


HEEDING = ("/api/v1/events/", "/api/v1/formulas/")
HEEDLESS = frozenset({"/api/v1/events/restore/", "/api/v1/formulas/check/"})
"""Where writes heed If-Match, and which among them change nothing that is read."""
STRICT_QUERIES = frozenset({"/api/v1/formulas/advice/"})
"""Where what stands behind the question mark must have a value; elsewhere it may be left empty."""
UNCHANGED = "What the ETag in If-None-Match stands for is still so."


SUBJECTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        subject: frozenset(parts.split())
        for subject, parts in (
            (
                "Corrections, undo and snapshots",
                "correction effects undo redo snapshots bye strike",
            ),
            ("Decklists and formats", "decklist lists formats"),
            ("Players and joining", "players join apart"),
            ("Rounds, matches and results", "rounds matches texts"),
            ("Standings, draws and prizes", "standings ranking scenarios tie-breaks prizes draws"),
            ("Stages and formulas", "stages plan formulas"),
            ("Calculations without an event", "rank tables"),
            ("Site", "site"),
            ("Events", "events"),
        )
    }
)
"""The subjects of the calls: the first of which an address has a part is a call's tag."""


def api_subject(address: str) -> str:
    """Return the OpenAPI tag of an API path: a key of ``SUBJECTS``, by default "Events"."""
    parts = set(address.replace(".", "/").split("/"))
    return next((name for name, those in SUBJECTS.items() if parts & those), "Events")


def header_parameter(name: str) -> dict[str, Any]:
    """Return the OpenAPI parameter of an optional request header."""
    return {"in": "header", "name": name, "schema": {"type": "string"}, "required": False}


def add_error_responses(result: dict[str, Any], **_more: object) -> dict[str, Any]:
    """Add tags, error responses and headers to every operation of an OpenAPI schema; return it.

    Postprocessing hook of drf-spectacular. POST gets ``Idempotency-Key``, writes to events and
    formulas ``If-Match``, GET ``If-None-Match`` and 304.
    """
    result["components"]["schemas"]["Problems"] = PROBLEM
    result["tags"] = [{"name": name} for name in SUBJECTS]
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            operation["tags"] = [api_subject(path)]
            tagged = method != "get" and path.startswith(HEEDING) and path not in HEEDLESS
            if tagged:
                operation.setdefault("parameters", []).append(header_parameter("If-Match"))
            for parameter in operation.get("parameters", []):
                if parameter["schema"].get("type") == "integer":
                    parameter["schema"] = {"minimum": 0, "maximum": LARGE} | parameter["schema"]
                if parameter["in"] == "query" and path not in STRICT_QUERIES:
                    parameter["allowEmptyValue"] = True
            if method == "get":
                operation["responses"].setdefault("304", {"description": UNCHANGED})
                operation.setdefault("parameters", []).append(header_parameter("If-None-Match"))
            if method == "post":
                operation.setdefault("parameters", []).append(header_parameter("Idempotency-Key"))
            known = REFUSALS | (OF_BODIES if "requestBody" in operation else {})
            known |= OF_KEYS if method == "post" else {}
            known |= OF_TAGS if tagged else {}
            for status, words in known.items():
                answer = {"description": words, "content": content}
                operation["responses"].setdefault(status, answer)
    return result


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call,misc]
    """OpenAPI extension: describes the API's tokens as those of knox."""

    target_class = "accounts.tokens.ApiTokenAuthentication"
    name = "knoxApiToken"


WRITTEN: dict[tuple[str | None, str], tuple[str | bytes, dict[str, str]]] = {}
"""The schema and its headers, by language and media type."""


class SchemaView(SpectacularAPIView):
    """Endpoint of the OpenAPI schema; cached per language and format."""

    def _get_version_parameter(self, request: Request) -> None:
        """There is one version: none is taken from the address into a header."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the schema, rendered once per format; anew for other parameters."""
        kind = request.accepted_renderer
        if request.query_params or request.accepted_media_type != kind.media_type:
            return super().get(request, *args, **kwargs)
        key = get_language(), kind.media_type
        if key not in WRITTEN:
            made = super().get(request, *args, **kwargs)
            charset = f"; charset={kind.charset}" if kind.charset else ""
            headers = {str(name): str(value) for name, value in made.headers.items()}
            headers["Content-Type"] = kind.media_type + charset
            WRITTEN[key] = kind.render(made.data, kind.media_type, {}), headers
        content, headers = WRITTEN[key]
        return HttpResponse(content, headers=headers)
