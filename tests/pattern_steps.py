"""How many steps a backtracking matcher makes with a pattern over a text, counted one by one.

The standard library tells no steps, and time is no test: the same tree that it makes of a pattern
is walked here, in its order and without its shortcuts, so that no count is below its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Sees = Callable[[str], bool]
Part = tuple[Any, Any]


class TooManyStepsError(Exception):
    """The pattern makes more steps than it may."""


class UnknownPartError(Exception):
    """The pattern has a part that is not counted here, such as a reference to a group."""


class Steps:
    """A pattern as a program of a backtracking matcher, and the counter of its steps."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Translate the tree of a pattern; raises UnknownPartError."""
        self.flags = pattern.flags
        self.tree = list(_parser.parse(pattern.pattern, pattern.flags))
        self.program: list[tuple[Any, ...]] = []
        self._translate(self.tree, self.flags)
        self.program.append(("match",))
        self.left = 0

    def whole(self, text: str, most: int) -> int:
        """Return the steps of ``fullmatch``; raises TooManyStepsError above ``most``."""
        self.left = most
        self._run(0, text, 0, whole=True)
        return most - self.left

    def everywhere(self, text: str, most: int) -> int:
        """Return the steps of ``sub``: one match after the other; raises TooManyStepsError."""
        self.left = most
        at = 0
        while at <= len(text):
            end = self._run(0, text, at, whole=False)
            at = end if end is not None and end > at else at + 1
        return most - self.left

    def end_of_match(self, text: str, at: int) -> int | None:
        """Return where ``match`` from ``at`` ends, None without a match."""
        return self._run(0, text, at, whole=False)

    def _emit(self, *instruction: Any) -> int:
        self.program.append(instruction)
        return len(self.program) - 1

    def _translate(self, parts: Any, flags: int) -> None:
        for part in parts:
            self._translate_part(part, flags)

    def _translate_part(self, part: Part, flags: int) -> None:
        kind, what = part
        if (sees := sees_of(part, flags)) is not None:
            self._emit("sign", sees)
        elif kind is sre.SUBPATTERN:
            _group, more, less, inside = what
            self._translate(inside, (flags | more) & ~less)
        elif kind is sre.BRANCH:
            self._translate_branch(what[1], flags)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            self._translate_repeat(what, flags, lazy=kind is sre.MIN_REPEAT)
        elif kind is sre.POSSESSIVE_REPEAT:
            self._translate_alone([(sre.MAX_REPEAT, what)], flags, "alone")
        elif kind is sre.ATOMIC_GROUP:
            self._translate_alone(what, flags, "alone")
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            direction, inside = what
            width = inside.getwidth()[0] if direction < 0 else 0
            self._translate_alone(inside, flags, "look", kind is sre.ASSERT, width)
        elif kind is sre.AT:
            self._emit("at", what, flags)
        else:
            raise UnknownPartError(str(kind))

    def _translate_branch(self, ways: Any, flags: int) -> None:
        ends = []
        for way in ways[:-1]:
            fork = self._emit("fork")
            self._translate(way, flags)
            ends.append(self._emit("go"))
            self.program[fork] = ("fork", fork + 1, len(self.program))
        self._translate(ways[-1], flags)
        for end in ends:
            self.program[end] = ("go", len(self.program))

    def _translate_repeat(self, what: Any, flags: int, *, lazy: bool) -> None:
        least, most, inside = what
        for _time in range(least):
            self._translate(inside, flags)
        if most is not sre.MAXREPEAT:
            forks = []
            for _time in range(most - least):
                forks.append(self._emit("fork"))
                self._translate(inside, flags)
            for fork in forks:
                self.program[fork] = _fork(fork + 1, len(self.program), lazy=lazy)
            return
        if not inside.getwidth()[0]:
            raise UnknownPartError("a repeat without end over what may be nothing")
        fork = self._emit("fork")
        self._translate(inside, flags)
        self._emit("go", fork)
        self.program[fork] = _fork(fork + 1, len(self.program), lazy=lazy)

    def _translate_alone(self, parts: Any, flags: int, name: str, *more: Any) -> None:
        begin = self._emit(name)
        self._translate(parts, flags)
        self._emit("match")
        self.program[begin] = (name, begin + 1, len(self.program), *more)

    def _run(self, begin: int, text: str, at: int, *, whole: bool) -> int | None:
        """Return where the first match from ``at`` ends, None without one."""
        stack = [(begin, at)]
        while stack:
            line, at = stack.pop()
            while True:
                self.left -= 1
                if self.left < 0:
                    raise TooManyStepsError
                order, *what = self.program[line]
                if order == "sign":
                    if at == len(text) or not what[0](text[at]):
                        break
                    line, at = line + 1, at + 1
                elif order == "fork":
                    line = what[0]
                    stack.append((what[1], at))
                elif order == "go":
                    line = what[0]
                elif order == "alone":
                    end = self._run(what[0], text, at, whole=False)
                    if end is None:
                        break
                    line, at = what[1], end
                elif order == "look":
                    start = at - what[3]
                    found = start >= 0 and self._run(what[0], text, start, whole=False) is not None
                    if found is not what[2]:
                        break
                    line = what[1]
                elif order == "at":
                    if not _stands(what[0], what[1], text, at):
                        break
                    line += 1
                elif whole and at < len(text):
                    break
                else:
                    return at
        return None


