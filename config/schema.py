"""What every call of the API may answer beside its own: refusals, all of one shape."""

from typing import Any

REFUSALS = {
    "400": "A field is wrong, or the result is impossible; nothing was stored.",
    "401": "The token is not valid.",
    "403": "The caller may not do this.",
    "404": "There is no such thing, or not for the caller.",
    "409": "The step is not possible now, or the version is an older one.",
    "429": "Too many requests; Retry-After says when to come back.",
}
PROBLEM = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "stable, for programs"},
        "detail": {"type": "string", "description": "a sentence in the reader's language"},
        "request_id": {"type": "string"},
    },
    "required": ["code", "detail"],
    "additionalProperties": {},
}


def with_refusals(result: dict[str, Any], **_more: object) -> dict[str, Any]:
    """Add the refusals to every operation of a schema; drf-spectacular calls this at its end."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, words in REFUSALS.items():
                answer = {"description": words, "content": content}
                operation["responses"].setdefault(status, answer)
    return result
