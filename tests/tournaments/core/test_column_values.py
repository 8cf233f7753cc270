"""Values that only columns hold: what is read as it is, and what is refused with its path."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from rules.errors import BadInput
from rules.json_reader import Reader, WholeNumber, WrongValue, boolean, text
from tournaments.core.valid_columns import (
    SAT_BEFORE,
    column_validator,
    hex_digest_reader,
    integer_limits,
    object_reader,
    read_day,
    read_moment,
    read_pairing_reason,
    read_player_with_seed,
    read_seconds,
    read_time_zone,
    reader_with_check,
    slug_reader,
)
from tournaments.models import Entry, Event

ROW = object_reader({"name": text(3)}, {"open": boolean})
WHY = {"template": "table %(at)s", "values": {"at": 3}}


def even(number: int) -> int:
    if number % 2:
        raise BadInput("odd", "%(number)s is odd.", number=number)
    return number


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        (ROW, {"name": "A"}),
        (ROW, {"name": "A", "open": True}),
        (reader_with_check(even), 2),
        (reader_with_check(even, WholeNumber(0, 9)), 2),
        (slug_reader(4), "a-_1"),
        (hex_digest_reader(4), "00af"),
        (hex_digest_reader(4, empty=True), ""),
        (read_seconds, 0),
        (read_seconds, 1.5),
        (read_moment, "2026-12-05T10:00:00+01:00"),
        (read_moment, datetime(2026, 12, 5, tzinfo=UTC)),
        (read_day, "1999-12-05"),
        (read_time_zone, "Europe/Rome"),
        (read_player_with_seed, [3, None]),
        (read_player_with_seed, [3, 1]),
        (SAT_BEFORE, {"until": 0, "seats": [1, 2], "beside": 1}),
        (read_pairing_reason, {}),
        (read_pairing_reason, WHY),
        (read_pairing_reason, WHY | {"by_hand": True}),
    ],
)
def test_what_fits_is_read_as_it_is(reader: Reader[Any], value: object) -> None:
    read = reader(value)
    assert read == (value | {"seats": (1, 2)} if reader is SAT_BEFORE else value)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("reader", "value", "path", "problem"),
    [
        (ROW, {}, "name", "This field is required."),
        (ROW, {"name": "A", "shut": True}, "shut", "Unknown field. Use one of: name, open."),
        (ROW, {"name": "A", "open": 1}, "open", "This must be of type boolean."),
        (reader_with_check(even), 3, "", "3 is odd."),
        (reader_with_check(even, WholeNumber(0, 1)), 2, "", "Enter a whole number from 0 to 1."),
        (reader_with_check(ROW), {}, "name", "This field is required."),
        (slug_reader(4), "a b", "", "This is not valid."),
        (slug_reader(4), "abcde", "", "Write at most 4 characters."),
        (hex_digest_reader(4), "", "", "This is not valid."),
        (hex_digest_reader(4, empty=True), "00AF", "", "This is not valid."),
        *((read_seconds, value, "", "This is not valid.")
          for value in (-1, True, "1", float("nan"), 10**30)),
        *((read_moment, value, "", "This is not valid.")
          for value in ("2026-12-05T10:00:00", "1999-06-01T10:00:00+00:00", 3, None, "x")),
        *((read_day, value, "", "This is not valid.")
          for value in ("1899-12-31", "2101-01-01", "x", 3)),
        *((read_time_zone, value, "", "This is not valid.")
          for value in ("Nowhere/X", 3)),
        (read_player_with_seed, [None, 1], "", "This is not valid."),
        (read_player_with_seed, [1, 0], "[1]", "Enter a whole number from 1 to 2147483647."),
        (read_player_with_seed, [1], "", "Enter at least 2."),
        (SAT_BEFORE, {"until": 0, "seats": []}, "seats", "Enter at least 1."),
        (read_pairing_reason, WHY | {"by_hand": 1}, "by_hand", "This must be of type boolean."),
        (read_pairing_reason, {"by_hand": True}, "template", "This field is required."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    reader: Reader[Any], value: object, path: str, problem: str
) -> None:
    with pytest.raises(WrongValue) as refused:
        reader(value)
    assert (refused.value.path, str(refused.value.problem)) == (path, problem)


def test_a_validator_says_it_in_the_reader_s_language() -> None:
    validate = column_validator(Entry, "byes")
    validate(0)
    with override("it"), pytest.raises(ValidationError) as refused:
        validate("0")
    assert refused.value.messages == ["Scrivi un numero intero da 0 a 9."]


def test_only_whole_numbers_have_limits() -> None:
    assert integer_limits(Event, "points_parts") == {"min_value": 1, "max_value": 4}
    with pytest.raises(LookupError, match="name is no whole number"):
        integer_limits(Event, "name")
