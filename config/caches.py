"""A Redis cache that falls back to the memory of the process while Redis is down.

A lost cache is no reason for an error page: values are computed again, and each process counts
limits (sign-in above all) by itself until Redis is back.
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
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
    "retry": Retry(NoBackoff(), 1),  # after Redis closed the connection; by default these wait
}

LEFT_ALONE = 5
"""Seconds for which a Redis that failed is not asked again."""
BETWEEN_LINES = 60
"""Minimum seconds between two log lines about it."""

log = logging.getLogger("config.caches")


@dataclass
class RetryState:
    """Until when an unreachable Redis is left alone, and logging about it is silenced.

    Both in seconds of ``time.monotonic()``; shared by all threads.
    """

    alone_until: float = float("-inf")
    silent_until: float = float("-inf")


@remembered
def retry_state(server: str) -> RetryState:
    """Return this process's retry state of a Redis server, always the same object.

    server: the value of LOCATION in ``CACHES``.
    """
    return RetryState()


class RedisOrMemoryCache(BaseCache):
    """Cache backend that uses Redis, and memory of the process while Redis is down.

    The memory starts empty and is bounded; it is not copied to Redis afterwards.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.redis = RedisCache(server, params | {"OPTIONS": OPTIONS | params.get("OPTIONS", {})})
        without = {name: value for name, value in params.items() if name != "OPTIONS"}
        self.memory = LocMemCache(f"instead of {server}", without)
        self._patience = retry_state(str(server))

    def answers(self) -> bool:
        """Return whether Redis answers now, bypassing the back-off."""
        try:
            self.redis.get("answers")
        except (RedisError, OSError):
            return False
        return True

    def _call_redis_or_memory(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._patience.alone_until:
            try:
                return getattr(self.redis, name)(*args, **kwargs)
            except (RedisError, OSError) as error:
                self._note_failure(error)
        return getattr(self.memory, name)(*args, **kwargs)

    def _note_failure(self, error: Exception) -> None:
        now = time.monotonic()
        self._patience.alone_until = now + LEFT_ALONE
        if now >= self._patience.silent_until:
            self._patience.silent_until = now + BETWEEN_LINES
            log.error("Redis does not answer, limits count by process: %s", error)

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value unless the key exists; return whether it was stored."""
        return bool(self._call_redis_or_memory("add", key, value, timeout, version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value or the default."""
        return self._call_redis_or_memory("get", key, default, version)

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value, replacing that of the key."""
        self._call_redis_or_memory("set", key, value, timeout, version)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set a new timeout; return whether the key exists."""
        return bool(self._call_redis_or_memory("touch", key, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a value; return whether the key existed."""
        return bool(self._call_redis_or_memory("delete", key, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """Return the values of existing keys."""
        found: dict[str, Any] = self._call_redis_or_memory("get_many", list(keys), version)
        return found

    def has_key(self, key: str, version: int | None = None) -> bool:
        return bool(self._call_redis_or_memory("has_key", key, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Increment a number and return it; raises ValueError if the key does not exist."""
        return int(self._call_redis_or_memory("incr", key, delta, version))

    def set_many(
        self, data: dict[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[str]:
        """Store several values."""
        failed: list[str] = self._call_redis_or_memory("set_many", data, timeout, version)
        return failed

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        self._call_redis_or_memory("delete_many", list(keys), version)

    def clear(self) -> None:
        """Delete everything, in memory too."""
        self.memory.clear()
        self._call_redis_or_memory("clear")
