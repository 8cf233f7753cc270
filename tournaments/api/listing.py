"""Paginated lists in the schema, and query parameters."""

from collections.abc import Collection, Iterable
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    inline_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from rules.json_reader import LARGE

NUMBERS = frozenset({"stage", "round", "player", "page"})


def page_of(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the serializer of a page: count, next, previous, results."""
    return inline_serializer(
        name=shape.__name__.removesuffix("Output") + "Page",
        fields={
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": shape(many=True),
        },
    )


def one_or_many(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the serializer of one row or a list of rows."""
    return PolymorphicProxySerializer(
        component_name=f"{shape.__name__}OneOrMany",
        serializers=[shape, shape(many=True)],
        resource_type_field_name=None,
        many=False,
    )


def query_parameters(
    *names: str, page: bool = False, **known: Iterable[str]
) -> list[OpenApiParameter]:
    """Return the query parameters of a call for the schema; ``known`` are enums by name."""
    asked = (*known, *names, "page") if page else (*known, *names)
    return [
        OpenApiParameter(
            name,
            OpenApiTypes.INT if name in NUMBERS else OpenApiTypes.STR,
            required=False,
            enum=list(known[name]) if name in known else None,
        )
        for name in asked
    ]


def numbers_asked(request: Request, *names: str) -> dict[str, int]:
    """Return the query parameters as numbers, without empty ones. Raises ValidationError."""
    found = {}
    for name, text in texts_asked(request, *names).items():
        if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= LARGE):
            raise ValidationError({name: [_("A whole number.")]})
        found[name] = int(text)
    return found


def one_of(request: Request, name: str, known: Collection[str]) -> str | None:
    """Return a query parameter with fixed values, None if empty. Raises ValidationError."""
    wanted = texts_asked(request, name).get(name)
    if wanted is not None and wanted not in known:
        words = _("There is no “%(value)s” here. Possible: %(known)s.")
        raise ValidationError(
            {name: [words % {"value": wanted[:80], "known": ", ".join(map(str, known))}]}
        )
    return wanted


def texts_asked(request: Request, *names: str) -> dict[str, str]:
    """Return the query parameters as texts, without empty ones."""
    sent = request.query_params
    return {name: sent[name] for name in names if sent.get(name)}


def stored_texts(request: Request, *names: str) -> dict[str, str]:
    """Return the query parameters as texts without NUL characters, which databases refuse."""
    return {name: text.replace("\x00", "") for name, text in texts_asked(request, *names).items()}
