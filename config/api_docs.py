"""The pages of the API: the calls of its schema by subject, without scripts or other hosts."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from config.schema import REFUSALS, SUBJECTS

DEEPEST = 3
"""Levels of objects in objects that a call's page shows."""
Shape = dict[str, Any]


@require_safe
def api_docs(request: HttpRequest, subject: str = "") -> HttpResponse:
    """Page of the API's documentation: all calls by subject, or one subject's in detail.

    subject: slug of a key of ``SUBJECTS``; 404 if unknown.
    """
    calls = _calls()
    name = next((each for each in SUBJECTS if slugify(each) == subject), "")
    if subject and not name:
        raise Http404
    context = {
        "subject": name,
        "subjects": [(slugify(each), each, calls[each]) for each in SUBJECTS],
        "calls": calls.get(name, ()),
        "refusals": REFUSALS,
    }
    return render(request, "api_docs.html", context)


@lru_cache(maxsize=1)
def _calls() -> dict[str, list[Shape]]:
    """Return the calls of each subject, in the order of the schema."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    with override("en"):  # once for all readers
        made = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    schema: Shape = made
    shapes = schema["components"]["schemas"]
    found: dict[str, list[Shape]] = {subject: [] for subject in SUBJECTS}
    for address, operations in schema["paths"].items():
        for method, operation in operations.items():
            found[operation["tags"][0]].append(
                _call(method.upper(), address, operation, shapes),
            )
    return found


def _call(method: str, address: str, operation: Shape, shapes: Shape) -> Shape:
    first, _break, more = operation.get("description", "").partition("\n\n")
    answers = operation["responses"]
    done = next((key for key in answers if key.startswith("2")), "")
    return {
        "id": operation["operationId"],
        "method": method,
        "address": address,
        "first": first.replace("``", ""),
        "more": more.replace("``", ""),
        "parameters": [
            (each["name"], _kind(each["schema"], shapes), each["in"], each.get("required", False))
            for each in operation.get("parameters", ())
        ],
        "body": _fields(operation.get("requestBody", {}), shapes),
        "status": done,
        "answer": _fields(answers.get(done, {}), shapes),
        "refused": [key for key in answers if not key.startswith(("2", "3"))],
    }


def _fields(place: Shape, shapes: Shape) -> list[Shape]:
    """Return the fields of the JSON that a body or an answer holds, also those inside others."""
    shape = place.get("content", {}).get("application/json", {}).get("schema", {})
    return list(_inside(shape, shapes, ()))


def _inside(shape: Shape, shapes: Shape, above: tuple[str, ...]) -> Iterator[Shape]:
    shape = _found(shape, shapes)
    if "items" in shape:
        yield from _inside(shape["items"], shapes, above)
        return
    for other in (*shape.get("oneOf", ()), *shape.get("allOf", ())):
        yield from _inside(other, shapes, above)
    for name, each in shape.get("properties", {}).items():
        yield {
            "name": ".".join((*above, name)),
            "kind": _kind(each, shapes),
            "required": name in shape.get("required", ()),
            "words": str(each.get("description", "")),
        }
        if len(above) < DEEPEST - 1:
            yield from _inside(each, shapes, (*above, name))


def _kind(shape: Shape, shapes: Shape) -> str:
    """Return the type of a value in a word, with the values it may have."""
    shape = _found(shape, shapes)
    if "enum" in shape:
        return " | ".join(str(each) for each in shape["enum"] if each not in (None, ""))
    if "items" in shape:
        return f"list of {_kind(shape['items'], shapes)}"
    for key in ("allOf", "oneOf", "anyOf"):
        if key in shape:
            return " | ".join(filter(None, (_kind(each, shapes) for each in shape[key])))
    return str(shape.get("format") or shape.get("type") or "")


def _found(shape: Shape, shapes: Shape) -> Shape:
    name = shape.get("$ref", "").rpartition("/")[2]
    return shapes.get(name, shape) if name else shape
