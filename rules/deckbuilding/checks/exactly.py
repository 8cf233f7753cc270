"""Check of an exact number of cards of a kind."""

from collections.abc import Iterable

from rules.deckbuilding.adjustable import Limit
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import Check, Reading
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.zones import label_of
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def exactly(number: int, kind: Kind, *, zone: str, plural: Sentence) -> Check:
    """A zone holds exactly ``number`` cards of a kind.

    With cards of unknown kind: no violation if the known ones are exactly enough; an error if
    they are too many, or too few even with all unknown ones; otherwise unchecked, with a note.
    """

    def find(reading: Reading) -> Iterable[Violation]:
        known = reading.number_of(kind, zone)
        return () if known == number else (fault(known, reading.kindless(zone)),)

    def fault(known: int, unknown: int) -> Violation:
        if known > number:
            code = "kind.too_many"
            template = _(
                "%(zone)s, %(kind)s: %(found)s; needed: exactly %(needed)s. Take out %(extra)s."
            )
        elif known + unknown < number:
            code = "kind.too_few"
            template = _(
                "%(zone)s, %(kind)s: %(found)s; needed: exactly %(needed)s. Add %(missing)s."
            )
        else:
            code = "kind.unchecked"
            template = _(
                "%(zone)s, %(kind)s: %(found)s known of exactly %(needed)s; cards without a "
                "kind: %(unknown)s. Write it after the name, in braces: {%(example)s}."
            )
        values = {
            "kind": plural,
            "zone": label_of(zone),
            "found": known,
            "needed": number,
            "missing": number - known,
            "extra": known - number,
            "unknown": unknown,
            "example": kind.label,
        }
        return Violation(
            code=code,
            sentence=Sentence(template, values),
            zone=zone,
            found=known,
            minimum=number,
            maximum=number,
        )

    return Check(
        codes=("kind.too_few", "kind.too_many", "kind.unchecked"),
        find=find,
        about=(
            Sentence(
                "%(zone)s, %(kind)s: exactly %(needed)s.",
                {"zone": label_of(zone), "kind": plural, "needed": number},
            ),
        ),
        limits={kind.key: number},
        remake=lambda numbers: exactly(
            numbers.limits[kind.key] or 0, kind, zone=zone, plural=plural
        ),
        changeable=(
            Limit(
                key=kind.key,
                label=Sentence(
                    "%(zone)s, exact number of %(kind)s", {"zone": label_of(zone), "kind": plural}
                ),
                zone=zone,
                kind=kind.key,
            ),
        ),
    )