def _fork(again: int, onward: int, *, lazy: bool) -> tuple[str, int, int]:
    return ("fork", onward, again) if lazy else ("fork", again, onward)


def _stands(where: Any, flags: int, text: str, at: int) -> bool:
    lines = flags & re.MULTILINE
    if where in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
        inside = where is sre.AT_BEGINNING and lines
        return at == 0 or bool(inside and text[at - 1] == "\n")
    if where is sre.AT_END:
        return at == len(text) or (text[at] == "\n" and bool(lines or at == len(text) - 1))
    if where is sre.AT_END_STRING:
        return at == len(text)
    words = [0 <= place < len(text) and _is_word(text[place]) for place in (at - 1, at)]
    return (words[0] is not words[1]) is (where is sre.AT_BOUNDARY)


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


_CATEGORIES: dict[Any, Sees] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda sign: not sign.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda sign: not sign.isspace(),
    sre.CATEGORY_WORD: _is_word,
    sre.CATEGORY_NOT_WORD: lambda sign: not _is_word(sign),
}


def sees_of(part: Part, flags: int) -> Sees | None:
    """Return what a part of a tree for one sign takes; None for other parts."""
    kind, what = part
    if kind is sre.ANY:
        return lambda sign: bool(flags & re.DOTALL) or sign != "\n"
    if kind is sre.LITERAL or kind is sre.NOT_LITERAL:
        alike = _in_any_case(what, what) if flags & re.IGNORECASE else {chr(what)}
        return lambda sign: (sign in alike) is (kind is sre.LITERAL)
    if kind is not sre.IN:
        return None
    tests = [_member(member, flags) for member in what if member[0] is not sre.NEGATE]
    wanted = what[0][0] is not sre.NEGATE
    return lambda sign: any(test(sign) for test in tests) is wanted


def _member(member: Part, flags: int) -> Sees:
    kind, what = member
    if kind is sre.CATEGORY:
        return _CATEGORIES[what]
    first, last = (what, what) if kind is sre.LITERAL else what
    if flags & re.IGNORECASE:
        alike = _in_any_case(first, last)
        return lambda sign: sign in alike
    return lambda sign: first <= ord(sign) <= last


def _in_any_case(first: int, last: int) -> set[str]:
    signs = set(map(chr, range(first, last + 1)))
    return signs | {sign.lower() for sign in signs} | {sign.upper() for sign in signs}
