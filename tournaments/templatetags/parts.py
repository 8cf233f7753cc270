"""Long lists in parts, in templates."""

from collections.abc import Sequence

from django import template

from tournaments.pages.long_lists import FULL, Part, Row, WantedPart, part_of

register = template.Library()


@register.simple_tag
def in_parts(
    rows: Sequence[Row], wanted: WantedPart | str, own: int | str = 0, size: int = FULL
) -> Part:
    """Return the part of a list to be shown; the whole of it on a page that has no parts."""
    if not isinstance(wanted, WantedPart):
        return Part(rows=tuple(rows), total=len(rows))
    return part_of(rows, wanted, int(own or 0), size)
