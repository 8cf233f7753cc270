"""Where finished answers are kept: in the memory of each process, and where processes share them.

They share them through Redis (``CACHE_URL``), else through a folder beside the database.
"""

import pickle
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.core.files import locks

Header = tuple[str, str]
MOST_BYTES = 64 * 1024 * 1024
STRIPES = 256
LONGEST_RENDERING = 3
"""Seconds after which Redis forgets who renders: a process that was killed gives nothing back."""
SHARED_FOR = 120
BROKEN = (pickle.PickleError, zlib.error, EOFError, AttributeError, TypeError, ImportError)
"""What reading a damaged entry raises."""


@dataclass(slots=True)
class Kept:
    """A finished answer: its bytes, headers, and the look that it was made after.

    ``end`` is what follows the place where the clock is written into a whole page, ``checksum``
    that of the bytes before. ``until`` and ``rendered`` (its beginning) are seconds since the
    epoch, ``took`` those of the rendering. ``fresh`` is when this process last saw it be current.
    """

    label: tuple[Any, ...]
    kin: tuple[Any, ...]
    number: int
    headers: tuple[Header, ...]
    unchanged: tuple[Header, ...]
    etag: str
    body: bytes
    compressed: bool
    length: int
    until: float
    rendered: float
    took: float
    clock: bool = False
    end: bytes = b""
    checksum: int = 0
    fresh: float = 0.0


class Memory:
    """The answers used last, up to a number of bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.size = most, 0
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> Kept | None:
        """Return an answer."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer; drop those not used for longest."""
        with self._lock:
            former = self._kept.pop(key, None)
            self.size += _size(kept) - (_size(former) if former else 0)
            self._kept[key] = kept
            while self.size > self.most:
                _key, dropped = self._kept.popitem(last=False)
                self.size -= _size(dropped)


def _size(kept: Kept) -> int:
    return len(kept.body) + 2_000  # of headers and the object itself


class Shared:
    """Answers shared by the processes of a site, and who of them renders which."""

    def __init__(self, cache: BaseCache, folder: Path | None) -> None:
        self.cache, self.folder = cache, folder

    def get(self, key: str) -> Kept | None:
        """Return an answer; None if it is damaged. Raises OSError."""
        try:
            found: Kept | None = self.cache.get(key)
        except BROKEN:
            return None
        return found

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer. Raises OSError."""
        self.cache.set(key, kept, SHARED_FOR)

    @contextmanager
    def turn(self, key: str) -> Iterator[bool]:
        """Hold the right to render; False if somebody else has it now. Raises OSError."""
        if self.folder is None:
            name = f"turn:{key}"
            ours = self.cache.add(name, 1, LONGEST_RENDERING)
            try:
                yield ours
            finally:
                if ours:
                    self.cache.delete(name)
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        stripe = zlib.crc32(key.encode()) % STRIPES
        with (self.folder / f"turn-{stripe:03}").open("ab") as file:
            yield locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)


def shared_of_site() -> Shared:
    """Return what this site's processes share."""
    kind = settings.CACHES["finished"]
    in_files = str(kind["BACKEND"]).endswith("FileBasedCache")
    return Shared(caches["finished"], Path(str(kind["LOCATION"])) if in_files else None)
