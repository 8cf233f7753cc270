"""Ranks and records as HTML: a rank that several share is seen as =5, and heard as shared."""

from html import escape

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.core.labels import SHARED, Ranked, rank_figure, shown_record

register = template.Library()
register.filter("record", shown_record)


@register.simple_tag
def rank(row: Ranked) -> SafeString:
    """Return the rank of a row: 5, =5 where others share it, 5–8 while it is open."""
    return SafeString(rank_html(row, shared_mark()))


def rank_html(row: Ranked, mark: str) -> str:
    """Return the rank of a row; ``mark`` is ``shared_mark``, looked up once a table.

    A shared one is a single element, as discs lay out what they hold side by side or below.
    """
    figure = rank_figure(row.rank, getattr(row, "last", 0), shared=row.shared)
    return f"<span>{mark}{figure[1:]}</span>" if figure.startswith(SHARED) else figure


def shared_mark() -> str:
    """Return the sign of a shared rank, and the word for who hears the page."""
    words = escape(_("shared"))
    sign = f'<span aria-hidden="true">{SHARED}</span>'
    return f'{sign}<span class="visually-hidden">{words} </span>'
