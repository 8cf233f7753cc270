"""The components of the pages, as built-in template tags (no ``{% load %}`` needed).

All of them are shown on the page /style/. Text is translated by the caller; values are escaped.
``tone`` is one of neutral, info, good, warn, bad; it never replaces words.

What links takes a URL's name and its arguments behind the words, or a ready address as ``url=``.

Around content (with an end tag)::

    {% pagehead event.name kicker="Mutant Chronicles" %}buttons{% endpagehead %}      the page's h1
    {% panel "Round 2" id="" tone="" level=2 %}…{% endpanel %}      a section with a heading
    {% card "Name" "decks:format" slug level=2 %}…{% endcard %}      an entry of <ul class="cards">
    {% notice "warn" %}…{% endnotice %}                      a sentence that must be seen
    {% nothing "No events yet" icon="trophy" %}…{% endnothing %}      instead of an empty list
    {% table "Standings of group A" %}<thead>…</tbody>{% endtable %}  scrolls, has a caption;
          dense=True narrow rows (desk), hidden=True caption for screen readers only
    {% heads "Rank" "Player" "Actions" numbers="1" hidden="3" %}   its <thead> of one row: which
          columns hold numbers, and which have a heading for screen readers only; "" is no column
    {% tabs "Views" %}{% tab "Log" "tournaments:log" slug current=True count=3 %}{% endtabs %}
    {% crumbs %}{% crumb "Events" "home" %}{% crumb event.name %}{% endcrumbs %}
    {% facts %}{% fact "Venue" %}…{% endfact %}{% endfacts %}

Leaves::

    {% button "Save" %}     submits its form; with an address a link;
          look=primary|plain|quiet|danger
          icon="check" name=… value=… small=True; why_not="…" greys it out and says why
    {% act "Publish" "tournaments:publish" slug look=… confirm="…" name=value … %}   a form of one
          POST button;
          other arguments become hidden fields; confirm asks in a dialog first
    {% badge "Open" "good" icon="check" %}
    {% field form.name %}   label, help, errors, aria; {% fields form %} for all, errors first
    {% when event.starts_at event.time_zone %}   date and time in that zone; named=True names it;
          part="date", part="day" (without the day of the week) or part="time"
    {% person entry.name %}   a name that cannot disturb the text around it
    {% icon "trophy" size=18 %}   Lucide, hidden from screen readers
    {% symbol "trophy" %}   the same once for many: inside <svg hidden>, shown by {% use "trophy" %}
    {% pages page_obj %}   links to the pages of a list
    {{ sentence|words }} a Sentence of the rules in the reader's language
"""

from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.core.paginator import Page
from django.forms import BaseForm, BoundField
from django.middleware.csrf import get_token
from django.template.context import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext
from lucide.templatetags.lucide import lucide

from config.wording import format_moment, translate
from rules.people.person_names import BETWEEN
from rules.wording import Sentence

register = template.Library()
TONES = ("neutral", "info", "good", "warn", "bad")
TONE_ICONS = {"info": "info", "good": "circle-check", "warn": "triangle-alert", "bad": "circle-x"}
EMPTY = SafeString("")


def require_choice(value: str, allowed: tuple[str, ...]) -> str:
    """Return ``value`` if it is in ``allowed``, else raise TemplateSyntaxError."""
    if value not in allowed:
        raise template.TemplateSyntaxError(f"{value!r} is not one of {', '.join(allowed)}.")
    return value


def resolve_url(place: tuple[object, ...], url: str) -> str:
    """Return the URL for ``place``, a URL name and its arguments; ``url`` if it is empty."""
    return reverse(str(place[0]), args=place[1:]) if place else url


@register.filter("words")
def translated_sentence(sentence: Sentence | str) -> str:
    """Template filter: translate a Sentence of the rules into the active language."""
    return translate(sentence)


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, size: int = 18) -> SafeString:
    """Template tag: a Lucide icon as inline SVG, hidden from screen readers; cached.

    name: of the icon. size: in CSS pixels.
    """
    classes = {"class": "icon", "aria_hidden": "true", "focusable": "false"}
    return SafeString(lucide(name, size=size, **classes))


