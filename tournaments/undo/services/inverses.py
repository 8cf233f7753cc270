"""Inverses of acts, found by the paths in their declarations.

An inverse stands in ``inverses.py`` of the feature whose act it undoes. It reverts what the act
changed and nothing else, and refuses if that is not possible any more. It runs in a transaction
with the event locked. All raise RuleError ``not_undoable`` if the log lacks what they need.
"""

from collections.abc import Callable

from django.utils.module_loading import import_string

from rules.errors import RuleError
from tournaments.core.acts import Inverse, act_of
from tournaments.core.permissions import Actor
from tournaments.models import Event, LogLine


def inverse_of(key: str) -> Callable[[Event, LogLine, Actor], None]:
    """Return the function that undoes an act. Raises KeyError, ValueError if it has none."""
    undo = act_of(key).undo
    if not isinstance(undo, Inverse):
        raise ValueError(f"{key} has no inverse")
    inverse: Callable[[Event, LogLine, Actor], None] = import_string(undo.path)
    return inverse


def changed_error() -> RuleError:
    """Return the error for a line without enough data, or rows that changed since."""
    return RuleError(
        "not_undoable", "The log no longer holds enough to take this back. Nothing was changed."
    )
