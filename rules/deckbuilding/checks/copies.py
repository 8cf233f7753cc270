"""How often a card may be in a list: copies, banned, limited, never together."""

from collections.abc import Iterator

from rules.deckbuilding.counting import Copies
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import Check, Reading
from rules.deckbuilding.lists import BANNED, LIMITED
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def copies(*, at_most: int) -> Check:
    """No card more than so many times in the list, its zones taken together.

    Banned cards are left to :func:`listed`; a limited card may be in the list once; a card
    whose catalogue entry has a limit of its own follows that one.
    """

    def find(reading: Reading) -> Iterator[Violation]:
        lists = reading.format.lists
        elsewhere = lists.names(BANNED) | lists.names(LIMITED)
        for key, found in reading.copies.items():
            own = found.own_limit
            maximum = at_most if own is None else own
            if key not in elsewhere and found.total > maximum:
                yield _too_many(found, maximum)

    return Check(
        codes=("copies.too_many",),
        find=find,
        about=(
            Sentence(
                _("Copies of one card: at most %(maximum)s, all zones taken together."),
                {"maximum": at_most},
            ),
        ),
        limits={"copies": at_most},
    )


def _too_many(found: Copies, maximum: int) -> Violation:
    return Violation(
        code="copies.too_many",
        sentence=Sentence(
            _(
                "“%(card)s”, copies in all zones: %(found)s; allowed: %(maximum)s. "
                "Take out %(extra)s."
            ),
            {
                "card": found.name,
                "found": found.total,
                "maximum": maximum,
                "extra": found.total - maximum,
            },
        ),
        card=found.name,
        found=found.total,
        maximum=maximum,
        line=found.line_over(maximum),
    )


def listed() -> Check:
    """No banned card, and each limited card once, by the format's lists."""

    def find(reading: Reading) -> Iterator[Violation]:
        lists = reading.format.lists
        banned, limited = lists.names(BANNED), lists.names(LIMITED)
        for key, found in reading.copies.items():
            values = {"card": found.name, "found": found.total, "extra": found.total - 1}
            if key in banned:
                yield Violation(
                    code="card.banned",
                    sentence=Sentence(
                        _("“%(card)s” is banned; copies found: %(found)s. Take it out."), values
                    ),
                    card=found.name,
                    found=found.total,
                    maximum=0,
                    line=found.line_over(0),
                )
            elif key in limited and found.total > 1:
                yield Violation(
                    code="card.limited",
                    sentence=Sentence(
                        _(
                            "“%(card)s” is limited to one copy; copies found: %(found)s. "
                            "Take out %(extra)s."
                        ),
                        values,
                    ),
                    card=found.name,
                    found=found.total,
                    maximum=1,
                    line=found.line_over(1),
                )

    return Check(
        codes=("card.banned", "card.limited"),
        find=find,
        about=(
            Sentence(_("Banned cards may not be in the list, in any printing.")),
            Sentence(_("Limited cards may be in the list once, in any printing.")),
        ),
    )


def excluded_together(first: str, second: str) -> Check:
    """Two cards never in one list."""

    def find(reading: Reading) -> Iterator[Violation]:
        found = reading.copies
        one = found.get(reading.format.lists.key(first))
        other = found.get(reading.format.lists.key(second))
        if one and other:
            yield Violation(
                code="cards.excluded_together",
                sentence=Sentence(
                    _(
                        "“%(first)s” and “%(second)s” may not be in one list. "
                        "Take out one of the two."
                    ),
                    {"first": one.name, "second": other.name},
                ),
                card=one.name,
                line=other.line_over(0),
            )

    return Check(
        codes=("cards.excluded_together",),
        find=find,
        about=(
            Sentence(
                _("“%(first)s” and “%(second)s” are never together in a list."),
                {"first": first, "second": second},
            ),
        ),
    )
