"""Points at tables of three and more in JSON: a preset, points by result, or by place.

Source: tables, 9 (events, rank).
"""

from rules.standings.json_validation import as_list, as_object, whole, wrong
from rules.tables.results import POINT_PRESETS, TablePoints, checked_points, preset_points
from rules.tables.sizes import LARGEST
from rules.wording import gettext_noop as _


def points_from(value: object) -> TablePoints:
    """Return what places are worth: a preset by name, numbers of their own, or by place.

    Raises BadInput ``invalid_results`` with the path of the offending value, ``unknown_points``,
    ``invalid_points``.
    """
    worth = as_object(value, "points")
    if "preset" in worth:
        key = worth["preset"]
        return preset_points(key if isinstance(key, str) else str(key))
    if "places" in worth:
        standard = POINT_PRESETS["places"]
        numbers = as_list(worth["places"], "points.places")
        if not 1 <= len(numbers) <= LARGEST:
            raise wrong("points.places", _("A table has 2 to %(most)s seats."), most=LARGEST)
        return checked_points(
            TablePoints(
                by_place=tuple(
                    whole(number, f"points.places[{index}]") for index, number in enumerate(numbers)
                ),
                bye=whole(worth.get("bye", standard.bye), "points.bye"),
                floor=standard.floor,
                bye_counts=standard.bye_counts,
                bye_adds=standard.bye_adds,
            )
        )
    standard = POINT_PRESETS["win3"]
    first = whole(worth.get("win", standard.first), "points.win")
    return checked_points(
        TablePoints(
            first=first,
            drawn=whole(worth.get("draw", standard.drawn), "points.draw"),
            other=whole(worth.get("loss", standard.other), "points.loss"),
            bye=whole(worth.get("bye", first), "points.bye"),
            floor=standard.floor,
        )
    )
