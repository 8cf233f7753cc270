"""A Redis that may go away: what is asked of it meanwhile stays in this process' memory.

Nothing here is worth an error page: what was worked out is worked out again, and limits (sign-in
first of all) are counted by each process for itself until Redis is back.
"""

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache as remembered
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

LEFT_ALONE = 5
"""Seconds for which nobody waits for a Redis that did not answer."""
BETWEEN_LINES = 60
"""Seconds from one line of the log about it to the next."""

log = logging.getLogger("config.caches")


@dataclass
class Patience:
    """When a Redis is asked again, and the log told; one for all threads, each has its cache."""

    alone_until: float = float("-inf")
    silent_until: float = float("-inf")


@remembered
def patience_with(server: str) -> Patience:
    """Return what this process knows of a Redis."""
    return Patience()


class RedisOrMemory(BaseCache):
    """Asks Redis, and the memory of this process while there is none.

    The memory starts empty and is bounded; nothing of it goes to Redis afterwards.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.redis = RedisCache(server, params)
        without = {name: value for name, value in params.items() if name != "OPTIONS"}
        self.memory = LocMemCache(f"instead of {server}", without)
        self._patience = patience_with(str(server))

    def answers(self) -> bool:
        """Say whether Redis itself answers now, whatever it did before."""
        try:
            self.redis.get("answers")
        except (RedisError, OSError):
            return False
        return True

    def _ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._patience.alone_until:
            try:
                return getattr(self.redis, name)(*args, **kwargs)
            except (RedisError, OSError) as error:
                self._left_alone(error)
        return getattr(self.memory, name)(*args, **kwargs)

    def _left_alone(self, error: Exception) -> None:
        now = time.monotonic()
        self._patience.alone_until = now + LEFT_ALONE
        if now >= self._patience.silent_until:
            self._patience.silent_until = now + BETWEEN_LINES
            log.error("Redis does not answer, limits count by process: %s", error)

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value where there is none; say whether it was."""
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value, or the default."""
        return self._ask("get", key, default, version)

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value."""
        self._ask("set", key, value, timeout, version)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Let a value live for so long from now; say whether there is one."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget a value; say whether there was one."""
        return bool(self._ask("delete", key, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """Return the values that there are."""
        found: dict[str, Any] = self._ask("get_many", list(keys), version)
        return found

    def has_key(self, key: str, version: int | None = None) -> bool:
        """Say whether there is a value."""
        return bool(self._ask("has_key", key, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number and return it; raises ValueError where there is none."""
        return int(self._ask("incr", key, delta, version))

    def set_many(
        self, data: dict[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[str]:
        """Store several values."""
        failed: list[str] = self._ask("set_many", data, timeout, version)
        return failed

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Forget several values."""
        self._ask("delete_many", list(keys), version)

    def clear(self) -> None:
        """Forget everything, in the memory too."""
        self.memory.clear()
        self._ask("clear")
