"""The check of what the catalogue says is legal in a format.

Source: contracts, Formats of one's own (``legal_in``).
"""

from collections.abc import Iterator

from rules.deckbuilding.deck import Violation, of_entry
from rules.deckbuilding.formats import Check, Reading
from rules.names import name_key
from rules.wording import Sentence


def legal_in(column: str) -> Check:
    """Each card may be played where the catalogue says so.

    Cards of which it says nothing are not judged: noted once, as is a missing catalogue.
    """
    key = name_key(column)

    def find(reading: Reading) -> Iterator[Violation]:
        cards = reading.catalogue
        if cards is None:
            yield _unchecked(column)
            return
        found = [(zone, entry, cards.get(entry.key)) for zone, entry in reading.deck]
        if any(facts is not None and facts.legal_in is None for _zone, _entry, facts in found):
            yield _unchecked(column)
        for zone, entry, facts in found:
            if facts is not None and facts.legal_in is not None and key not in facts.legal_in:
                sentence = Sentence(
                    "“%(card)s” is not legal in %(column)s. Take it out.",
                    {"card": entry.name, "column": column},
                )
                yield of_entry("card.banned", sentence, zone, entry)

    return Check(
        codes=("card.banned", "legality.unchecked"),
        find=find,
        about=(Sentence("Only cards that are legal in %(column)s.", {"column": column}),),
    )


def _unchecked(column: str) -> Violation:
    sentence = Sentence(
        "No card catalogue says of every card here whether it is legal in %(column)s: that is not "
        "checked.",
        {"column": column},
    )
    return Violation(code="legality.unchecked", sentence=sentence)
