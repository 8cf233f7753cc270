"""What a player's page shows, as it was written for the same digest (``selectors.marks``).

A phone that has the page is told so by the digest alone; one that opens it again gets these bytes.
Forms are kept without their token, which is another one for each request.
"""

import re
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.safestring import SafeString, mark_safe

MOST = 1_000
"""Bodies that a process keeps, some 7 kB each; the one asked for longest ago goes first."""
PASSING = re.compile(r'data-clock data-state="(running|over)"|own-code')
"""Signs of a clock that goes and of a code for the door: such a body is written each time."""
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]*')


class Body(NamedTuple):
    """The polled part of the page, and the title of the match that is played, if any."""

    html: SafeString
    title: str

    @property
    def lasts(self) -> bool:
        """Say whether the body is the same for the next request, but for tokens."""
        return PASSING.search(self.html) is None

    def without_tokens(self) -> "Body":
        """Return the body with empty tokens in its forms."""
        return Body(mark_safe(TOKEN.sub("", self.html)), self.title)  # noqa: S308

    def for_request(self, request: HttpRequest) -> "Body":
        """Return the body with tokens of the reader's session in its forms."""
        if "csrfmiddlewaretoken" not in self.html:
            return self
        return Body(mark_safe(TOKEN.sub(get_token(request), self.html)), self.title)  # noqa: S308


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
                self._kept[entry, digest] = body.without_tokens()
                while len(self._kept) > self.most:
                    self._kept.popitem(last=False)
        return body

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()


bodies = Bodies()
