"""``If-Match``: a write is refused if the resource changed since the caller read it.

Source: RFC 9110, sections 13.1.1 and 13.2.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import set_response_etag
from django.utils.http import parse_etags
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

IF_MATCH = "If-Match"
CONFLICT = 409


class PreconditionFailed(APIException):
    """412: no tag of ``If-Match`` is current."""

    status_code = 412
    default_code = "precondition_failed"
    default_detail = _("This has changed since it was read. Nothing was stored: read it again.")


class HeedsIfMatch(APIView):
    """Mixin of a view whose writes require that a tag of ``If-Match`` is current.

    The tags are compared while nobody else can write, and the answer counts only if one fits: who
    may not do this at all, or sends what can't be read, is told so first, and a POST that is
    repeated with its Idempotency-Key gets its answer again.
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


class HeedsOwnTag(HeedsIfMatch):
    """Mixin of a view that compares ``If-Match`` with the ETag of its own GET response."""

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
