"""Texts that make a pattern go back and forth, and whether they do."""

import random
import re
from collections.abc import Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any

from tests.pattern_steps import Part, Steps, TooManyStepsError, sees_of

FOREIGN = "\ue000"
"""A sign that no pattern names: nothing matches behind it unless everything does."""
MANY = 300
BEGINNINGS = 24
MOST_A_SIGN = 60
"""Steps that a linear pattern may make for each sign of a text; a quadratic one makes more."""

# What every pattern is fed with, beside its own signs.
USUAL_SIGNS = ["\n", "\r", "\t", " ", "\u2028", "7", "0", "a", "Z", "_", "é", "'", '"', *"()[]{}<>"]
USUAL_SIGNS += [*";:,.-–/|*#!=+&%@x×", "★", "\u0301", FOREIGN]


class Feed:
    """Texts that lead a pattern into all its loops: its own signs, its words, and nearly these."""

    def __init__(self, steps: Steps) -> None:
        """Choose by chance, but the same for a pattern each time."""
        self.tree, self.flags = steps.tree, steps.flags
        self.chance = random.Random(1)
        self.signs = list(dict.fromkeys([*USUAL_SIGNS, *_signs_in(self.tree)]))

    def texts(self) -> Iterator[str]:
        """Yield runs of each sign behind each beginning, with and without an end that fails."""
        beginnings = dict.fromkeys(["", *(self._word(self.tree) for _time in range(12))])
        parts = {word[:cut] for word in beginnings for cut in range(len(word) + 1)}
        for sign in self.signs:
            yield sign * MANY
        for beginning in self.chance.sample(sorted(parts), min(len(parts), BEGINNINGS)):
            for sign in self._fitting(beginning):
                yield f"{beginning}{sign * MANY}{FOREIGN}"
        for word in sorted(filter(None, beginnings)):
            for between in ("", " ", "\n", ";", FOREIGN):
                yield f"{word}{between}" * (MANY // len(word) + 1) + FOREIGN
            cut = word[: self.chance.randrange(1, len(word) + 1)]
            yield cut * (MANY // len(cut) + 1) + FOREIGN
        for _time in range(30):
            long = self._word(self.tree, MANY)[: 4 * MANY]
            yield from (long, f"{long}{FOREIGN}", f"{long[:-1]}{FOREIGN}")
        for _time in range(30):
            few = "".join(self.chance.sample(self.signs, 2))
            yield few * (MANY // 2) + FOREIGN

    def _fitting(self, beginning: str) -> list[str]:
        return self.signs if len(beginning) < 2 else self.chance.sample(self.signs, 12)

    def _word(self, parts: Any, many: int = 2) -> str:
        return "".join(self._piece(part, many) for part in parts)

    def _piece(self, part: Part, many: int) -> str:
        kind, what = part
        if kind is sre.SUBPATTERN:
            return self._word(what[3], many)
        if kind is sre.BRANCH:
            return self._word(self.chance.choice(what[1]), many)
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, inside = what
            endless = most is sre.MAXREPEAT
            upper = self.chance.choice([least, least + 1, many + least]) if endless else most
            times = upper if endless else self.chance.randint(least, min(upper, least + 3))
            one = self._word(inside, 2)
            return one * times
        if kind is sre.ATOMIC_GROUP:
            return self._word(what, many)
        sees = sees_of(part, self.flags)
        taken = [sign for sign in self.signs if sees(sign)] if sees else []
        return self.chance.choice(taken) if taken else ""


def _signs_in(parts: Any) -> Iterator[str]:
    """Yield the signs that a tree names, one or two of each range."""
    for kind, what in parts:
        if kind in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(what)
        elif kind is sre.RANGE:
            yield from map(chr, what)
        elif kind is sre.IN:
            yield from _signs_in(what)
        elif kind is sre.SUBPATTERN:
            yield from _signs_in(what[3])
        elif kind is sre.BRANCH:
            yield from (sign for way in what[1] for sign in _signs_in(way))
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield from _signs_in(what[2])
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _signs_in(what[1])
        elif kind is sre.ATOMIC_GROUP:
            yield from _signs_in(what)


def dearest(pattern: re.Pattern[str], *, everywhere: bool) -> str | None:
    """Return a text over which a pattern makes more steps than a linear one, None without one."""
    steps = Steps(pattern)
    run = steps.everywhere if everywhere else steps.whole
    for text in Feed(steps).texts():
        try:
            run(text, MOST_A_SIGN * (len(text) + 1))
        except TooManyStepsError:
            return text
    return None
