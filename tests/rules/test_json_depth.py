"""JSON that is nested too deeply is found before anything is built of it."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.json_reader import DEEPEST, TooDeepError, check_depth
from rules.standings.rank_document import read
from tests.effort import examples

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
        read(content)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused.value.code == "invalid_json"
    assert most < 12 * len(content)
