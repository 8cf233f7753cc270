"""A list has thousands of problems: the gravest are told, the others counted."""

import pytest

from rules.deckbuilding.deck import MOST_VIOLATIONS, Violation, at_most
from rules.wording import Sentence


def violation(code, line):
    return Violation(code=code, sentence=Sentence(code), line=line)


@pytest.mark.parametrize("count", [0, 1, MOST_VIOLATIONS])
def test_all_that_fit_keep_their_order(count):
    found = [violation("card.unknown" if n % 2 else "card.banned", n) for n in range(count)]
    assert at_most(found) == tuple(found)


@pytest.mark.parametrize("count", [1, 7, 3_000])
def test_the_others_are_counted(count):
    found = [violation("line.unreadable", n) for n in range(MOST_VIOLATIONS + count)]
    *told, more = at_most(found)
    assert [one.line for one in told] == [*range(MOST_VIOLATIONS)]
    assert (more.code, more.severity, more.found) == ("list.more_problems", "info", count)


def test_an_error_is_never_among_the_others_while_a_warning_is_told():
    mild = [violation("card.unknown", n) for n in range(MOST_VIOLATIONS)]
    notes = [violation("kind.unchecked", n) for n in range(9)]
    told = at_most([*notes, *mild, violation("card.banned", 1), violation("card.banned", 2)])
    assert [one.code for one in told[:3]] == ["card.banned", "card.banned", "card.unknown"]
    assert told[-1].found == 11
