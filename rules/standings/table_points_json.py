"""Points at tables of three and more in JSON: a preset, points by result, or by place.

Source: tables, 9 (events, rank).
"""

from rules.json_reader import Fields, Whole, WrongValue, list_of, read_document
from rules.tables.results import POINT_PRESETS, TablePoints, checked_points, preset_points
from rules.tables.sizes import LARGEST

TABLE_NUMBER = Whole(0, 999_999)
PLACES = list_of(TABLE_NUMBER)


def points_from(stored: object) -> TablePoints:
    """Return what places are worth: a preset by name, numbers of their own, or by place.

    Raises BadInput ``invalid_results`` with the path of the offending value, ``unknown_points``,
    ``invalid_points``.
    """
    return read_document("invalid_results", read_table_points, stored, at="points")


def read_table_points(value: object) -> TablePoints:
    """Return what places are worth. Raises WrongValue, as well as the errors of its parts."""
    given = Fields(value)
    if "preset" in given:
        return preset_points(str(given.values["preset"]))
    if "places" in given:
        standard = POINT_PRESETS["places"]
        by_place = given.read("places", PLACES)
        if not 1 <= len(by_place) <= LARGEST:
            raise WrongValue("A table has 2 to %(most)s seats.", at="places", most=LARGEST)
        return checked_points(
            TablePoints(
                by_place=by_place,
                bye=given.read("bye", TABLE_NUMBER, standard.bye),
                floor=standard.floor,
                bye_counts=standard.bye_counts,
                bye_adds=standard.bye_adds,
            )
        )
    standard = POINT_PRESETS["win3"]
    first = given.read("win", TABLE_NUMBER, standard.first)
    return checked_points(
        TablePoints(
            first=first,
            drawn=given.read("draw", TABLE_NUMBER, standard.drawn),
            other=given.read("loss", TABLE_NUMBER, standard.other),
            bye=given.read("bye", TABLE_NUMBER, first),
            floor=standard.floor,
        )
    )
