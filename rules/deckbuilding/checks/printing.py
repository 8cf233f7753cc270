"""Checks of printings: one language, and the allowed expansions."""

from collections.abc import Iterable, Iterator

from rules.deckbuilding.adjustable import AllowedExpansions
from rules.deckbuilding.deck import Entry, Violation, of_entry
from rules.deckbuilding.formats import Check, Reading
from rules.deckbuilding.languages import language_key, language_label
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def one_language() -> Check:
    """All cards are in one language: the list's, or their own."""

    def find(reading: Reading) -> Iterable[Violation]:
        own = {entry.language for entry in reading.tally.entries}
        if own == {""}:
            return ()
        written = [reading.deck.language, *(entry.language for _zone, entry in reading.deck)]
        languages = {language_key(text): language_label(text) for text in written if text}
        return (mixed(tuple(languages.values())),) if len(languages) > 1 else ()

    def mixed(languages: tuple[Sentence | str, ...]) -> Violation:
        return Violation(
            code="language.mixed",
            sentence=Sentence(
                "Cards in different languages: %(languages)s. Use printings of one language only.",
                {"languages": languages},
            ),
            found=len(languages),
            maximum=1,
        )

    return Check(
        codes=("language.mixed",),
        find=find,
        about=(Sentence("All cards are printed in one language."),),
    )


def expansions(allowed: AllowedExpansions) -> Check:
    """Each card is from an allowed expansion."""
    codes, known = allowed.codes, allowed.known
    as_named = {word for code in codes for word in (code, *known.get(code, ()))}

    def find(reading: Reading) -> Iterable[Violation]:
        written = {entry.expansion for entry in reading.tally.entries}
        return () if written <= as_named or all(map(may_be, written)) else faults(reading)

    def faults(reading: Reading) -> Iterator[Violation]:
        unnamed = 0
        for zone, entry in reading.deck:
            if not entry.expansion:
                unnamed += entry.count
            elif not may_be(entry.expansion) and allowed.code_of(entry.expansion) is None:
                yield _unknown_expansion_violation(zone, entry)
            elif not may_be(entry.expansion):
                yield _disallowed_expansion_violation(zone, entry, reading.format.label)
        if unnamed:
            yield Violation(
                code="card.expansion_unknown",
                sentence=Sentence(
                    "Cards without an expansion: %(found)s; whether the category allows them "
                    "was not checked. Write its code after the name, in brackets: (%(code)s).",
                    {"found": unnamed, "code": codes[0]},
                ),
                found=unnamed,
            )

    def may_be(text: str) -> bool:
        code = allowed.code_of(text)
        return code in codes or (code is None and allowed.any_other and bool(text))

    rule = (
        _("Expansions allowed: %(codes)s, and every other homemade one.")
        if allowed.any_other
        else _("Expansions allowed: %(codes)s.")
    )
    refused = () if set(known) <= set(codes) else ("card.expansion_not_allowed",)
    return Check(
        codes=(*refused, "card.expansion_unknown"),
        find=find,
        about=(Sentence(rule, {"codes": codes}),),
        remake=lambda numbers: expansions(numbers.allowed or allowed),
        allowed=allowed,
    )


def _unknown_expansion_violation(zone: str, entry: Entry) -> Violation:
    sentence = Sentence(
        "“%(card)s”: nobody here knows the expansion “%(expansion)s”. Check its code.",
        {"card": entry.name, "expansion": entry.expansion},
    )
    return of_entry("card.expansion_unknown", sentence, zone, entry)


def _disallowed_expansion_violation(zone: str, entry: Entry, category: Sentence) -> Violation:
    sentence = Sentence(
        "“%(card)s”: the expansion “%(expansion)s” is not allowed (%(category)s). "
        "Take it out, or use a printing that is allowed.",
        {"card": entry.name, "expansion": entry.expansion, "category": category},
    )
    return of_entry("card.expansion_not_allowed", sentence, zone, entry)
