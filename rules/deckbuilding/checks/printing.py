"""Checks of printings: one language, allowed expansions, and copies of each version of a card."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rules.deckbuilding.around import language_key, language_label
from rules.deckbuilding.card_lists import CardLists
from rules.deckbuilding.checks.copies import COPIES_LIMIT, too_many_copies_violation
from rules.deckbuilding.checks.counts import maximum_message, no_limit_message
from rules.deckbuilding.deck import Deck, DeckEntry, Violation, entry_violation
from rules.deckbuilding.formats import (
    AllowedExpansions,
    CardCopies,
    Check,
    CheckInput,
    copies_by_card,
)
from rules.deckbuilding.zones import CardKind
from rules.names import name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def single_language_check() -> Check:
    """Return the check that the list and all its cards name the same language, if any."""

    def find(reading: CheckInput) -> Iterable[Violation]:
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
                "The deck has cards in several languages: %(languages)s. Use only one.",
                {"languages": languages},
            ),
            found=len(languages),
            maximum=1,
        )

    return Check(
        codes=("language.mixed",),
        find=find,
        about=(Sentence("All cards in one language."),),
    )


def expansions_check(allowed: AllowedExpansions) -> Check:
    """Return the check that each card is from an allowed expansion.

    Cards without an expansion are reported once, with their number; unknown expansions pass if
    ``any_other`` is set.
    """
    codes, known = allowed.codes, allowed.known
    as_named = {word for code in codes for word in (code, *known.get(code, ()))}

    def find(reading: CheckInput) -> Iterable[Violation]:
        written = {entry.expansion for entry in reading.tally.entries}
        return () if written <= as_named or all(map(may_be, written)) else faults(reading)

    def faults(reading: CheckInput) -> Iterator[Violation]:
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
                    "Cards not checked, as their expansion is missing: %(found)s. Write its "
                    "code after the name: (%(code)s).",
                    {"found": unnamed, "code": codes[0]},
                ),
                found=unnamed,
            )

    def may_be(text: str) -> bool:
        code = allowed.code_of(text)
        return code in codes or (code is None and allowed.any_other and bool(text))

    others = (Sentence("Other fan-made expansions"),) if allowed.any_other else ()
    rule = Sentence(
        "%(label)s: %(count)s",
        {"label": Sentence("Expansions allowed"), "count": (*codes, *others)},
    )
    refused = () if set(known) <= set(codes) else ("card.expansion_not_allowed",)
    return Check(
        codes=(*refused, "card.expansion_unknown"),
        find=find,
        about=(rule,),
        remake=lambda numbers: expansions_check(numbers.allowed or allowed),
        allowed=allowed,
    )


def _unknown_expansion_violation(zone: str, entry: DeckEntry) -> Violation:
    sentence = Sentence(
        "“%(card)s”: the expansion “%(expansion)s” is unknown. Check its code.",
        {"card": entry.name, "expansion": entry.expansion},
    )
    return entry_violation("card.expansion_unknown", sentence, zone, entry)


def _disallowed_expansion_violation(zone: str, entry: DeckEntry, category: Sentence) -> Violation:
    sentence = Sentence(
        "“%(card)s”: the expansion “%(expansion)s” is not allowed in %(category)s. Use another "
        "printing.",
        {"card": entry.name, "expansion": entry.expansion, "category": category},
    )
    return entry_violation("card.expansion_not_allowed", sentence, zone, entry)


def version_copies_check(
    *, at_most: int | None, versions: int, names: tuple[str, ...], unlimited: CardKind
) -> Check:
    """Return the check of at most ``at_most`` copies of a card, by version for some cards.

    Each of the ``names`` has ``versions`` versions with a card's limit each. Copies without a
    version form one version; once all versions are named, they are added to the one with the fewest
    copies. For other cards versions are ignored. Cards of the kind ``unlimited``, or in its home
    zone, are exempt. A catalogue limit takes precedence over ``at_most``; for ``names`` only if it
    is lower. Cards limited further by a card list are left to that check.
    """

    keys, home = tuple(map(name_key, names)), unlimited.home or ""

    def split(lists: CardLists) -> set[str]:
        return {lists.originals.get(key, key) for key in keys}

    def find(reading: CheckInput) -> Iterable[Violation]:
        few = at_most is not None and not reading.has_own_limits and few_of_each(reading, at_most)
        return () if few else faults(reading)

    def few_of_each(reading: CheckInput, most: int) -> bool:
        """Return whether no card is split, and none is in other zones more than ``most`` times."""
        lists, outside = reading.format.lists, dict(reading.totals)
        for entry in reading.deck.zone(home):
            outside[lists.originals.get(entry.key, entry.key)] -= entry.count
        many = [number for number in outside.values() if number > most]
        return not many and outside.keys().isdisjoint(split(lists))

    def faults(reading: CheckInput) -> Iterator[Violation]:
        lists = reading.format.lists
        versioned = split(lists)
        limited = _without_unlimited(reading, unlimited)
        for key, found in copies_by_card(limited, lists, reading.catalogue).items():
            listed = lists.most_copies.get(key)
            maximum = at_most if found.own_limit is None else found.own_limit
            if maximum is None or (listed is not None and listed <= (at_most or listed)):
                continue
            if key in versioned and at_most is not None:
                entries = [entry for _zone, entry in limited if lists.key(entry.name) == key]
                yield from _split_faults(found.name, entries, min(maximum, at_most), versions)
            elif found.total > maximum:
                yield too_many_copies_violation(found, maximum)

    about: tuple[Sentence, ...] = (maximum_message(COPIES_LIMIT.label, at_most),)
    if at_most is not None:
        about = (
            *about,
            no_limit_message(unlimited.label),
            Sentence(
                "%(cards)s: %(versions)s versions, with at most %(maximum)s copies of "
                "each. Add the version after the name, for example [A].",
                {"cards": names, "versions": versions, "maximum": at_most},
            ),
        )
    return Check(
        codes=("copies.too_many",),
        find=find,
        about=about,
        limits={"copies": at_most, "versions": versions},
        remake=lambda numbers: version_copies_check(
            at_most=numbers.limits["copies"], versions=versions, names=names, unlimited=unlimited
        ),
        changeable=(COPIES_LIMIT,),
    )


def _without_unlimited(reading: CheckInput, unlimited: CardKind) -> Deck:
    zones = {
        zone: tuple(entry for entry in entries if reading.kind_of(entry.kind) is not unlimited)
        for zone, entries in reading.deck.zones.items()
        if zone != unlimited.home
    }
    return replace(reading.deck, zones=zones)


def _split_faults(
    name: str, entries: list[DeckEntry], maximum: int, versions: int
) -> Iterator[Violation]:
    named = _by_version(entries)
    written = [copies for version, copies in named.items() if version]
    if len(written) > versions:
        yield _too_many_versions(name, written, versions)
        return
    most = max(_merge_unversioned(named, versions), key=lambda copies: copies.total)
    if most.total > maximum:
        template = _(
            "“%(card)s”: %(found)s copies of one version (maximum %(maximum)s). Take out "
            "%(extra)s or write the other version."
        )
        yield too_many_copies_violation(most, maximum, template, card=name)


def _by_version(entries: list[DeckEntry]) -> dict[str, CardCopies]:
    """Return the copies by version as first written; "" for copies without one."""
    found: dict[str, CardCopies] = {}
    for entry in entries:
        copies = found.setdefault(name_key(entry.version), CardCopies(_label(entry)))
        copies.total += entry.count
        if entry.line is not None:
            copies.lines.append((entry.line, entry.count))
    return found


def _label(entry: DeckEntry) -> str:
    return f"{entry.name} [{entry.version}]" if entry.version else entry.name


def _merge_unversioned(named: Mapping[str, CardCopies], versions: int) -> list[CardCopies]:
    """Return the versions, with copies without a version merged in."""
    fixed = [copies for version, copies in named.items() if version]
    loose = named.get("")
    if loose is None or len(fixed) < versions:
        return list(named.values())
    fewest = min(fixed, key=lambda version: version.total)
    joined = CardCopies(
        fewest.name, fewest.total + loose.total, None, sorted(fewest.lines + loose.lines)
    )
    return [joined if copies is fewest else copies for copies in fixed]


def _too_many_versions(name: str, written: list[CardCopies], versions: int) -> Violation:
    return Violation(
        code="copies.too_many",
        sentence=Sentence(
            "Too many versions of one card: %(cards)s (maximum %(versions)s). "
            "Remove the extra versions.",
            {"cards": tuple(copies.name for copies in written), "versions": versions},
        ),
        card=name,
        found=len(written),
        maximum=versions,
        line=written[versions].line_over(0),
    )
