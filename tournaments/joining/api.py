"""Joining through the API. Contracts, Joining, plan, repeat, finish."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from config.addresses import absolute_url
from tournaments.api.request_context import EventView, idempotent_post
from tournaments.api.serialization import Json, Serializer, WholeNumberField, validate_input
from tournaments.core.permissions import is_staff, require_permission
from tournaments.joining.selectors import (
    PendingRequest,
    find_claim,
    pending_request_rows,
    request_state,
)
from tournaments.joining.services import (
    MINUTE,
    confirm_request,
    exceeds_code_limit,
    exceeds_guess_limit,
    exceeds_request_limit,
    fetch_link,
    refuse_request,
    request_sign_in,
)
from tournaments.models import Entry, Event, JoinClaim

HEADER = "Join-Claim"


class JoinInput(Serializer):
    """Request body of a phone: the number of the player to sign in as."""

    number = WholeNumberField(min_value=1)


class JoinOutput(Serializer):
    """A new request of a phone: the code that it displays, and its secret ``claim``."""

    code = serializers.CharField()
    claim = serializers.CharField(help_text=f"To be sent in the header {HEADER}")
    expires = serializers.DateTimeField()


class ClaimOutput(Serializer):
    """The state of a phone's request."""

    state = serializers.ChoiceField(choices=["waiting", "confirmed", "refused", "expired"])
    link = serializers.CharField(
        required=False, help_text="The personal link: told once, after the confirmation"
    )


class WaitingOutput(Serializer):
    """A phone's request to sign in as a player that staff have not answered yet."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    held = serializers.BooleanField(help_text="Somebody is signed in as this player already")
    several = serializers.BooleanField(help_text="Several phones ask for this player")
    since = serializers.DateTimeField()
    code = serializers.CharField(required=False, help_text="Only where it need not be typed")


class ConfirmInput(Serializer):
    """Request body to confirm a phone: the ``code`` that it displays.

    Needed if the player is signed in already or several phones ask.
    """

    code = serializers.CharField(required=False, max_length=20)


class ConfirmedOutput(Serializer):
    """The player as whom a phone was signed in."""

    state = serializers.CharField()
    number = serializers.IntegerField()


class JoinView(EventView):
    """Base of the endpoints for signing in phones; 404 for drafts."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise Http404 for a draft, to its staff as well."""
        super().initial(request, *args, **kwargs)
        if self.event.state == Event.State.DRAFT:
            raise Http404

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 404 for a request that waits no more."""
        return super().handle_exception(
            Http404() if isinstance(exc, JoinClaim.DoesNotExist) else exc
        )


class JoinList(JoinView):
    """Endpoint that lists phones' requests to sign in as a player, or adds one."""

    by_anybody = True

    @extend_schema(operation_id="join_list", responses=WaitingOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the requests that wait, the earliest first; for the staff."""
        require_permission(is_staff(self.sight, self.event))
        return Response([pending_request_json(claim) for claim in pending_request_rows(self.event)])

    @extend_schema(operation_id="join_create", request=JoinInput, responses={201: JoinOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Ask to be signed in as a player; anybody may, and the staff confirms it.

        404 for who can't be joined, whatever the reason; 409 ``event_finished``,
        ``ask_at_the_desk``.
        """
        if exceeds_request_limit(request._request, self.event):
            raise Throttled(wait=MINUTE)
        number = validate_input(JoinInput, request.data)["number"]
        claim, secret = request_sign_in(event=self.event, number=number)
        return Response(
            {"code": claim.code, "claim": secret, "expires": claim.expires_at}, status=201
        )


class JoinClaimView(JoinView):
    """Endpoint for a phone's own request, found by its secret."""

    @extend_schema(
        operation_id="join_claim_retrieve",
        parameters=[
            OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, required=True),
        ],
        responses=ClaimOutput,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return what became of a request, and once, after the confirmation, the link.

        The secret stands in the header ``Join-Claim``. 404 for an unknown one, 429 for who
        guesses.
        """
        secret = request.headers.get(HEADER, "")
        claim = find_claim(self.event, secret)
        if claim is None:
            if exceeds_guess_limit(request._request):
                raise Throttled(wait=MINUTE)
            raise Http404
        told: Json = {"state": request_state(self.event, claim)}
        confirmed = claim.state == JoinClaim.State.CONFIRMED
        if confirmed and (found := fetch_link(event=self.event, secret=secret)):
            path = reverse("tournaments:open-link", args=[found[1]])
            told["link"] = absolute_url(request._request, path)
        return Response(told, headers={"Cache-Control": "no-store"})


class JoinDetail(JoinView):
    """Endpoint that refuses a request."""

    @extend_schema(operation_id="join_delete", responses={204: None})
    def delete(self, request: Request, slug: str, claim_id: int) -> Response:
        """Refuse it, as the staff or as who is signed in as this player."""
        found = Entry.objects.filter(event=self.event, join_claims=claim_id).first()
        if found is None:
            require_permission(is_staff(self.actor, self.event))
            raise Http404
        refuse_request(entry=found, claim_id=claim_id, by=self.actor)
        return Response(status=204)


class JoinConfirm(JoinView):
    """Endpoint that confirms a phone's request."""

    @idempotent_post("join_confirm_create", ConfirmInput, ConfirmedOutput)
    def post(self, request: Request, slug: str, claim_id: int) -> Response:
        """Sign the phone in, as the staff: earlier links of the player end, an account stays.

        409 ``code_wrong`` where the code is needed or another; 404 for one that waits no more.
        """
        code = validate_input(ConfirmInput, request.data).get("code", "")
        if code and exceeds_code_limit(request._request, self.event):
            raise Throttled(wait=MINUTE)
        entry = confirm_request(event=self.event, claim_id=claim_id, code=code, by=self.actor)
        return Response({"state": "confirmed", "number": entry.number})


def pending_request_json(claim: PendingRequest) -> Json:
    """Return a waiting request as JSON, with its code unless that must be typed."""
    shown: Json = {"id": claim.id, "number": claim.entry.number, "held": claim.held}
    shown |= {"several": claim.several, "since": claim.since.isoformat()}
    return shown | ({"code": claim.code} if claim.code else {})
