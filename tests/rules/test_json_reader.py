"""Readers of JSON: what they return, and the path and sentence of what they refuse."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.json_reader import (
    LONGEST_STEP,
    Fields,
    Reader,
    Whole,
    WrongValue,
    by_key,
    distinct,
    either,
    flag,
    fraction,
    list_of,
    maybe,
    name_up_to,
    one_of,
    read_document,
    text,
)

SHARE = fraction(1, range(1, 101))
FLAG_OR_SIZE: Reader[bool | int] = either(flag, Whole(1, 9))
SIZES = list_of(Whole(1, 9), 3, least=1)

EMPTY: dict[str, object] = {"name": "A", "open": False, "sizes": (), "owners": {}}


def hall(value: object) -> dict[str, object]:
    given = Fields(value, ("name", "open", "sizes", "owners"))
    if "open" in given and "owners" in given:
        raise WrongValue("An open hall has no owners.", at="owners")
    return {
        "name": given.read("name", name_up_to(8)),
        "open": given.read("open", flag, False),
        "sizes": given.optional("sizes", SIZES, ()),
        "owners": given.optional("owners", by_key(maybe(Whole()), text(5, 1)), {}),
    }


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (Whole(1, 9), 9, 9),
        (SHARE, 1, 1),
        (SHARE, "1/3", Fraction(1, 3)),
        (SHARE, "0.25", Fraction(1, 4)),
        (flag, False, False),
        (text(), "", ""),
        (text(), "\t", "\t"),
        (name_up_to(5), " a \n b", "a b"),
        (one_of({"a": 1}), "a", "a"),
        (maybe(flag), None, None),
        (maybe(flag), True, True),
        (SIZES, [1, 9], (1, 9)),
        (FLAG_OR_SIZE, True, True),
        (FLAG_OR_SIZE, 9, 9),
        (distinct(list_of(flag)), [True, False], (True, False)),
        (by_key(flag), {"a": True}, {"a": True}),
        (hall, {"name": "A"}, EMPTY),
        (hall, {"name": "A", "open": True, "sizes": None}, EMPTY | {"open": True}),
        (hall, {"name": "A", "owners": {"B": None}}, EMPTY | {"owners": {"B": None}}),
    ],
)  # fmt: skip
def test_what_fits_is_read(reader: Reader[Any], value: object, read: object) -> None:
    assert read_document("wrong", reader, value) == read


NUMBER = "This must be a whole number from 1 to 9."
PART = "This must be a number from 0 to 1, whole or a fraction such as “1/2”."
KNOWN = "Unknown field. Use one of: name, open, sizes, owners."


@pytest.mark.parametrize(
    ("reader", "value", "path", "problem"),
    [
        *((Whole(1, 9), value, "$", NUMBER) for value in (0, 10, True, 1.0, "1", None, [], {})),
        *((SHARE, value, "$", PART) for value in ("1/101", "3/2", "1/0", "1e0", "-1", " 1", "½")),
        *((SHARE, value, "$", PART) for value in (2, -1, True, 0.5, None, "1" * 10, "")),
        *((flag, value, "$", "This must be true or false.") for value in (0, "true", None)),
        *((text(), value, "$", "This must be a text.") for value in (0, None, ["a"])),
        (text(), "\ud800", "$", "This must be a text without control characters."),
        (text(printable=True), "\x0b", "$", "This must be a text without control characters."),
        (text(3, 1), "", "$", "This must be a text that is not empty."),
        (text(3, 1), "abcd", "$", "This must be a text of at most 3 characters."),
        *((name_up_to(3), value, "$", "This must be a name of at most 3 characters.")
          for value in ("", "–", "abcd", 3, None)),
        *((one_of(("a", "b")), value, "$", "This must be one of: a, b.") for value in ("c", 1, [])),
        (SIZES, (1,), "$", "This must be a list."),
        (SIZES, [], "$", "There must be at least 1."),
        (SIZES, [1] * 4, "$", "There can be at most 3."),
        (SIZES, [1, 2, 0], "[2]", NUMBER),
        (list_of(SIZES), [[1], [2, 0]], "[1][1]", NUMBER),
        (FLAG_OR_SIZE, 0, "$", NUMBER),
        (distinct(SIZES), [1, 2, 1], "[2]", "This is in the list already."),
        (distinct(SIZES, lambda size: size % 3, at="size"), [1, 4], "[1].size",
         "This is in the list already."),
        (hall, [], "$", "This must be an object."),
        (hall, {"name": "A", "size": 1}, "size", KNOWN),
        (hall, {}, "name", "This is missing."),
        (hall, {"name": "A", "open": None}, "open", "This must be true or false."),
        (hall, {"name": "A", "sizes": [1, 0]}, "sizes[1]", NUMBER),
        (hall, {"name": "A", "open": True, "owners": {}}, "owners", "An open hall has no owners."),
        (list_of(hall), [{"name": "A", "owners": {"B": -1}}], "[0].owners.B",
         "This must be a whole number from 0 to 2147483647."),
        (hall, {"name": "A", "owners": {"": 1}}, "owners",
         "This must be a text that is not empty."),
        (hall, {"name": "A", "owners": []}, "owners", "This must be an object."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_its_path(
    reader: Reader[Any], value: object, path: str, problem: str
) -> None:
    with pytest.raises(BadInput) as refused:
        read_document("wrong", reader, value)
    assert refused.value.code == "wrong"
    assert refused.value.sentence.values["path"] == path
    assert str(refused.value.sentence) == f"{path}: {problem}"


def test_a_path_can_be_shown_whatever_the_key_is() -> None:
    for key in ("x" * 1000, "\ud800", "\ud800" * 1000):
        with pytest.raises(WrongValue) as refused:
            by_key(flag)({key: 1})
        assert len(refused.value.path.encode()) <= LONGEST_STEP
        with pytest.raises(WrongValue) as refused:
            Fields({key: 1}, ())
        assert len(refused.value.path.encode()) <= LONGEST_STEP


def test_a_second_name_of_the_path_is_told() -> None:
    with pytest.raises(BadInput) as refused:
        read_document("wrong", hall, {}, also_as="field")
    values = refused.value.sentence.values
    assert values["field"] == values["path"] == "name"
    assert str(values["problem"]) == "This is missing."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "open", "sizes", "owners"]), inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@given(JSON)
def test_whatever_comes_is_read_or_refused(value: object) -> None:
    with suppress(WrongValue):
        assert hall(value)["name"]
