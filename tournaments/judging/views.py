"""Forms and acts of judges: calls, announcements, rulings on matches, staff notes."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.web import redirect_with_message
from tournaments.core.permissions import can_judge
from tournaments.judging.services import (
    LONGEST,
    MOST_MINUTES,
    add_ruling,
    add_staff_note,
    call_judge,
    close_call,
    create_announcement,
    end_announcement,
    take_call,
)
from tournaments.pages.access import EVENT, MATCH, find_judge_event, require_role
from tournaments.pages.views import (
    action_view,
    find_staff_match,
    redirect_to_origin,
    render_origin,
    repeatable_post,
    require_valid_form,
    saved_response,
)

FOR_STAFF = gettext_lazy("Note for the staff")
TONE_OF_NOTE = gettext_lazy("Staff only")


def note_field(
    label: Any = FOR_STAFF, help_text: Any = TONE_OF_NOTE, *, required: bool = False
) -> forms.CharField:
    """Return a form field for a note, by default one for the staff."""
    return forms.CharField(
        label=label,
        max_length=LONGEST,
        required=required,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=help_text,
    )


class CallForm(forms.Form):
    """Form for the optional reason of a judge call."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        required=False,
    )


class AnnouncementForm(forms.Form):
    """Form for an announcement: its text, and for how many minutes to display it."""

    text = forms.CharField(label=gettext_lazy("Announcement"), max_length=300)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), min_value=1, max_value=MOST_MINUTES, initial=15
    )


class StaffNoteForm(forms.Form):
    """Form for a note on a match that only the staff can read."""

    text = note_field(required=True)


class RulingForm(forms.Form):
    """Form for a public ruling on a match."""

    text = note_field(
        gettext_lazy("Ruling"),
        gettext_lazy("Everybody can read this."),
        required=True,
    )


@repeatable_post
@action_view(render_origin)
def take_judge_call(request: HttpRequest, slug: str, call_id: int) -> HttpResponse:
    """Assign an open judge call to the judge who sends the request."""
    event, actor = find_judge_event(request, slug)
    take_call(event=event, call_id=call_id, by=actor)
    messages.success(request, _("Saved."))
    return redirect_to_origin(request, slug)


@repeatable_post
@action_view(render_origin)
def close_judge_call(request: HttpRequest, slug: str, call_id: int) -> HttpResponse:
    """Close a judge call."""
    event, actor = find_judge_event(request, slug)
    close_call(event=event, call_id=call_id, by=actor)
    messages.success(request, _("Saved."))
    return redirect_to_origin(request, slug)


@repeatable_post
@action_view(render_origin)
def call_judge_to_match(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Call a judge to a match's table, as the staff."""
    found, actor = find_staff_match(request, slug, match_id)
    values = require_valid_form(CallForm(request.POST)).cleaned_data
    call_judge(match=found, entry=None, reason=values["reason"], by=actor)
    messages.success(request, _("Saved."))
    return redirect_to_origin(request, slug)


@action_view("tournaments:desk")
def add_announcement(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an add_announcement."""
    event, actor = find_judge_event(request, slug)
    create_announcement(
        event=event, **require_valid_form(AnnouncementForm(request.POST)).cleaned_data, by=actor
    )
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


@action_view("tournaments:desk")
def end_announcement_early(request: HttpRequest, slug: str, announcement_id: int) -> HttpResponse:
    """End an announcement before its time."""
    event, actor = find_judge_event(request, slug)
    end_announcement(event=event, announcement_id=announcement_id, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


@action_view("tournaments:match", "match_id")
def add_match_note(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Add a staff-only note to a match."""
    found, actor = find_staff_match(request, slug, match_id)
    add_staff_note(
        match=found, **require_valid_form(StaffNoteForm(request.POST)).cleaned_data, by=actor
    )
    return saved_response(request, _("Saved."), found)


@action_view("tournaments:match", "match_id")
def add_match_ruling(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Add a public ruling on a match."""
    found, actor = find_staff_match(request, slug, match_id)
    require_role(can_judge, actor, found.round.event)
    add_ruling(match=found, **require_valid_form(RulingForm(request.POST)).cleaned_data, by=actor)
    return saved_response(request, _("Saved."), found)


urlpatterns = [
    path(f"{EVENT}calls/<int:call_id>/take/", take_judge_call, name="call-take"),
    path(f"{EVENT}calls/<int:call_id>/close/", close_judge_call, name="call-close"),
    path(f"{EVENT}announcements/", add_announcement, name="announcement"),
    path(
        f"{EVENT}announcements/<int:announcement_id>/end/",
        end_announcement_early,
        name="announcement-end",
    ),
    path(f"{MATCH}call/", call_judge_to_match, name="match-call"),
    path(f"{MATCH}note/", add_match_note, name="match-note"),
    path(f"{MATCH}ruling/", add_match_ruling, name="match-ruling"),
]
