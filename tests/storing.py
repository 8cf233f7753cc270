"""What a form may answer that has stored something: a reload must not store it again."""

import re
from collections.abc import Callable
from typing import Any

from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

WRITES = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
BESIDE = frozenset({"django_session", "django_cache"})
"""Tables that hold nothing anybody has stored: who is signed in, and what is kept for a while."""


STORED: set[str] = set()
"""The names of the addresses whose forms this test has stored something by, and was redirected."""


class RepeatedError(AssertionError):
    """A page that has stored something would store it again when it is loaded again."""


class Writes:
    """Counts what is written while a request is answered."""

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        """Note the table of a statement that writes."""
        found = WRITES.match(sql)
        if found and found[2] not in BESIDE:
            self.tables.add(found[2])
        return execute(sql, *rest)


def checked_post(post: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return ``Client.post`` that raises RepeatedError for a page which has stored something.

    A redirect, a part of a page, JSON for a script and a refusal are not loaded again.
    """

    def checking(self: Client, path: str, *args: Any, **kwargs: Any) -> HttpResponse:
        writes = Writes()
        with connections["default"].execute_wrapper(writes):
            answer = post(self, path, *args, **kwargs)
        redirected = answer.status_code == 302 or bool(getattr(answer, "redirect_chain", ()))
        if writes.tables and not redirected and _is_page(answer):
            raise RepeatedError(f"POST {path} stored {sorted(writes.tables)} and answered a page.")
        if writes.tables and redirected:
            STORED.add(name_of(path))
        return answer

    return checking


def name_of(path: str) -> str:
    """Return the name of an address, or "" where nothing is."""
    try:
        return resolve(path.split("?")[0]).view_name
    except Resolver404:
        return ""


def _is_page(answer: HttpResponse) -> bool:
    kind = answer.headers.get("Content-Type", "")
    return answer.status_code == 200 and "html" in kind and b"<html" in answer.content
