"""How deeply JSON is nested, found before a parser builds anything of it."""

from itertools import accumulate, chain

DEEPEST = 32
"""Levels; no document that Girone reads has half as many."""
_OPENING, _CLOSING = b"[{", b"]}"
_STEPS = [(sign in _OPENING) - (sign in _CLOSING) for sign in range(256)]
_OTHERS = bytes(sign for sign in range(256) if sign not in _OPENING + _CLOSING + b'"')


class TooDeepError(ValueError):
    """JSON that is nested more deeply than any document."""


def check_depth(content: bytes, deepest: int = DEEPEST) -> None:
    """Raise TooDeepError for JSON in UTF-8 of more than so many levels.

    Takes time and memory in proportion to the content.
    """
    signs = content.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    # Two quotes side by side are an empty text, or the end of one and the start of the next.
    outside = signs.replace(b'""', b"").split(b'"')[::2]
    brackets = chain.from_iterable(outside)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > deepest:
        raise TooDeepError("The JSON is nested too deeply.")
