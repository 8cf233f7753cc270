"""Any JSON that can be stored, and sentences as they are stored."""

from typing import Any

import pytest

from rules.json_reader import DEEPEST_VALUE, WrongValue, any_json, read_sentence
from rules.wording import Sentence


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
    with pytest.raises(WrongValue, match="too deeply nested") as refused:
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
