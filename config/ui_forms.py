"""Template tags for buttons and forms; usage in ``config.ui``."""

from django import template
from django.forms import BaseForm, BoundField
from django.middleware.csrf import get_token
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify

from config.ui import EMPTY, address_of, maybe_icon, one_of

register = template.Library()
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
    """Return a submit button, or a link that looks like one; a ``step`` has a keyboard shortcut."""
    classes = f"button {one_of(look, LOOKS)}" + (" small" if small else "")
    inside = format_html("{}<span>{}</span>", maybe_icon(icon), text)
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
    if url := address_of(place, url):
        return format_html('<a class="{}" href="{}"{}>{}</a>', classes, url, named, inside)
    return format_html('<button type="submit" class="{}"{}>{}</button>', classes, named, inside)


@register.simple_tag(takes_context=True)
def act(
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
    """Return a form with one button that posts ``fields`` to its address.

    ``kept`` names what it is about: without connection the outbox of the page keeps it.
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
        address_of(place, url),
        asks,
        get_token(context["request"]),
        hidden,
        pressed,
    )


# --- Forms -------------------------------------------------------------------------------
@register.simple_tag
def field(bound: BoundField) -> SafeString:
    """Return a field with its label, help text and errors."""
    return bound.as_field_group()


@register.simple_tag
def fields(form: BaseForm) -> SafeString:
    """Return all fields of a form, its non-field errors first."""
    return SafeString(render_to_string("components/fields.html", {"form": form}))


@register.filter
def is_optional(bound: BoundField) -> bool:
    """Return whether a field may always stay empty; some are needed ``sometimes``."""
    return not bound.field.required and not getattr(bound.field, "sometimes", False)


@register.filter
def is_choice(bound: BoundField) -> bool:
    return getattr(bound.field.widget, "input_type", "") == "checkbox" and not bound.use_fieldset
