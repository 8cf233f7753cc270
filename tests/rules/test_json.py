"""JSON as it is read: depth, whole numbers, and sentences on what is wrong."""

import json
import tracemalloc
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.json_reader import (
    DEEPEST,
    DEEPEST_VALUE,
    LONGEST_STEP,
    JsonObjectReader,
    Reader,
    TooDeepError,
    WholeNumber,
    WrongValue,
    any_json,
    any_of,
    boolean,
    check_depth,
    fraction,
    list_of,
    mapping_of,
    name_text,
    nullable,
    one_of,
    read_document,
    read_sentence,
    text,
    unique_list,
)
from rules.numbers import parse_whole_number
from rules.standings.rank_document import parse_json
from rules.wording import Sentence
from tests.effort import examples

DIGIT = WholeNumber(1, 9)
SHARE = fraction(1, range(1, 101))
FLAG_OR_SIZE: Reader[bool | int] = any_of(boolean, WholeNumber(1, 9))
SIZES = list_of(WholeNumber(1, 9), 3, least=1)

EMPTY: dict[str, object] = {"name": "A", "open": False, "sizes": (), "owners": {}}


def hall(value: object) -> dict[str, object]:
    given = JsonObjectReader(value, ("name", "open", "sizes", "owners"))
    if "open" in given and "owners" in given:
        raise WrongValue("An open hall has no owners.", at="owners")
    return {
        "name": given.read("name", name_text(8)),
        "open": given.read("open", boolean, False),
        "sizes": given.optional("sizes", SIZES, ()),
        "owners": given.optional("owners", mapping_of(nullable(WholeNumber()), text(5, 1)), {}),
    }


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (WholeNumber(1, 9), 9, 9),
        (SHARE, 1, 1),
        (SHARE, "1/3", Fraction(1, 3)),
        (SHARE, "0.25", Fraction(1, 4)),
        (boolean, False, False),
        (text(), "", ""),
        (text(), "\t", "\t"),
        (name_text(5), " a \n b", "a b"),
        (one_of({"a": 1}), "a", "a"),
        (nullable(boolean), None, None),
        (nullable(boolean), True, True),
        (SIZES, [1, 9], (1, 9)),
        (FLAG_OR_SIZE, True, True),
        (FLAG_OR_SIZE, 9, 9),
        (unique_list(list_of(boolean)), [True, False], (True, False)),
        (mapping_of(boolean), {"a": True}, {"a": True}),
        (hall, {"name": "A"}, EMPTY),
        (hall, {"name": "A", "open": True, "sizes": None}, EMPTY | {"open": True}),
        (hall, {"name": "A", "owners": {"B": None}}, EMPTY | {"owners": {"B": None}}),
    ],
)  # fmt: skip
def test_what_fits_is_read(reader: Reader[Any], value: object, read: object) -> None:
    assert read_document("wrong", reader, value) == read


NUMBER = "Enter a whole number from 1 to 9."
PART = "Enter a number from 0 to 1, such as 1/2."
KNOWN = "Unknown field. Use one of: name, open, sizes, owners."


