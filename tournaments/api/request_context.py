"""What calls of the API share: actor, event and scope of a token, ``If-Match``, repeated POSTs
answered once, and refusals as problem documents.

Source: RFC 9110, sections 13.1.1 and 13.2; contracts, API.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import set_response_etag
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
    inline_serializer,
)
from knox.models import AuthToken
from rest_framework import serializers
from rest_framework.exceptions import (
    APIException,
    NotAuthenticated,
    PermissionDenied,
    ValidationError,
)
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from accounts.models import User
from config.api import rule_error_data, status_code
from config.problems import PROBLEM
from config.transaction import atomic
from config.web import not_modified_response, version_tag
from rules.errors import BadInput, RuleError
from rules.json_reader import LARGE
from tournaments.core.permissions import Actor, can_create_events, require_permission
from tournaments.log.services import IDEMPOTENCY_KEY, LONGEST_KEY, lock_event, stored_api_response
from tournaments.models import Entry, Event, TokenScope
from tournaments.pages.access import allow_caching, entry_by_link, load_visible_event

IF_MATCH = "If-Match"
CONFLICT = 409


class PreconditionFailed(APIException):
    """API error 412: none of the ETags in ``If-Match`` is current."""

    status_code = 412
    default_code = "precondition_failed"
    default_detail = gettext_lazy("The resource has changed. Read it again.")


class IfMatchMixin(APIView):
    """View mixin: a write with ``If-Match`` succeeds only if one of its ETags is current.

    Tags are compared under a lock. Errors of permission and input come before 412, and a repeated
    POST with the same Idempotency-Key gets its first response. Subclasses define ``tags``, the
    current ETags, and ``hold``, which locks.
    """

    fits = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Dispatch the request; roll back if ``If-Match`` fails."""
        if request.method in SAFE_METHODS or IF_MATCH not in request.headers:
            return super().dispatch(request, *args, **kwargs)
        with transaction.atomic():
            answer = super().dispatch(request, *args, **kwargs)
            counts = answer.status_code < 400 or answer.status_code == CONFLICT
            if counts and not self.fits and not answer.has_header("Idempotent-Replayed"):
                refused = self.handle_exception(PreconditionFailed())
                answer = self.finalize_response(self.request, refused, *args, **kwargs)
            if answer.status_code >= 400:
                transaction.set_rollback(True)
        return answer

    def compare_tags(self, request: Request) -> None:
        """Compare the tags of ``If-Match`` with the current ones, in writes; locks the resource."""
        if request.method in SAFE_METHODS or IF_MATCH not in request.headers:
            return
        sent = parse_etags(request.headers[IF_MATCH])
        self.hold()
        known = {_comparable_tag(tag) for tag in self.tags(request)}
        self.fits = sent == ["*"] or not known.isdisjoint(_comparable_tag(tag) for tag in sent)

    def hold(self) -> None:
        """Lock the resource until the end of the transaction."""

    def tags(self, request: Request) -> Iterable[str]:
        """Return the current ETags of the resource."""
        raise NotImplementedError


class OwnETagMixin(IfMatchMixin):
    """View mixin: like ``IfMatchMixin``, with the ETag of the view's own GET response."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Compare tags after authentication."""
        super().initial(request, *args, **kwargs)
        self.compare_tags(request)

    def tags(self, request: Request) -> Iterable[str]:
        """Return the ETag that GET would send now."""
        read: Any = self
        answer = self.finalize_response(request, read.get(request, **self.kwargs))
        answer.render()
        if not answer.has_header("ETag"):
            set_response_etag(answer)
        return [answer["ETag"]]


def _comparable_tag(tag: str) -> str:
    """Return a tag without the weak marker and without the seconds of a clock.

    Reverse proxies weaken tags, and a running clock is no change.
    """
    return tag.removeprefix("W/").strip('"').partition(".")[0]


LEVELS = (TokenScope.Level.READ, TokenScope.Level.RESULTS, TokenScope.Level.MANAGE)


def request_actor(request: Request, event: Event | None = None) -> Actor:
    """Return the actor of an API request: the user of its token or session.

    For reads of ``event`` also the player whose personal link the session opened.
    """
    user: Any = request.user if request.user.is_authenticated else None
    by_link = event is not None and request.auth is None and request.method in SAFE_METHODS
    entry = entry_by_link(request._request, event) if by_link and event else None
    return Actor(user=user, entry=entry)


