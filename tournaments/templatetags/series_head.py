"""What a shared link to a series shows."""

from typing import Any

from django import template
from django.template.context import Context

from tournaments.series.shown import picture_lines
from tournaments.series.views.outputs import series_picture_path

register = template.Library()


@register.inclusion_tag("tournaments/sharing/_head.html", takes_context=True)
def series_sharing_head(context: Context) -> dict[str, Any]:
    """Template tag: meta tags for sharing a page of a series.

    Its name, latest event and picture.
    """
    request, facts = context["request"], context["facts"]
    return {
        "title": facts.series.name,
        "about": " · ".join(picture_lines(facts)),
        "address": request.build_absolute_uri(request.path),
        "picture": request.build_absolute_uri(series_picture_path(facts)),
    }
