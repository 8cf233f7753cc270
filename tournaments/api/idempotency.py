"""The request header ``Idempotency-Key``: a repeated POST gets the answer stored for its key.

Source: contracts, API.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from config.transaction import atomic
from rules.errors import BadInput
from tournaments.core.given_answers import IDEMPOTENCY_KEY, LONGEST_KEY, given_answer

Post = Callable[..., Response]


class KeyReusedError(APIException):
    """422: the key was used for a different request."""

    status_code = 422
    default_code = "idempotency_key_reused"
    default_detail = _("This Idempotency-Key was used for another request. Nothing was stored.")


def idempotent(post: Post) -> Post:
    """Decorate a POST handler to replay the stored answer for a known Idempotency-Key.

    Raises BadInput ``idempotency_key_too_long``, :class:`KeyReusedError`; four queries more.
    """

    @wraps(post)
    def guarded(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(IDEMPOTENCY_KEY, "")
        if not key or not request.user.is_authenticated:
            return post(view, request, *args, **kwargs)
        if len(key) > LONGEST_KEY:
            raise BadInput(
                "idempotency_key_too_long",
                "An Idempotency-Key has at most %(most)s characters.",
                most=LONGEST_KEY,
            )
        return _answer(lambda: post(view, request, *args, **kwargs), request, key)

    return guarded


def idempotent_post(
    operation: str, sent: Any, answered: Any, **more: Any
) -> Callable[[Post], Post]:
    """Decorate a POST handler as ``idempotent`` does, and with its part of the schema."""
    told = extend_schema(operation_id=operation, request=sent, responses=answered, **more)
    return lambda post: told(idempotent(post))


@atomic
def _answer(act: Callable[[], Response], request: Request, key: str) -> Response:
    """Handle a request and store its answer in one transaction, or replay a stored answer."""
    kept, is_new = given_answer(request.user, key, _fingerprint(request), KeyReusedError())
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
