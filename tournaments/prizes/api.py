"""The prizes of an event through the API. Contracts, Joining, plan, repeat, finish."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.events.prizes import BY, LONGEST_PRIZE, format_amount
from tournaments.api.request_context import EventView
from tournaments.api.serialization import (
    LARGEST,
    Json,
    Serializer,
    WholeNumberField,
    validate_input,
)
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, is_staff, require_permission
from tournaments.models import Event
from tournaments.prizes.selectors import event_prize_table, has_prizes, winner_rows
from tournaments.prizes.services import mark_prize_handed_out, set_prizes


class PrizeRowShape(Serializer):
    """A row of the table of prizes: what each place or record from ``from`` to ``to`` wins.

    ``to`` is ``from`` if left out.
    """

    from_ = serializers.JSONField()
    to = serializers.JSONField(required=False)
    prize = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_PRIZE)
    value = serializers.CharField(required=False, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """Call the first field as JSON does."""
        fields = super().get_fields()
        return {"from": fields.pop("from_"), **fields}


class PrizesInput(Serializer):
    """A table of prizes, which replaces the stored one."""

    by = serializers.ChoiceField(BY)
    rows = PrizeRowShape(many=True)
    available = serializers.CharField(required=False, allow_null=True)
    published = serializers.BooleanField(required=False)


class WinnerOutput(Serializer):
    """A winner with their prizes.

    ``sharing``: how many players share them; ``value``: the winner's part.
    """

    number = serializers.IntegerField()
    prize = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    sharing = serializers.IntegerField()
    handed_out = serializers.BooleanField()


class PrizesOutput(PrizesInput):
    """The table of prizes, and the winners of a finished event."""

    winners = WinnerOutput(many=True, required=False)


class HandedOutInput(Serializer):
    """The number of a winner, and whether they have received their prize."""

    number = WholeNumberField(min_value=1, max_value=LARGEST)
    handed_out = serializers.BooleanField()


class PrizesDetail(EventView):
    """Endpoint: the table of prizes, by place or by record, and whether each was handed out."""

    @extend_schema(operation_id="prizes_retrieve", responses=PrizesOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the prizes: everybody's once they are published, else the staff's.

        Of a finished event with its winners; values are shared among tied players.
        """
        require_permission(has_prizes(self.event) or is_staff(self.sight, self.event))
        return self._answer(request)

    @extend_schema(operation_id="prizes_update", request=PrizesInput, responses=PrizesOutput)
    def put(self, request: Request, slug: str) -> Response:
        """Replace the prizes; organisers, at any time. 400 ``invalid_prizes`` with the path.

        Without ``available`` or ``published`` these stay.

        By place ``{"by": "place", "rows": [{"from": 1, "to": 4, "prize": "Booster", "value":
        "4.50"}]}``, or by ``record`` with ``"from": "3–0"``: won, lost, perhaps drawn.
        """
        require_permission(can_manage(self.actor, self.event))
        sent = request.data
        if isinstance(sent, dict):
            known = PrizesInput().fields
            sent = {key: value for key, value in sent.items() if key in known}
        set_prizes(event=self.event, table=sent, by=self.actor)
        return self._answer(request)

    @extend_schema(operation_id="prize_handed_out", request=HandedOutInput, responses=PrizesOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Note that a winner has got their prize, or has not after all; organisers.

        409 ``event_not_finished``, ``no_prize``, ``prize_noted``.
        """
        require_permission(can_manage(self.actor, self.event))
        sent = validate_input(HandedOutInput, request.data)
        mark_prize_handed_out(
            event=self.event, number=sent["number"], given=sent["handed_out"], by=self.actor
        )
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        self.event = Event.objects.get(pk=self.event.pk)
        return self.answer(request, prizes_json(self.event))


def prizes_json(event: Event) -> Json:
    """Return the prizes of an event as JSON, with winners once it is finished."""
    found: Json = event_prize_table(event).as_json()
    if event.state == Event.State.FINISHED:
        found["winners"] = [
            {
                "number": row.entry.number,
                "prize": row.prize,
                "value": format_amount(row.cents),
                "sharing": row.sharing,
                "handed_out": row.given,
            }
            for row in winner_rows(read_facts(event))
        ]
    return found
