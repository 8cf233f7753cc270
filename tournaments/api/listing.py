"""Lists for the schema: a page of rows, and the filters that a call takes."""

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

NUMBERS = frozenset({"stage", "round", "player", "page"})


def page_of(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the shape of a page: how many rows there are, the pages around it, its rows."""
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
    """Return the shape of one row or of a list of rows."""
    return PolymorphicProxySerializer(
        component_name=f"{shape.__name__}OneOrMany",
        serializers=[shape, shape(many=True)],
        resource_type_field_name=None,
        many=False,
    )


def filters(*names: str, page: bool = False, **known: Iterable[str]) -> list[OpenApiParameter]:
    """Return what may stand behind the question mark of a call; of ``known``, one of its values."""
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


def numbers(request: Request, *names: str) -> dict[str, int]:
    """Return the filters that are numbers; raises ValidationError that names a wrong one.

    One that is left empty filters nothing.
    """
    found = {}
    for name, text in texts(request, *names).items():
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValidationError({name: [_("A whole number.")]})
        found[name] = int(text)
    return found


def one_of(request: Request, name: str, known: Collection[str]) -> str | None:
    """Return a filter that has these values alone; raises ValidationError for any other."""
    wanted = texts(request, name).get(name)
    if wanted is not None and wanted not in known:
        words = _("There is no “%(value)s” here. Possible: %(known)s.")
        raise ValidationError(
            {name: [words % {"value": wanted[:80], "known": ", ".join(map(str, known))}]}
        )
    return wanted


def texts(request: Request, *names: str) -> dict[str, str]:
    """Return the filters that are texts; one that is left empty filters nothing."""
    sent = request.query_params
    return {name: sent[name] for name in names if sent.get(name)}


def stored_texts(request: Request, *names: str) -> dict[str, str]:
    """Return the filters that are texts as the database compares them: without NUL signs."""
    return {name: text.replace("\x00", "") for name, text in texts(request, *names).items()}
