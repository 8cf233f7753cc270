"""Actor, event and token scope of a request."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from knox.models import AuthToken
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from config.web import not_modified, version_tag
from rules.json_reader import LARGE
from tournaments.api.preconditions import HeedsIfMatch
from tournaments.core.permissions import Actor
from tournaments.log.services import locked
from tournaments.models import Entry, Event, TokenScope
from tournaments.pages.access import entry_by_link, event_now
from tournaments.pages.offers import offer

LEVELS = (TokenScope.Level.READ, TokenScope.Level.RESULTS, TokenScope.Level.MANAGE)


def actor_asking(request: Request, event: Event | None = None) -> Actor:
    """Return the actor: user of a token or session, for reading also of a personal link."""
    user: Any = request.user if request.user.is_authenticated else None
    by_link = event is not None and request.auth is None and request.method in SAFE_METHODS
    entry = entry_by_link(request._request, event) if by_link and event else None
    return Actor(user=user, entry=entry)


def check_scope(request: Request, event: Event | None, level: str) -> None:
    """Check the scope of the request's token; at most one query.

    Raises PermissionDenied ``token_scope`` if its level is too low, Http404 for another event.
    """
    if not isinstance(request.auth, AuthToken):
        return
    scope = TokenScope.objects.filter(token=request.auth).first()
    if scope is None:
        return
    if scope.event_id is not None and (event is None or scope.event_id != event.pk):
        if event is None:
            raise PermissionDenied(_("This token is for one event."), code="token_scope")
        raise Http404
    if LEVELS.index(TokenScope.Level(scope.level)) < LEVELS.index(TokenScope.Level(level)):
        raise PermissionDenied(
            _("This token may not do that. Nothing was stored."), code="token_scope"
        )


def reach_of(request: Request) -> str | None:
    """Return the level of the caller's token, None for all rights of its user; one query."""
    if not isinstance(request.auth, AuthToken):
        return None
    return TokenScope.objects.filter(token=request.auth).values_list("level", flat=True).first()


class EventView(HeedsIfMatch):
    """Base view of an endpoint about one event: visible to the client, in their token's scope."""

    writes = TokenScope.Level.MANAGE
    tells_seconds = False
    """Whether its answers hold the seconds of a running clock."""
    event: Event
    actor: Actor
    sight: Actor
    """The actor for visibility: with a token below ``manage``, the user without staff roles."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the event as it is now; 404 if the actor can't see it.

        Whoever has no account gets 401 for a call that writes, before anything sent is looked at.
        """
        super().initial(request, *args, **kwargs)
        if any(isinstance(value, int) and value > LARGE for value in kwargs.values()):
            raise Http404
        self.event, self.actor = event_now(
            kwargs["slug"], lambda event: actor_asking(request, event)
        )
        writes = request.method not in SAFE_METHODS and hasattr(self, str(request.method).lower())
        if writes and self.actor.user is None:
            raise NotAuthenticated
        check_scope(request, self.event, "read" if request.method in SAFE_METHODS else self.writes)
        self.sight = self.actor
        if reach_of(request) not in (None, TokenScope.Level.MANAGE):
            self.sight = Actor(entry=self.actor.entry_in(self.event))
        self.compare_tags(request)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 404 for an event or player that was deleted meanwhile."""
        gone = isinstance(exc, Event.DoesNotExist | Entry.DoesNotExist)
        return super().handle_exception(Http404() if gone else exc)

    def hold(self) -> None:
        """Lock the event until the end of the transaction."""
        self.event = locked(self.event)

    def answer(self, request: Request, data: object) -> Response:
        """Return a response with the ETag of the event's version."""
        self.offer(request)
        return Response(
            data, headers={"ETag": self.tag(request), "Cache-Control": "private, no-cache"}
        )

    def offer(self, request: Request) -> None:
        """Let the page cache store this response if the reader is anonymous."""
        if request.method in SAFE_METHODS and request.auth is None:
            offer(request._request, self.actor, self.event, seconds=self.tells_seconds)

    def paged(self, request: Request, rows: Any, shape: Callable[[Any], object]) -> Response:
        """Return a page of rows as JSON, with the ETag of the event's version."""
        pages = PageNumberPagination()
        self.offer(request)
        page: Any = pages.paginate_queryset(rows, request, self) or []
        answer = pages.get_paginated_response([shape(row) for row in page])
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer

    def tag(self, request: Request) -> str:
        """Return the ETag of the requested address for this reader."""
        tag = self.tag_of(request, request.get_full_path(), self.event.version)
        marks = tuple(self.marks())
        return f'{tag[:-1]}.{sha256(repr(marks).encode()).hexdigest()[:8]}"' if marks else tag

    def tag_of(self, request: Request, what: str, *state: object) -> str:
        """Return the ETag of an address and state for this reader."""
        own = self.actor.entry.pk if self.actor.entry else None
        whole = self.sight is self.actor
        return version_tag(request, self.event.pk, what, own, whole, *state)

    def tags(self, request: Request) -> Iterator[str]:
        """Yield the tags that ``If-Match`` may name: of the address and of its parents."""
        top, path = reverse("tournaments_api:event", args=[self.event.slug]), request.path
        yield self.tag_of(request, request.get_full_path(), self.event.version)
        while path.startswith(top):
            yield self.tag_of(request, path, self.event.version)
            path = path.rstrip("/").rpartition("/")[0] + "/"

    def marks(self) -> Iterable[object]:
        """Return what the ETag depends on beside the version, such as the seconds of a clock."""
        return ()

    def not_modified(self, request: Request) -> Any:
        """Return a 304 response if the reader's tag is current, else None.

        ``*`` is ignored, as a request with wrong parameters must get its error.
        """
        if request.headers.get("If-None-Match", "").strip() == "*":
            return None
        return not_modified(request, self.tag(request))

    def entry(self, number: int) -> Entry:
        """Return a player by number; one query. Raises Http404."""
        found: Entry = get_object_or_404(self.event.entries, number=number)
        found.event = self.event
        return found
