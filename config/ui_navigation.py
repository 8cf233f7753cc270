"""Template tags for navigation; usage in ``config.ui``."""

from fnmatch import fnmatchcase
from typing import Any

from django import template
from django.core.paginator import Page
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from config.ui import EMPTY, address_of

register = template.Library()


@register.simple_block_tag
def tabs(content: str, label: str) -> SafeString:
    """Return links between views of one object."""
    return format_html('<nav class="tabs" aria-label="{}"><ul>{}</ul></nav>', label, content)


@register.simple_tag(takes_context=True)
def tab(
    context: Context,
    text: str,
    *place: object,
    url: str = "",
    current: bool = False,
    at: str = "",
    count: int | None = None,
) -> SafeString:
    """Return a link of ``tabs``; ``at``: patterns of the names of URLs at which it is current."""
    url = address_of(place, url)
    if at:
        name = context["request"].resolver_match.url_name
        current = any(fnmatchcase(name, pattern) for pattern in at.split())
    here = mark_safe(' aria-current="page"') if current else EMPTY
    number = format_html(' <span class="count">{}</span>', count) if count is not None else EMPTY
    return format_html('<li><a href="{}"{}>{}{}</a></li>', url, here, text, number)


@register.simple_block_tag
def crumbs(content: str) -> SafeString:
    label = gettext("You are here")
    return format_html('<nav class="crumbs" aria-label="{}"><ol>{}</ol></nav>', label, content)


@register.simple_tag
def crumb(text: str, *place: object, url: str = "") -> SafeString:
    """Return a step of ``crumbs``; the last one has no address."""
    if url := address_of(place, url):
        return format_html('<li><a href="{}"><bdi>{}</bdi></a></li>', url, text)
    return format_html('<li aria-current="page"><bdi>{}</bdi></li>', text)


@register.simple_tag(takes_context=True)
def pages(context: Context, page: Page[Any], key: str = "page") -> SafeString:
    """Return the pagination links of a list, keeping the other query parameters.

    ``key`` is the parameter of the number: a page with several lists has one for each.
    """
    if page.paginator.num_pages < 2:
        return EMPTY
    request = context["request"]

    def at(number: int) -> str:
        query = request.GET.copy()
        query[key] = str(number)
        return f"?{query.urlencode()}"

    shown = {
        "page": page,
        "previous": at(page.previous_page_number()) if page.has_previous() else "",
        "next": at(page.next_page_number()) if page.has_next() else "",
    }
    return SafeString(render_to_string("components/pages.html", shown, request=request))
