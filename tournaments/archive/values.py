"""One value of an archive read back."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from accounts.models import User


def value_of(
    field: Any,
    value: Any,
    kept: Mapping[type, list[models.Model]],
    people: Mapping[str, User],
    caller: User | None,
) -> Any:
    """Return what a column holds; ``kept`` are the rows read before, by their model.

    A person who is not known here stays unnamed, or is the caller where somebody must be named.
    """
    if value is None and field.related_model is not User:
        return None
    if field.related_model is User:
        user = people.get(str(value)) if value is not None else None
        return caller if user is None and not field.null else user
    if field.is_relation:
        if type(value) is not int or value < 1:
            raise ValueError(f"{field.name}: {value!r}")
        return kept[field.related_model][value - 1]
    return field.to_python(value)
