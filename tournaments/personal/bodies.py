"""What a player's page shows, as it was written for the same digest (``selectors.marks``).

A phone that has the page is told so by the digest alone; one that opens it again gets these bytes.
"""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from django.utils.safestring import SafeString

MOST = 1_000
"""Bodies that a process keeps, some 7 kB each; the one asked for longest ago goes first."""
PASSING = ("csrfmiddlewaretoken", "data-clock", "own-code")
"""Signs of a form, a clock and a code for the door: such a body is written for each request."""


class Body(NamedTuple):
    """The polled part of the page, and the title of the match that is played, if any."""

    html: SafeString
    title: str

    @property
    def lasts(self) -> bool:
        """Say whether the body is the same for the next request."""
        return not any(sign in self.html for sign in PASSING)


class Bodies:
    """The bodies of some players' pages by primary key of the entry and digest."""

    def __init__(self, most: int = MOST) -> None:
        """Make an empty store with its limit."""
        self.most = most
        self._kept: OrderedDict[tuple[int, str], Body] = OrderedDict()
        self._lock = Lock()

    def get(self, entry: int, digest: str) -> Body | None:
        """Return the body that shows this, None if it is not kept."""
        with self._lock:
            found = self._kept.get((entry, digest))
            if found is not None:
                self._kept.move_to_end((entry, digest))
            return found

    def keep(self, entry: int, digest: str, body: Body) -> Body:
        """Keep a body, unless it is one request's, and return it."""
        if body.lasts:
            with self._lock:
                self._kept[entry, digest] = body
                while len(self._kept) > self.most:
                    self._kept.popitem(last=False)
        return body

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()


bodies = Bodies()
