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
    {% heads "Rank" "Player" "Steps" numbers="1" hidden="3" %}   its <thead> of one row: which
          columns hold numbers, and which have a heading for screen readers only; "" is no column
    {% tabs "Views" %}{% tab "Log" "tournaments:log" slug current=True count=3 %}{% endtabs %}
          at="log log-*" instead of current: the names of URLs at which it is the current one
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
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify
from lucide.templatetags.lucide import lucide

from config.wording import translate
from rules.people.person_names import BETWEEN
from rules.wording import Sentence

register = template.Library()
TONES = ("neutral", "info", "good", "warn", "bad")
TONE_ICONS = {"info": "info", "good": "circle-check", "warn": "triangle-alert", "bad": "circle-x"}
EMPTY = SafeString("")


def one_of(value: str, allowed: tuple[str, ...]) -> str:
    """Return the value if it is among those allowed; raise TemplateSyntaxError otherwise."""
    if value not in allowed:
        raise template.TemplateSyntaxError(f"{value!r} is not one of {', '.join(allowed)}.")
    return value


def address_of(place: tuple[object, ...], url: str) -> str:
    """Return the address of a URL's name and its arguments, or ``url`` where none is given."""
    return reverse(str(place[0]), args=place[1:]) if place else url


@register.filter
def words(sentence: Sentence | str) -> str:
    """Return a sentence of the rules in the active language."""
    return translate(sentence)


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, size: int = 18) -> SafeString:
    """Return a Lucide icon hidden from screen readers; cached per process."""
    classes = {"class": "icon", "aria_hidden": "true", "focusable": "false"}
    return SafeString(lucide(name, size=size, **classes))


@register.simple_tag
def symbol(name: str) -> SafeString:
    """Return a Lucide icon as the symbol that ``use`` refers to."""
    drawn = icon(name)
    inner = SafeString(drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")])
    return format_html('<symbol id="i-{}" viewBox="0 0 24 24">{}</symbol>', name, inner)


@register.simple_tag
@lru_cache(maxsize=64)
def use(name: str) -> SafeString:
    """Return an icon that refers to a symbol of the page; for lists of many rows."""
    return format_html('<svg class="use" aria-hidden="true"><use href="#i-{}"/></svg>', name)


def maybe_icon(name: str, size: int = 18) -> SafeString:
    return icon(name, size) if name else EMPTY


@register.simple_tag
def person(name: object) -> SafeString:
    """Return a name isolated from the direction of the text around it."""
    return format_html('<bdi class="person">{}</bdi>', name)


@register.simple_tag
def people(players: Iterable[object]) -> SafeString:
    """Return the names of players, or these names, who play each other, isolated as by ``person``.

    Players are told apart from others of their name (``display_name``).
    """
    names = (getattr(player, "display_name", player) for player in players)
    return format_html_join(BETWEEN, "{}", ((person(name),) for name in names))


@register.simple_tag
def badge(text: str, tone: str = "neutral", icon: str = "") -> SafeString:
    """Return a small label for a state."""
    tone = one_of(tone, TONES)
    return format_html('<span class="badge {}">{}{}</span>', tone, maybe_icon(icon, 14), text)


# --- Around content ----------------------------------------------------------------------
@register.simple_block_tag
def pagehead(content: str, title: str, kicker: str = "", kind: str = "page-head") -> SafeString:
    """Return the head of a page: kicker, h1, and buttons; ``kind="desk-head"`` is a smaller one."""
    above = format_html('<p class="kicker">{}</p>', kicker) if kicker else EMPTY
    beside = format_html('<div class="actions">{}</div>', content) if content.strip() else EMPTY
    return format_html(
        '<header class="{}"><div>{}<h1>{}</h1></div>{}</header>', kind, above, title, beside
    )


@register.simple_block_tag
def panel(
    content: str, heading: str = "", id: str = "", tone: str = "", level: int = 2
) -> SafeString:
    """Return a section with a heading."""
    id = id or slugify(heading)
    tone = one_of(tone, TONES) if tone else ""
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
    """Return an entry of ``<ul class="cards">``; the whole card links to its address."""
    url = address_of(place, url)
    title = format_html('<a href="{}"><bdi>{}</bdi></a>', url, heading) if url else heading
    return format_html('<li class="card"><h{0}>{1}</h{0}>{2}</li>', level, title, content)


@register.simple_block_tag
def notice(content: str, tone: str = "info") -> SafeString:
    sign = maybe_icon(TONE_ICONS.get(one_of(tone, TONES), "info"), 20)
    return format_html('<div class="notice {}">{}<div>{}</div></div>', tone, sign, content)


@register.simple_block_tag
def nothing(content: str, heading: str, icon: str = "inbox") -> SafeString:
    """Return the placeholder of an empty list, with what to do about it."""
    sign = maybe_icon(icon, 32)
    return format_html('<div class="nothing">{}<p><b>{}</b></p>{}</div>', sign, heading, content)


@register.simple_block_tag
def table(
    content: str, caption: str, dense: bool = False, hidden: bool = False, id: str = ""
) -> SafeString:
    """Return a table in a horizontally scrolling, focusable region."""
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


@register.simple_tag
def heads(*labels: str, numbers: str = "", hidden: str = "") -> SafeString:
    """Return the head of a table; ``numbers`` and ``hidden`` name columns by position: "2 3".

    A label that is "" is no column, and counts as a place.
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


@register.simple_block_tag
def facts(content: str) -> SafeString:
    """Return a list of labels and values."""
    return format_html('<dl class="facts">{}</dl>', content)


@register.simple_block_tag
def fact(content: str, label: str) -> SafeString:
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", label, content)