def event_creator(request: Request) -> User:
    """Return the request's user if they may create events, formats and formulas.

    Else raises PermissionDenied.
    """
    check_scope(request, None, "manage")
    actor = request_actor(request)
    require_permission(can_create_events(actor))
    if actor.user is None:
        raise PermissionDenied
    return actor.user


def check_scope(request: Request, event: Event | None, level: str) -> None:
    """Check that the request's token covers the event and level; at most one query.

    level: "read", "results" or "manage". Raises PermissionDenied ``token_scope`` if the token's
    level is too low, Http404 if it is for another event. Requests without token pass.
    """
    if not isinstance(request.auth, AuthToken):
        return
    scope = TokenScope.objects.filter(token=request.auth).first()
    if scope is None:
        return
    if scope.event_id is not None and (event is None or scope.event_id != event.pk):
        if event is None:
            raise PermissionDenied(_("This token isn’t allowed to do that."), code="token_scope")
        raise Http404
    if LEVELS.index(TokenScope.Level(scope.level)) < LEVELS.index(TokenScope.Level(level)):
        raise PermissionDenied(_("This token isn’t allowed to do that."), code="token_scope")


def token_level(request: Request) -> str | None:
    """Return the level of the request's token, such as "manage"; at most one query.

    None without token, or if the token has all rights of its user.
    """
    if not isinstance(request.auth, AuthToken):
        return None
    return TokenScope.objects.filter(token=request.auth).values_list("level", flat=True).first()


class EventView(IfMatchMixin):
    """Base class of endpoints about one event: 404 unless client and token may see it.

    ``event`` and ``actor`` are set before the handler runs; ``sight`` is the actor to use for
    visibility: with a token below ``manage``, the user without staff roles. ``writes`` is the token
    level that writes need; ``by_anybody``: whether they need no account; ``tells_seconds``: whether
    responses include a running timer.
    """

    writes = TokenScope.Level.MANAGE
    by_anybody = False
    """Whether who has no account may write."""
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
        self.event, self.actor = load_visible_event(
            kwargs["slug"], lambda event: request_actor(request, event)
        )
        writes = request.method not in SAFE_METHODS and hasattr(self, str(request.method).lower())
        if writes and self.actor.user is None and not self.by_anybody:
            raise NotAuthenticated
        check_scope(request, self.event, "read" if request.method in SAFE_METHODS else self.writes)
        self.sight = self.actor
        if token_level(request) not in (None, TokenScope.Level.MANAGE):
            self.sight = Actor(entry=self.actor.entry_in(self.event))
        self.compare_tags(request)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 404 for an event or player that was deleted meanwhile."""
        gone = isinstance(exc, Event.DoesNotExist | Entry.DoesNotExist)
        return super().handle_exception(Http404() if gone else exc)

    def hold(self) -> None:
        """Lock the event until the end of the transaction."""
        self.event = lock_event(self.event)

    def answer(self, request: Request, data: object) -> Response:
        """Return a response with the ETag of the event's version."""
        self.offer(request)
        return Response(
            data, headers={"ETag": self.tag(request), "Cache-Control": "private, no-cache"}
        )

    def offer(self, request: Request) -> None:
        """Let the page cache store this response if the reader is anonymous."""
        if request.method in SAFE_METHODS and request.auth is None:
            allow_caching(request._request, self.actor, self.event, seconds=self.tells_seconds)

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
        return not_modified_response(request, self.tag(request))

    def entry(self, number: int) -> Entry:
        """Return a player by number; one query. Raises Http404."""
        found: Entry = get_object_or_404(self.event.entries, number=number)
        found.event = self.event
        return found


Post = Callable[..., Response]


class KeyReusedError(APIException):
    """API error 422: the Idempotency-Key was used for a different request."""

    status_code = 422
    default_code = "idempotency_key_reused"
    default_detail = gettext_lazy("This Idempotency-Key was already used for another request.")


