"""The page of an event's files and backups; its snapshots compared, downloaded, restored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_code
from config.web import redirect_with_message, render_page
from config.wording import error_message
from rules.errors import RuleError
from tournaments.core.acts import action_label
from tournaments.core.permissions import can_manage
from tournaments.models import Event, Snapshot
from tournaments.pages.access import MANAGE, find_organiser_event, find_staff_event
from tournaments.snapshots.selectors import compare_snapshot, snapshot_archive, snapshot_document
from tournaments.snapshots.services import restore_snapshot


@require_safe
def event_files(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event's downloads to its staff.

    To organisers also archive and snapshots.
    """
    event, actor = find_staff_event(request, slug)
    manages = can_manage(actor, event)
    kept = event.snapshots.select_related("by") if manages else ()
    context = {
        "event": event,
        "actor": actor,
        "manages": manages,
        "archive": reverse("tournaments_api:archive", args=[slug]),
        "rows": [(each, action_label(each.act)) for each in kept],
    }
    return render_page(request, "tournaments/snapshots/files.html", context)


def snapshot_page(request: HttpRequest, slug: str, snapshot_id: int) -> HttpResponse:
    """Show what restoring a snapshot would change; restore it on POST.

    ``snapshot_id``: its primary key.
    """
    event, actor = find_organiser_event(request, slug)
    found = _snapshot_or_404(event, snapshot_id)
    error, status = None, 200
    if request.method == "POST":
        typed = request.POST.get("confirm", "")
        try:
            restore_snapshot(event=event, snapshot_id=snapshot_id, confirm=typed, by=actor)
        except RuleError as refused:
            error, status = error_message(refused), status_code(refused)
        else:
            words = _("Snapshot restored")
            return redirect_with_message(request, words, "tournaments:manage-files", slug)
    compared = compare_snapshot(event, snapshot_document(found))
    counted = (_("Players"), _("Rounds"), _("Results"))
    context = {
        "event": event,
        "actor": actor,
        "snapshot": found,
        "before": action_label(found.act),
        "compared": compared,
        "counts": zip(counted, compared.then, compared.now, strict=True),
        "error": error,
    }
    return render_page(request, "tournaments/snapshots/snapshot.html", context, status=status)


@require_safe
def snapshot_file(request: HttpRequest, slug: str, snapshot_id: int) -> HttpResponse:
    """Download a snapshot as an archive."""
    event, _actor = find_organiser_event(request, slug)
    found = _snapshot_or_404(event, snapshot_id)
    response = HttpResponse(snapshot_archive(found), content_type="application/json")
    name = f"{event.slug}-{found.version}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _snapshot_or_404(event: Event, snapshot_id: int) -> Snapshot:
    return get_object_or_404(event.snapshots.select_related("by"), pk=snapshot_id)


SNAPSHOT = f"{MANAGE}snapshots/<int:snapshot_id>/"

urlpatterns = [
    path(f"{MANAGE}files/", event_files, name="manage-files"),
    path(SNAPSHOT, snapshot_page, name="manage-snapshot"),
    path(f"{SNAPSHOT}archive.json", snapshot_file, name="manage-snapshot-file"),
]
