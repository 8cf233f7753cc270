"""What the organiser chose of a formula, in words: each option's name and value."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from config.wording import translate
from rules.formulas.base import Option


def sizes_in_words(sizes: Sequence[object]) -> str:
    """Return sizes of tables, the usual one first, in words."""
    first, *others = sizes
    if not others:
        return _("tables of %(size)s only, byes for the others") % {"size": first}
    values = {"first": first, "second": others[0], "third": others[-1]}
    if len(others) == 1:
        return _("tables of %(first)s, of %(second)s where needed") % values
    return _("tables of %(first)s, of %(second)s or %(third)s where needed") % values


def option_in_words(option: Option, value: object) -> Iterator[tuple[str, str]]:
    """Yield the name and value of an option; of one that is a list, those of each item.

    Nothing where the value is none that the option can have.
    """
    label = translate(option.label)
    named = {str(choice.value): translate(choice.label) for choice in option.choices}
    match value:
        case bool():
            yield label, _("yes") if value else _("no")
        case int() | str():
            yield label, named.get(str(value), str(value))
        case [*sizes] if option.kind == "sizes" and sizes:
            yield label, sizes_in_words(sizes)
        case [*values]:
            for item, each in zip(option.items, values, strict=False):
                yield f"{label}: {translate(item)}", named.get(str(each), str(each))
