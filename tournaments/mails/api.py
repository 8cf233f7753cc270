"""The mails of an event through the API."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Outgoing
from accounts.outbox.queue import requeue_delivery
from tournaments.api.request_context import EventView, idempotent_post
from tournaments.api.serialization import Json, Serializer
from tournaments.core.permissions import can_manage, require_permission
from tournaments.mails.selectors import KINDS, MailRow, event_mails, find_mail


class MailOutput(Serializer):
    """A mail of an event; ``reason``: why the last try failed."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField([*KINDS])
    player = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(Outgoing.State.choices)
    tries = serializers.IntegerField()
    reason = serializers.CharField()
    queued_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)


class MailsOutput(Serializer):
    """The number of an event's mails in each state, and the latest 500 mails."""

    waiting = serializers.IntegerField()
    sent = serializers.IntegerField()
    failed = serializers.IntegerField()
    mails = MailOutput(many=True)


class MailList(EventView):
    """Endpoint that lists the mails of an event."""

    @extend_schema(operation_id="mails_retrieve", responses=MailsOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the mails, the latest first; for organisers."""
        require_permission(can_manage(self.sight, self.event))
        found = event_mails(self.event)
        answer = {**found.counts, "mails": [mail_json(row) for row in found.rows]}
        return Response(answer, headers={"Cache-Control": "private, no-store"})


class ResendMail(EventView):
    """Endpoint that queues a mail again."""

    @idempotent_post("mails_send_again", None, {204: None})
    def post(self, request: Request, slug: str, mail_id: int) -> Response:
        """Queue a mail that was sent or has failed; no effect while it waits."""
        require_permission(can_manage(self.actor, self.event))
        mail = find_mail(self.event, mail_id)
        if mail is None:
            raise Http404
        requeue_delivery(mail)
        return Response(status=204)


def mail_json(row: MailRow) -> Json:
    """Return a mail as JSON, with the fields of ``MailOutput``."""
    mail = row.mail
    return {
        "id": mail.pk,
        "kind": mail.kind,
        "player": row.entry.number if row.entry else None,
        "state": mail.state,
        "tries": mail.tries,
        "reason": mail.reason,
        "queued_at": mail.queued_at,
        "done_at": mail.done_at,
    }