@register.simple_tag
def symbol(name: str) -> SafeString:
    """Template tag: a Lucide icon as an SVG ``<symbol>``, to which ``{% use %}`` refers."""
    drawn = icon(name)
    inner = SafeString(drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")])
    return format_html('<symbol id="i-{}" viewBox="0 0 24 24">{}</symbol>', name, inner)


@register.simple_tag(name="use")
@lru_cache(maxsize=64)
def symbol_icon(name: str) -> SafeString:
    """Template tag: an icon that refers to a ``{% symbol %}`` of the page; for long lists."""
    return format_html('<svg class="use" aria-hidden="true"><use href="#i-{}"/></svg>', name)


def optional_icon(name: str, size: int = 18) -> SafeString:
    """Return an icon as ``icon`` does, or an empty string if ``name`` is ""."""
    return icon(name, size) if name else EMPTY


@register.simple_tag(name="person")
def isolated_name(name: object) -> SafeString:
    """Template tag: a name isolated from the text direction around it (``<bdi>``)."""
    return format_html('<bdi class="person">{}</bdi>', name)


@register.simple_tag(name="people")
def joined_names(players: Iterable[object]) -> SafeString:
    """Template tag: names with " – " between, each isolated as by ``isolated_name``.

    players: entries (``display_name``) or names.
    """
    names = (getattr(player, "display_name", player) for player in players)
    return format_html_join(BETWEEN, "{}", ((isolated_name(name),) for name in names))


@register.simple_tag
def badge(text: str, tone: str = "neutral", icon: str = "") -> SafeString:
    """Template tag: a small label of a state.

    tone: its colour, one of ``TONES``. icon: a Lucide name.
    """
    tone = require_choice(tone, TONES)
    return format_html('<span class="badge {}">{}{}</span>', tone, optional_icon(icon, 14), text)


# --- Around content ----------------------------------------------------------------------
@register.simple_block_tag
def pagehead(content: str, title: str, kicker: str = "", kind: str = "page-head") -> SafeString:
    """Template block: the head of a page; the content is its buttons.

    title: the h1. kicker: a line above it. kind: CSS class, "page-head" or the smaller "desk-head".
    """
    above = format_html('<p class="kicker">{}</p>', kicker) if kicker else EMPTY
    beside = format_html('<div class="actions">{}</div>', content) if content.strip() else EMPTY
    return format_html(
        '<header class="{}"><div>{}<h1>{}</h1></div>{}</header>', kind, above, title, beside
    )


@register.simple_block_tag
def panel(
    content: str, heading: str = "", id: str = "", tone: str = "", level: int = 2
) -> SafeString:
    """Template block: a ``<section>``, with a heading unless it is "".

    id: by default the slug of the heading. tone: one of ``TONES``. level: of the heading.
    """
    id = id or slugify(heading)
    tone = require_choice(tone, TONES) if tone else ""
    if not heading:
        return format_html('<section class="panel {}">{}</section>', tone, content)
    head = format_html('<h{0} id="{1}-heading">{2}</h{0}>', level, id, heading)
    return format_html(
        '<section class="panel {}" id="{}" aria-labelledby="{}-heading">{}{}</section>',
        tone,
        id,
        id,
        head,
        content,
    )


@register.simple_block_tag
def card(content: str, heading: str, *place: object, url: str = "", level: int = 2) -> SafeString:
    """Template block: an entry of ``<ul class="cards">`` whose heading links to a page.

    place: URL name and its arguments, or else ``url``. level: of the heading.
    """
    url = resolve_url(place, url)
    title = format_html('<a href="{}"><bdi>{}</bdi></a>', url, heading) if url else heading
    return format_html('<li class="card"><h{0}>{1}</h{0}>{2}</li>', level, title, content)


@register.simple_block_tag
def notice(content: str, tone: str = "info") -> SafeString:
    """Template block: a message in a box, with the icon of its tone (one of ``TONES``)."""
    sign = optional_icon(TONE_ICONS.get(require_choice(tone, TONES), "info"), 20)
    return format_html('<div class="notice {}">{}<div>{}</div></div>', tone, sign, content)


@register.simple_block_tag(name="nothing")
def empty_list(content: str, heading: str, icon: str = "inbox") -> SafeString:
    """Template block: placeholder for an empty list; the content says what to do."""
    sign = optional_icon(icon, 32)
    return format_html('<div class="nothing">{}<p><b>{}</b></p>{}</div>', sign, heading, content)


@register.simple_block_tag
def table(
    content: str, caption: str, dense: bool = False, hidden: bool = False, id: str = ""
) -> SafeString:
    """Template block: a table in a horizontally scrolling, focusable region.

    dense: narrow rows. hidden: only screen readers get the caption. id: by default from the
    caption.
    """
    name = id or f"table-{slugify(caption)}"
    return format_html(
        '<div class="table-scroll" role="region" tabindex="0" aria-labelledby="{0}-caption">'
        '<table class="{1}" id="{0}"><caption id="{0}-caption" class="{2}">{3}</caption>{4}'
        "</table></div>",
        name,
        "dense" if dense else "",
        "visually-hidden" if hidden else "",
        caption,
        content,
    )


@register.simple_tag(name="heads")
def table_head(*labels: str, numbers: str = "", hidden: str = "") -> SafeString:
    """Template tag: the ``<thead>`` of a table, one column per label; "" is no column.

    numbers, hidden: 1-based positions, as "2 3", of columns with numbers and of columns whose label
    only screen readers get. A label "" counts as a position.
    """
    cells = (
        (
            SafeString(' class="number"') if str(place) in numbers.split() else EMPTY,
            format_html('<span class="visually-hidden">{}</span>', label)
            if str(place) in hidden.split()
            else label,
        )
        for place, label in enumerate(labels, start=1)
        if label
    )
    row = format_html_join("", '<th scope="col"{}>{}</th>', cells)
    return format_html("<thead><tr>{}</tr></thead>", row)


@register.simple_block_tag(name="facts")
def description_list(content: str) -> SafeString:
    """Template block: a list of labels and values (``<dl>``) around ``{% fact %}`` blocks."""
    return format_html('<dl class="facts">{}</dl>', content)


@register.simple_block_tag(name="fact")
def description_item(content: str, label: str) -> SafeString:
    """Template block: a label with its value, in ``{% facts %}``."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", label, content)


@register.simple_block_tag
def tabs(content: str, label: str) -> SafeString:
    """Template block: navigation around ``{% tab %}`` links.

    label: its accessible name.
    """
    return format_html('<nav class="tabs" aria-label="{}"><ul>{}</ul></nav>', label, content)


@register.simple_tag
def tab(
    text: str, *place: object, url: str = "", current: bool = False, count: int | None = None
) -> SafeString:
    """Template tag: a link in ``{% tabs %}``.

    place: URL name and its arguments, or else ``url``. current: whether it is the page shown.
    count: a number behind the text.
    """
    url = resolve_url(place, url)
    here = mark_safe(' aria-current="page"') if current else EMPTY
    number = format_html(' <span class="count">{}</span>', count) if count is not None else EMPTY
    return format_html('<li><a href="{}"{}>{}{}</a></li>', url, here, text, number)


@register.simple_block_tag
def crumbs(content: str) -> SafeString:
    """Template block: breadcrumb navigation around ``{% crumb %}`` tags."""
    label = gettext("You are here")
    return format_html('<nav class="crumbs" aria-label="{}"><ol>{}</ol></nav>', label, content)


@register.simple_tag
def crumb(text: str, *place: object, url: str = "") -> SafeString:
    """Template tag: a step of ``{% crumbs %}``; without a URL it is the current page.

    place: URL name and its arguments, or else ``url``.
    """
    if url := resolve_url(place, url):
        return format_html('<li><a href="{}"><bdi>{}</bdi></a></li>', url, text)
    return format_html('<li aria-current="page"><bdi>{}</bdi></li>', text)


@register.simple_tag(takes_context=True, name="pages")
def pagination(context: Context, page: Page[Any], key: str = "page") -> SafeString:
    """Template tag: pagination links that keep the other query parameters.

    key: query parameter of the page number. Empty if there is one page.
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


LOOKS = ("primary", "plain", "quiet", "danger")
# What the next step of a page is: Ctrl and Enter press it (girone.js), its sign stands on it.
STEP = SafeString(' data-step aria-keyshortcuts="Control+Enter"')
STEP_SIGN = SafeString('<kbd class="step-key" aria-hidden="true">Ctrl ↵</kbd>')


@register.simple_tag
def button(
    text: str,
    *place: object,
    url: str = "",
    look: str = "primary",
    icon: str = "",
    name: str = "",
    value: str = "",
    small: bool = False,
    why_not: str = "",
    step: bool = False,
) -> SafeString:
    """Template tag: a submit button, or with a URL a link that looks like one.

    place: URL name and its arguments, or else ``url``. look: one of ``LOOKS``. name, value: sent
    with the form. why_not: disables it and says why. step: whether Ctrl+Enter presses it.
    """
    classes = f"button {require_choice(look, LOOKS)}" + (" small" if small else "")
    inside = format_html("{}<span>{}</span>", optional_icon(icon), text)
    if why_not:
        id = f"why-{slugify(text)}"
        return format_html(
            '<span class="blocked"><button type="button" class="{}" aria-disabled="true" '
            'aria-describedby="{}">{}</button><span class="why" id="{}">{}</span></span>',
            classes,
            id,
            inside,
            id,
            why_not,
        )
    named = format_html(' name="{}" value="{}"', name, value) if name else EMPTY
    if step:
        named += STEP
        inside += STEP_SIGN
    if url := resolve_url(place, url):
        return format_html('<a class="{}" href="{}"{}>{}</a>', classes, url, named, inside)
    return format_html('<button type="submit" class="{}"{}>{}</button>', classes, named, inside)


@register.simple_tag(takes_context=True, name="act")
def action_button(
    context: Context,
    text: str,
    *place: object,
    url: str = "",
    look: str = "plain",
    icon: str = "",
    small: bool = False,
    confirm: str = "",
    why_not: str = "",
    kept: str = "",
    step: bool = False,
    **fields: object,
) -> SafeString:
    """Template tag: a form with one button that posts ``fields`` to a URL.

    place: URL name and its arguments, or else ``url``. confirm: question of a dialog. why_not:
    disables the button and says why. kept: label in the page's queue while offline. step: whether
    Ctrl+Enter presses it.
    """
    pressed = button(text, look=look, icon=icon, small=small, why_not=why_not, step=step)
    if why_not:
        return pressed
    hidden = format_html_join(
        "", '<input type="hidden" name="{}" value="{}">', tuple(fields.items())
    )
    asks = format_html(' data-confirm="{}"', confirm) if confirm else EMPTY
    if kept:
        asks += format_html(' data-kept="{}"', kept)
    return format_html(
        '<form class="act" method="post" action="{}"{}>'
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">{}{}</form>',
        resolve_url(place, url),
        asks,
        get_token(context["request"]),
        hidden,
        pressed,
    )


# --- Forms -------------------------------------------------------------------------------
@register.simple_tag(name="field")
def form_field(bound: BoundField) -> SafeString:
    """Template tag: a form field with its label, help text and errors."""
    return bound.as_field_group()


@register.simple_tag(name="fields")
def form_fields(form: BaseForm, asks: bool = False) -> SafeString:
    """Template tag: all fields of a form, its errors first.

    asks: whether the form only looks something up and stores nothing.
    """
    return SafeString(render_to_string("components/fields.html", {"form": form, "asks": asks}))


@register.filter
def is_optional(bound: BoundField) -> bool:
    """Template filter: whether a form field may always stay empty.

    False for a field that is required in some cases (attribute ``sometimes``).
    """
    return not bound.field.required and not getattr(bound.field, "sometimes", False)


@register.filter
def is_checkbox(bound: BoundField) -> bool:
    """Template filter: whether a form field is a single checkbox."""
    return getattr(bound.field.widget, "input_type", "") == "checkbox" and not bound.use_fieldset


@register.simple_tag(name="when")
def time_element(
    moment: date | None, zone: str = "", part: str = "all", named: bool = False
) -> SafeString:
    """Template tag: a date, or a date and time, as ``<time>``; "" for None.

    zone: IANA name; if "", the active time zone, which is then shown. named: show the zone anyway.
    part: key of ``WHEN``; "day" omits the weekday.
    """
    if moment is None:
        return EMPTY
    if not isinstance(moment, datetime):
        words = format_moment(moment, "day" if part == "day" else "date")
        return format_html('<time datetime="{}">{}</time>', moment.isoformat(), words)
    tz = ZoneInfo(zone) if zone else timezone.get_current_timezone()
    local = timezone.localtime(moment, tz)
    words = format_moment(local, part)
    has_name = (named or not zone) and part not in ("date", "day")
    name = format_html(' <small class="zone">{}</small>', tz) if has_name else EMPTY
    return format_html('<time datetime="{}">{}</time>{}', local.isoformat(), words, name)
