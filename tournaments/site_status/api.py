"""State of the site through the API, for its operator."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from tournaments.api.request_context import check_scope, idempotent_post, request_actor
from tournaments.api.serialization import Json, Serializer, serialize_row
from tournaments.core.permissions import require_permission
from tournaments.site_status.selectors import SiteStatus, is_operator, site_status
from tournaments.site_status.services import send_test_mail


class LoggedErrorOutput(Serializer):
    """An error of the last day; find it in the log by ``request_id``."""

    at = serializers.DateTimeField()
    title = serializers.CharField()
    request_id = serializers.CharField()


class SiteOutput(Serializer):
    """State of the site; null if unknown or never done."""

    version = serializers.CharField()
    python = serializers.CharField()
    database = serializers.CharField()
    database_bytes = serializers.IntegerField(allow_null=True)
    disk_free = serializers.IntegerField(allow_null=True)
    disk_bytes = serializers.IntegerField(allow_null=True)
    last_backup = serializers.DateTimeField(allow_null=True)
    last_verify = serializers.DateTimeField(allow_null=True)
    differences = serializers.IntegerField(allow_null=True)
    queues = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    last_errors = LoggedErrorOutput(many=True)
    sends_mail = serializers.BooleanField()
    next_step = serializers.CharField(allow_blank=True)


class MailTrialOutput(Serializer):
    """Whether the mail server accepted a test mail, and what it answered."""

    sent = serializers.BooleanField()
    detail = serializers.CharField()


class SiteStatusView(APIView):
    """State of the site: versions, disk, database, backup, queues and last errors."""

    @extend_schema(operation_id="site_retrieve", responses=SiteOutput)
    def get(self, request: Request) -> Response:
        """Return the state of the site; for its staff."""
        require_operator(request)
        return Response(site_json(site_status()))


class MailTestView(APIView):
    """Send a test mail to the caller."""

    @idempotent_post("site_test_mail", None, MailTrialOutput)
    def post(self, request: Request) -> Response:
        """Send a mail to the caller's address, and return what the mail server answered."""
        trial = send_test_mail(by=require_operator(request))
        return Response({"sent": trial.sent, "detail": trial.detail})


def require_operator(request: Request) -> User:
    """Return the request's user if they operate the site.

    Else raises NotAuthenticated or PermissionDenied.
    """
    user = request_actor(request).user
    if user is None:
        raise NotAuthenticated
    check_scope(request, None, "manage")
    require_permission(is_operator(user))
    return user


def site_json(status: SiteStatus) -> Json:
    """Return the state of the site as a dict, the fields of SiteOutput."""
    facts = status.facts
    return serialize_row(
        SiteOutput,
        facts,
        last_backup=facts.backup and facts.backup.at.isoformat(),
        last_verify=facts.verified and facts.verified.at.isoformat(),
        differences=facts.verified and facts.verified.differences,
        last_errors=[
            {"at": one.at.isoformat(), "title": one.title, "request_id": one.request_id}
            for one in status.errors
        ],
        sends_mail=status.sends_mail,
        next_step=status.next_step,
    )