@pytest.mark.parametrize(
    ("reader", "value", "path", "problem"),
    [
        *((DIGIT, value, "$", NUMBER) for value in (0, 10, True, 1.0, "1", None, [], {})),
        *((SHARE, value, "$", PART) for value in ("1/101", "3/2", "1/0", "1e0", "-1", " 1", "½")),
        *((SHARE, value, "$", PART) for value in (2, -1, True, 0.5, None, "1" * 10, "")),
        *((boolean, value, "$", "This must be of type boolean.") for value in (0, "true", None)),
        *((text(), value, "$", "This must be of type string.") for value in (0, None, ["a"])),
        (text(), "\ud800", "$", "The text has invalid characters."),
        (text(printable=True), "\x0b", "$", "The text has invalid characters."),
        (text(3, 1), "", "$", "This field is required."),
        (text(3, 1), "abcd", "$", "Write at most 3 characters."),
        *((name_text(3), value, "$", "This field is required.") for value in ("", "–")),
        (name_text(3), "abcd", "$", "Write at most 3 characters."),
        *((name_text(3), value, "$", "This must be of type string.") for value in (3, None)),
        *((one_of(("a", "b")), value, "$", "Use one of: a, b.") for value in ("c", 1, [])),
        (SIZES, (1,), "$", "This must be of type array."),
        (SIZES, [], "$", "Enter at least 1."),
        (SIZES, [1] * 4, "$", "Enter at most 3."),
        (SIZES, [1, 2, 0], "[2]", NUMBER),
        (list_of(SIZES), [[1], [2, 0]], "[1][1]", NUMBER),
        (FLAG_OR_SIZE, 0, "$", NUMBER),
        (unique_list(SIZES), [1, 2, 1], "[2]", "Use each value only once."),
        (unique_list(SIZES, lambda size: size % 3, at="size"), [1, 4], "[1].size",
         "Use each value only once."),
        (hall, [], "$", "This must be of type object."),
        (hall, {"name": "A", "size": 1}, "size", KNOWN),
        (hall, {}, "name", "This field is required."),
        (hall, {"name": "A", "open": None}, "open", "This must be of type boolean."),
        (hall, {"name": "A", "sizes": [1, 0]}, "sizes[1]", NUMBER),
        (hall, {"name": "A", "open": True, "owners": {}}, "owners", "An open hall has no owners."),
        (list_of(hall), [{"name": "A", "owners": {"B": -1}}], "[0].owners.B",
         "Enter a whole number from 0 to 2147483647."),
        (hall, {"name": "A", "owners": {"": 1}}, "owners",
         "This field is required."),
        (hall, {"name": "A", "owners": []}, "owners", "This must be of type object."),
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
            mapping_of(boolean)({key: 1})
        assert len(refused.value.path.encode()) <= LONGEST_STEP
        with pytest.raises(WrongValue) as refused:
            JsonObjectReader({key: 1}, ())
        assert len(refused.value.path.encode()) <= LONGEST_STEP


def test_a_second_name_of_the_path_is_told() -> None:
    with pytest.raises(BadInput) as refused:
        read_document("wrong", hall, {}, also_as="field")
    values = refused.value.sentence.values
    assert values["field"] == values["path"] == "name"
    assert str(values["problem"]) == "This field is required."


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


VALUES = st.recursive(
    st.text(max_size=8) | st.integers() | st.none() | st.text(alphabet='[]{}"\\', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=20,
)


def depth(value):
    """Return how many levels a value has."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, list | dict) + max(map(depth, inside), default=0)


def wrapped(levels, value):
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@examples(5)
@given(VALUES, st.booleans())
def test_brackets_count_outside_of_texts_alone(value, ascii_only):
    allowed = DEEPEST - depth(value)
    written = json.dumps(wrapped(allowed, value), ensure_ascii=ascii_only).encode(errors="replace")
    check_depth(written)
    with pytest.raises(TooDeepError):
        check_depth(b"[" + written + b"]")


@pytest.mark.parametrize("text", [b"", b"]]]][", b'"[[[[' + b"[" * 99, b"\\" * 99, b'"\\'])
def test_what_is_no_json_is_left_to_the_parser(text):
    check_depth(text)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[[[],[]],"[",'])
def test_nothing_is_built_of_what_is_too_deep(opening):
    content = opening * 200_000
    tracemalloc.start()
    with pytest.raises(BadInput) as refused:
        parse_json(content)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused.value.code == "invalid_json"
    assert most < 12 * len(content)


def nested(levels: int, inside: object) -> object:
    for _level in range(levels):
        inside = {"a": [inside]}
    return inside


@pytest.mark.parametrize("value", [None, True, 10**30, 1.5, "", "\t", [], {"a": [{"b": None}]}])
def test_json_that_can_be_stored_is_read_as_it_is(value: object) -> None:
    assert any_json(value) == value
    assert any_json(nested(DEEPEST_VALUE // 2 - 2, value)) == nested(DEEPEST_VALUE // 2 - 2, value)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (float("inf"), ""),
        ([1, float("nan")], "[1]"),
        ({"a": {"b": "\x00"}}, "a.b"),
        ({"a\x00": 1}, "a\x00"),
        ("\ud800", ""),
    ],
)
def test_json_that_cannot_be_stored_is_refused(value: object, path: str) -> None:
    with pytest.raises(WrongValue) as refused:
        any_json(value)
    assert refused.value.path == path


def test_json_of_many_levels_is_refused_where_it_is_too_deep() -> None:
    with pytest.raises(WrongValue, match="nested too deeply") as refused:
        any_json(nested(DEEPEST_VALUE, 1))
    assert refused.value.path.count("a[0]") == DEEPEST_VALUE // 2


INNER: dict[str, Any] = {"template": "table %(at)s", "values": {"at": 3}}


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("Table 3", {}),
        ("%(name)s: 100 %%", {"name": "Ada", "more": 1}),
        ("%(inner)s, %(each)s", {"inner": INNER, "each": [INNER, "x"]}),
    ],
)
def test_a_sentence_is_read(template: str, values: dict[str, Any]) -> None:
    read = read_sentence({"template": template, "values": values})
    assert read == Sentence(template, values)


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ("Table 3", ""),
        ({"template": "Table 3"}, "values"),
        ({"template": "", "values": {}}, "template"),
        ({"template": "%s", "values": {}}, "template"),
        ({"template": "%(a)s 5 %", "values": {"a": 1}}, "template"),
        ({"template": "%(a)s", "values": {}}, "values"),
        ({"template": "%(a)s", "values": {"a": {"template": "x"}}}, "values.a.values"),
        ({"template": "%(a)s", "values": {"a": [INNER, {"values": {}}]}}, "values.a[1].template"),
        ({"template": "x", "values": {}, "by": 1}, "by"),
    ],
)
def test_what_is_no_sentence_is_refused(stored: object, path: str) -> None:
    with pytest.raises(WrongValue) as refused:
        read_sentence(stored)
    assert refused.value.path == path


@pytest.mark.parametrize("text", ["4", " 4 ", "4.0", "4,0", "4.00", "4,0000", "4.", "+4", "04"])
def test_one_number_in_any_notation(text: str) -> None:
    assert parse_whole_number(text) == 4


@pytest.mark.parametrize("text", ["４", "４．0", "٤", "४"])
def test_digits_of_any_script(text: str) -> None:
    expected = None if "．" in text else 4
    assert parse_whole_number(text) == expected


@pytest.mark.parametrize(
    "text", ["", "-1", "4.5", "4,50", "1.000", "1,000", "1e3", "4x", "four", "4 0", "²", "9" * 16]
)
def test_what_is_no_whole_number(text: str) -> None:
    assert parse_whole_number(text) is None


def test_zero_and_a_large_one() -> None:
    assert parse_whole_number("0,0") == 0
    assert parse_whole_number("9" * 15) == 10**15 - 1
