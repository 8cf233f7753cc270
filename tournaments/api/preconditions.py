"""``If-Match``: a write counts only while what it changes is still what the caller has read.

RFC 9110, 13.1.1 and 13.2. Safety notes, 0 (finding 4).
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import set_response_etag
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

HEADER = "If-Match"
CONFLICT = 409


class PreconditionFailed(APIException):
    """What ``If-Match`` names is no longer what is stored."""

    status_code = 412
    default_code = "precondition_failed"

    def __init__(self) -> None:
        super().__init__(
            _("This has changed since it was read. Nothing was stored: read it again.")
        )


class HeedsIfMatch(APIView):
    """A call whose writes heed ``If-Match``.

    The tags are compared while nobody else can write, and the answer counts only if one fits: who
    may not do this at all, or sends what can't be read, is told so first, and a POST that is
    repeated with its Idempotency-Key gets its answer again.
    """

    fits = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer; what was done is taken back where the tags do not fit."""
        if request.method in SAFE_METHODS or HEADER not in request.headers:
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
        """Look whether one of the caller's tags fits, for a write that names some."""
        if request.method in SAFE_METHODS or HEADER not in request.headers:
            return
        sent = parse_etags(request.headers[HEADER])
        self.hold()
        known = {_bare(tag) for tag in self.tags(request)}
        self.fits = sent == ["*"] or not known.isdisjoint(_bare(tag) for tag in sent)

    def hold(self) -> None:
        """Keep other writers out until the end of the transaction."""

    def tags(self, request: Request) -> Iterable[str]:
        """Return the tags that fit now."""
        raise NotImplementedError


class HeedsOwnTag(HeedsIfMatch):
    """A call whose tag is that of its own GET, whatever it is made of."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the tags once the caller is known."""
        super().initial(request, *args, **kwargs)
        self.compare_tags(request)

    def tags(self, request: Request) -> Iterable[str]:
        """Return the tag that GET gives now."""
        read: Any = self
        answer = self.finalize_response(request, read.get(request, **self.kwargs))
        answer.render()
        if not answer.has_header("ETag"):
            set_response_etag(answer)
        return [answer["ETag"]]


def _bare(tag: str) -> str:
    """Return a tag without what says that it is weak, and without the seconds of a clock.

    Servers in front make strong tags weak; seconds that pass are nothing that an update loses.
    """
    return tag.removeprefix("W/").strip('"').partition(".")[0]
