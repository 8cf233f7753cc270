"""The folder in which the processes of one machine share finished answers."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

KEPT_FOR = 120
"""Seconds after which a file is deleted: what was taken away stays on no disk for long."""
TURN = "turn-"
"""How the files begin that are locked by who renders; they hold nothing."""


class PageFiles(FileBasedCache):
    """Django's cache in files, which also deletes expired files that are not read again."""

    def __init__(self, dir: str, params: dict[str, Any]) -> None:
        super(FileBasedCache, self).__init__(params)  # the folder is made by the first answer
        self.folder = Path(dir).absolute()
        self._dir = str(self.folder)
        self._swept = 0.0

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value. Raises OSError."""
        super().set(key, value, timeout, version)
        now = time.time()
        if not 0 <= now - self._swept < KEPT_FOR:
            self._swept = now
            self.sweep(now - KEPT_FOR)

    def sweep(self, before: float) -> None:
        """Delete the files written before a moment, half-written ones of a killed process too."""
        for file in self.folder.iterdir():
            with suppress(FileNotFoundError):  # another process was faster
                if not file.name.startswith(TURN) and file.stat().st_mtime < before:
                    file.unlink()


def forget_pages() -> None:
    """Delete the rendered pages cached in files; those in Redis expire after ``KEPT_FOR``."""
    pages = caches["finished"]
    if isinstance(pages, PageFiles):
        with suppress(OSError):
            pages.clear()