def with_idempotency_key(post: Post) -> Post:
    """Decorate a POST handler: a repeated Idempotency-Key gets the stored response.

    Raises BadInput ``idempotency_key_too_long``, :class:`KeyReusedError`. Four more queries.
    """

    @wraps(post)
    def guarded(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if not key or not request.user.is_authenticated:
            return post(view, request, *args, **kwargs)
        if len(key) > LONGEST_KEY:
            raise BadInput(
                "idempotency_key_too_long",
                "Write at most %(most)s characters.",
                most=LONGEST_KEY,
            )
        return _answer(lambda: post(view, request, *args, **kwargs), request, key)

    return guarded


def idempotent_post(
    operation: str, sent: Any, answered: Any, **more: Any
) -> Callable[[Post], Post]:
    """Return a decorator: ``with_idempotency_key`` and the operation's OpenAPI schema.

    operation: its operationId. sent, answered: serializers of request and response bodies. more:
    arguments of ``extend_schema``.
    """
    told = extend_schema(operation_id=operation, request=sent, responses=answered, **more)
    return lambda post: told(with_idempotency_key(post))


@atomic
def _answer(act: Callable[[], Response], request: Request, key: str) -> Response:
    """Handle a request and store its answer in one transaction, or replay a stored answer."""
    kept, is_new = stored_api_response(request.user, key, _fingerprint(request), KeyReusedError())
    if not is_new:
        return Response(kept.body, status=kept.status, headers={"Idempotent-Replayed": "true"})
    response = act()
    kept.status, kept.body = response.status_code, response.data
    kept.save(update_fields=["status", "body"])
    return response


def _fingerprint(request: Request) -> str:
    data: Any = request.data
    if isinstance(data, dict) and isinstance(data.get("content"), bytes):  # a whole file
        data = sha256(data["content"]).hexdigest()
    body = JSONEncoder(sort_keys=True).encode(data)
    return sha256(f"{request.method} {request.get_full_path()} {body}".encode()).hexdigest()


def problem_response(request: Request, error: RuleError, **shown: object) -> Response:
    """Return the problem document (400 or 409) for a RuleError.

    shown: further members of the document.
    """
    data = rule_error_data(request._request, error) | shown
    return Response(data, status=status_code(error), content_type=PROBLEM)


NUMBERS = frozenset({"stage", "round", "player", "page"})


def page_serializer(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the serializer of a page of results: count, next, previous, results.

    shape: serializer of one result.
    """
    return inline_serializer(
        name=shape.__name__.removesuffix("Output") + "Page",
        fields={
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": shape(many=True),
        },
    )


def one_or_many_serializer(shape: type[serializers.Serializer[Any]]) -> Any:
    """Return the serializer of one object or a list of them, for the schema.

    shape: serializer of one object.
    """
    return PolymorphicProxySerializer(
        component_name=f"{shape.__name__}OneOrMany",
        serializers=[shape, shape(many=True)],
        resource_type_field_name=None,
        many=False,
    )


def query_parameters(
    *names: str, page: bool = False, **known: Iterable[str]
) -> list[OpenApiParameter]:
    """Return OpenAPI query parameters by name, all optional.

    names: integers if in ``NUMBERS``, else text. page: whether to add ``page``. known: allowed
    values of a parameter, by its name.
    """
    asked = (*known, *names, "page") if page else (*known, *names)
    return [
        OpenApiParameter(
            name,
            OpenApiTypes.INT if name in NUMBERS else OpenApiTypes.STR,
            required=False,
            enum=list(known[name]) if name in known else None,
        )
        for name in asked
    ]


def number_parameters(request: Request, *names: str) -> dict[str, int]:
    """Return the non-empty query parameters with these names, as integers by name.

    Raises ValidationError if one is no whole number.
    """
    found = {}
    for name, text in text_parameters(request, *names).items():
        if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= LARGE):
            raise ValidationError({name: [_("A whole number.")]})
        found[name] = int(text)
    return found


def choice_parameter(request: Request, name: str, known: Collection[str]) -> str | None:
    """Return a query parameter, None if it is empty.

    Raises ValidationError for a value that is not in ``known``.
    """
    wanted = text_parameters(request, name).get(name)
    if wanted is not None and wanted not in known:
        words = _("“%(value)s” is not one of these: %(known)s.")
        raise ValidationError(
            {name: [words % {"value": wanted[:80], "known": ", ".join(map(str, known))}]}
        )
    return wanted


def text_parameters(request: Request, *names: str) -> dict[str, str]:
    """Return the non-empty query parameters with these names, as text by name."""
    sent = request.query_params
    return {name: sent[name] for name in names if sent.get(name)}


def storable_text_parameters(request: Request, *names: str) -> dict[str, str]:
    """Like ``text_parameters``, without NUL characters, which databases refuse."""
    return {
        name: text.replace("\x00", "") for name, text in text_parameters(request, *names).items()
    }
