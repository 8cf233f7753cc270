"""Lists handed in: each submission is a row of its own, legal or not."""

from hashlib import sha256

from decks.checking import Checked, check_text, check_zones
from decks.mapping import deck_to_row, violation_to_row
from decks.models import Decklist
from rules.deckbuilding.render import canonical, render


def store_decklist(*, format_key: str, text: str, name: str = "") -> Decklist:
    """Store a written list with what is wrong with it.

    An illegal list is stored too. Raises BadInput for an unknown format, a text over 64 KiB,
    or one with characters that can't be kept. One query.
    """
    return _store(check_text(format_key=format_key, text=text), raw=text, name=name)


def store_zones(
    *, format_key: str, zones: object, language: object = None, name: str = ""
) -> Decklist:
    """Store a list as programs send it; its text is written from the zones. One query.

    Raises BadInput as :func:`store_decklist`, and ``wrong_type`` with the path of a field.
    """
    found = check_zones(format_key=format_key, zones=zones, language=language)
    return _store(found, raw=render(found.deck, found.format), name=name)


def _store(found: Checked, *, raw: str, name: str) -> Decklist:
    text = render(canonical(found.deck), found.format)
    return Decklist.objects.create(
        format=found.format.key,
        name=name[:100],
        raw=raw,
        text=text,
        deck=deck_to_row(found.deck),
        counts=found.deck.counts(),
        violations=[violation_to_row(violation) for violation in found.violations],
        legal=found.legal,
        fingerprint=sha256(text.encode()).hexdigest(),
    )
