"""Emblems and colours of games, discs of initials; colours of states are never among them.

The emblems are drawings of this project, no marks of the games' owners. They are lines of 24 units
in the colour of the text around them. ``rules.deckbuilding.formats`` has the keys.
"""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

EMBLEMS: Mapping[str, tuple[Promise, str]] = MappingProxyType(
    {
        "gear": (
            _("Gear"),
            '<path d="M12 2 20.7 7v10L12 22l-8.7-5V7Z"/>'
            '<path stroke-width="2.6" d="M12 7.6v8.8M8.2 9.8l7.6 4.4M15.8 9.8l-7.6 4.4"/>',
        ),
        "paw": (
            _("Paw"),
            '<g fill="currentColor" stroke="none"><path d="M12 11.2c3 0 5.9 3.3 5.9 6.3 0 2.2-1.5 '
            "3.2-3.2 3.2-1.2 0-1.8-.6-2.7-.6s-1.5.6-2.7.6c-1.7 0-3.2-1-3.2-3.2 0-3 2.9-6.3 5.9-6.3Z"
            '"/><ellipse cx="8.8" cy="6" rx="2.1" ry="2.9"/><ellipse cx="15.2" cy="6" rx="2.1" '
            'ry="2.9"/><ellipse cx="4.3" cy="11" rx="1.9" ry="2.5" transform="rotate(-25 4.3 11)"/>'
            '<ellipse cx="19.7" cy="11" rx="1.9" ry="2.5" transform="rotate(25 19.7 11)"/></g>',
        ),
        "star": (
            _("Card with a star"),
            '<rect x="4" y="4.4" width="11" height="16" rx="1.8" transform="rotate(-8 9.5 12.4)"/>'
            '<path d="m17 4.6 2.8.6a1.8 1.8 0 0 1 1.4 2.1L18.9 19"/>'
            '<path fill="currentColor" stroke="none" d="m9.5 8.4 1.2 2.6 2.8.4-2 2 .5 2.8-2.5-1.4'
            '-2.5 1.4.5-2.8-2-2 2.8-.4Z"/>',
        ),
        "stars": (
            _("Constellation"),
            '<path stroke-width="1.6" d="m3.6 17.6 4.6-5.8 5 3.2 5-8.4"/><g fill="currentColor" '
            'stroke="none"><circle cx="3.6" cy="17.6" r="2"/><circle cx="8.2" cy="11.8" r="2"/>'
            '<circle cx="13.2" cy="15" r="2"/><path d="m18.4 1.8 1.2 3.3 3.4 1.2-3.4 1.2-1.2 3.3-'
            '1.2-3.3-3.4-1.2 3.4-1.2Z"/></g>',
        ),
        "bolt": (
            _("Bolt"),
            '<path fill="currentColor" stroke-width="1.4" '
            'd="M13.6 2 4.6 13.6h6L9.6 22l9.8-12.4h-6.6Z"/>',
        ),
        "cards": (
            _("Two cards"),
            '<rect x="3.4" y="5" width="10" height="15" rx="1.8" transform="rotate(-9 8.4 12.5)"/>'
            '<path d="m14.6 4 4.8.9a1.8 1.8 0 0 1 1.4 2.1l-2.1 11a1.8 1.8 0 0 1-2.1 1.4"/>'
            '<path fill="currentColor" stroke="none" d="m8.4 9.4 2.2 3.1-2.2 3.1-2.2-3.1Z"/>',
        ),
        "crown": (
            _("Crown"),
            '<path d="M4 17.5 2.6 7.2l5.2 3.9L12 4.2l4.2 6.9 5.2-3.9L20 17.5Z"/>'
            '<path stroke-width="2.4" d="M4.4 21h15.2"/>',
        ),
        "die": (
            _("Die"),
            '<rect x="3.6" y="3.6" width="16.8" height="16.8" rx="3.4"/>'
            '<g fill="currentColor" stroke="none"><circle cx="8.2" cy="8.2" r="1.8"/>'
            '<circle cx="12" cy="12" r="1.8"/><circle cx="15.8" cy="15.8" r="1.8"/></g>',
        ),
        "pawn": (
            _("Pawn"),
            '<circle cx="12" cy="6.4" r="3.6"/>'
            '<path d="M8.4 10.6h7.2M10 10.8c0 3.6-1 5.6-3.2 7.2h10.4c-2.2-1.6-3.2-3.6-3.2-7.2"/>'
            '<path stroke-width="2.4" d="M5.4 21.4h13.2"/>',
        ),
    }
)
COLOURS: Mapping[str, tuple[Promise, str, str]] = MappingProxyType(
    {
        "green": (_("Green"), "#0f664f", "#073629"),
        "red": (_("Red"), "#9b2c1f", "#56130d"),
        "violet": (_("Violet"), "#5f3aa8", "#2f1a5c"),
        "amber": (_("Amber"), "#7a5200", "#402b00"),
        "blue": (_("Blue"), "#1f4f9e", "#0f2a58"),
        "teal": (_("Teal"), "#0a6273", "#05343e"),
        "indigo": (_("Indigo"), "#3f4fa3", "#1d2558"),
    }
)
"""Label, fill and its deep end, as in ``hero.css``, for drawn pictures."""


def emblem_svg(emblem: str) -> SafeString:
    """Return an emblem as inline SVG, hidden from screen readers; emblem: a key of ``EMBLEMS``."""
    return mark_safe(  # noqa: S308 - drawings of this project
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">'
        f"{EMBLEMS[emblem][1]}</svg>"
    )


INKS = (
    ("#e6d0ee", "#4a1259"),
    ("#d0e4ee", "#0d4257"),
    ("#d5eed0", "#1d4f14"),
    ("#eee7d0", "#554714"),
    ("#eed3d0", "#6b1a14"),
    ("#d0d4ee", "#1d2668"),
    ("#eed0de", "#661139"),
    ("#d0eee8", "#0c4c40"),
    ("#e9e4dc", "#463a27"),
)
"""Ground and letters of the discs, as ``hero.css`` has them."""


def initials(name: str) -> str:
    """Return the initials of a name's first and last word, in capitals."""
    words = [word for word in name.split() if word[0].isalnum()] or [name[:1]]
    letters = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return letters.upper()
