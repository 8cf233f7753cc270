"""Files to take home."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.core.permissions import Actor, is_staff
from tournaments.core.visibility import sight_of
from tournaments.exports.transcript import transcript as whole_transcript
from tournaments.exports.workbook import event_workbook
from tournaments.models import Event
from tournaments.pages.access import confirmed_event

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the event's workbook: what the reader may see of it, in their language."""
    event, actor = confirmed_event(request, slug)
    return workbook_response(event, actor)


def workbook_response(event: Event, actor: Actor) -> HttpResponse:
    """Answer with the workbook as this reader may see it."""
    sight = sight_of(actor, event)
    content = event_workbook(event, staff=is_staff(actor, event), sight=sight)
    day = timezone.localdate(event.starts_at, event.zone)
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{event.slug}-{day:%Y-%m-%d}.xlsx"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the transcript of a finished event to anybody; 404 while it goes on."""
    event, _actor = confirmed_event(request, slug)
    if event.state != Event.State.FINISHED:
        raise Http404
    content = json.dumps(whole_transcript(event), ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(content, content_type="application/json; charset=utf-8")
