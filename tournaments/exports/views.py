"""Files to take home."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.exports.transcript import transcript as whole_transcript
from tournaments.exports.workbook import workbook_response
from tournaments.models import Event
from tournaments.pages.access import confirmed_event


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the event's workbook: what the reader may see of it, in their language."""
    event, actor = confirmed_event(request, slug)
    return workbook_response(event, actor)


@require_safe
def transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the transcript of a finished event to anybody; 404 while it goes on."""
    event, _actor = confirmed_event(request, slug)
    if event.state != Event.State.FINISHED:
        raise Http404
    content = json.dumps(whole_transcript(event), ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(content, content_type="application/json; charset=utf-8")
