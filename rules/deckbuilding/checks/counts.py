"""Sentences about numbers of cards: the rule, and what a deck has too few or too many of.

``what`` is what is counted: the label of a zone, or several labels, such as a zone and a kind.
"""

from rules.wording import Sentence
from rules.wording import gettext_noop as _

Counted = Sentence | str | tuple[Sentence | str, ...]


def count_range_message(
    what: Counted, least: int, most: int | None, *, or_none: bool = False
) -> Sentence:
    """Return the message of a rule: "Main deck: 40 to 60."; ``most`` None: no maximum.

    ``what`` is counted: labels of a zone or kind. ``or_none``: zero cards are allowed too.
    """
    values = {"what": what, "minimum": least, "maximum": most or 0}
    if or_none and least == most:
        return Sentence("%(what)s: %(maximum)s or none.", values)
    if or_none and most is None:
        return Sentence("%(what)s: at least %(minimum)s, or none.", values)
    if or_none:
        return Sentence("%(what)s: %(minimum)s to %(maximum)s, or none.", values)
    if most is None and not least:
        return no_limit_message(what)
    if most is None:
        return Sentence("%(what)s: at least %(minimum)s.", values)
    if least == most:
        return Sentence("%(what)s: exactly %(maximum)s.", values)
    return Sentence("%(what)s: %(minimum)s to %(maximum)s.", values)


def no_limit_message(what: Counted) -> Sentence:
    """Return the message of a rule that there is no limit: "Copies of each card: no limit"."""
    return Sentence("%(what)s: no limit.", {"what": what})


def maximum_message(what: Counted, most: int | None) -> Sentence:
    """Return the message of a rule: "Copies of each card: at most 3."; None: no limit."""
    if most is None:
        return no_limit_message(what)
    return Sentence("%(what)s: at most %(maximum)s.", {"what": what, "maximum": most})


def too_few_message(
    what: Counted, found: int, least: int, *, exactly: bool = False, or_none: bool = False
) -> Sentence:
    """Return the message that cards are missing, with the number to add.

    ``exactly``: the minimum is also the maximum; ``or_none``: zero cards are allowed too.
    """
    template = _("%(what)s: %(found)s (minimum %(minimum)s). Add %(missing)s.")
    if or_none:
        template = _(
            "%(what)s: %(found)s (minimum %(minimum)s or none). Add %(missing)s or take out all."
        )
    elif exactly:
        template = _("%(what)s: %(found)s instead of %(minimum)s. Add %(missing)s.")
    values = {"what": what, "found": found, "minimum": least, "missing": least - found}
    return Sentence(template, values)


def too_many_message(what: Counted, found: int, most: int, *, exactly: bool = False) -> Sentence:
    """Return the message that there are too many cards, with the number to take out.

    ``exactly``: the maximum is also the minimum.
    """
    template = (
        _("%(what)s: %(found)s instead of %(maximum)s. Take out %(extra)s.")
        if exactly
        else _("%(what)s: %(found)s (maximum %(maximum)s). Take out %(extra)s.")
    )
    values = {"what": what, "found": found, "maximum": most, "extra": found - most}
    return Sentence(template, values)


def unknown_kinds_message(
    what: Counted, found: int, needed: int, unknown: int, example: Sentence | str
) -> Sentence:
    """Return the message that a minimum can't be checked, as cards without a kind may count.

    ``needed`` of the kind are required, ``found`` known; ``unknown`` cards have no kind.
    """
    return Sentence(
        "%(what)s: %(found)s of %(needed)s (cards without a type: %(unknown)s). Write "
        "the type after the name: {%(example)s}.",
        {
            "what": what,
            "found": found,
            "needed": needed,
            "unknown": unknown,
            "example": example,
        },
    )
