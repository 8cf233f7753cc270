"""Checks of copies: maximum per card, banned and limited cards, forbidden pairs."""

from collections.abc import Iterable, Iterator

from rules.deckbuilding.card_lists import (
    BANNED,
    EXCLUDED_TOGETHER,
    LABELS,
    LIMITED,
    SEMI_LIMITED,
    CardLists,
)
from rules.deckbuilding.checks.counts import maximum_message
from rules.deckbuilding.deck import Violation, single_fix
from rules.deckbuilding.formats import CardCopies, ChangeableLimit, Check, CheckInput
from rules.wording import Sentence
from rules.wording import gettext_noop as _

TOO_MANY = _("“%(card)s”: %(found)s copies (maximum %(maximum)s). Take out %(extra)s.")
NOT_ALLOWED = _("“%(card)s” is not allowed. Take it out.")
COPIES_LIMIT = ChangeableLimit(
    key="copies", label=Sentence("Copies of each card"), may_be_none=True
)


def copy_limit_check(*, at_most: int | None) -> Check:
    """Return the check of at most ``at_most`` copies of a card (None: no limit).

    Copies in all zones count. Cards of the banned, limited and semi-limited lists are left to
    :func:`card_lists_check`, unless the list allows more; a limit in the card's catalogue entry
    takes precedence.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        many = at_most is not None and [n for n in reading.totals.values() if n > at_most]
        return faults(reading) if many or reading.has_own_limits else ()

    def faults(reading: CheckInput) -> Iterator[Violation]:
        elsewhere = reading.format.lists.most_copies
        for key, found in reading.copies.items():
            maximum = at_most if found.own_limit is None else found.own_limit
            if maximum is None or found.total <= maximum:
                continue
            if at_most is None or elsewhere.get(key, at_most + 1) > at_most:
                yield too_many_copies_violation(found, maximum)

    return Check(
        codes=("copies.too_many",),
        find=find,
        about=(maximum_message(COPIES_LIMIT.label, at_most),),
        limits={"copies": at_most},
        remake=lambda numbers: copy_limit_check(at_most=numbers.limits["copies"]),
        changeable=(COPIES_LIMIT,),
    )


def too_many_copies_violation(
    found: CardCopies,
    maximum: int,
    template: str = TOO_MANY,
    *,
    code: str = "copies.too_many",
    card: str | None = None,
) -> Violation:
    """Return the violation for more copies of a card than the maximum.

    ``template`` is that of the message; ``card``: the name to report instead of that of the copies.
    """
    values = {"card": found.name, "found": found.total, "maximum": maximum}
    template = template if maximum or code == "card.banned" else NOT_ALLOWED
    return Violation(
        code=code,
        sentence=Sentence(template, values | {"extra": found.total - maximum}),
        card=card or found.name,
        found=found.total,
        maximum=maximum,
        line=found.line_over(maximum),
        cure=single_fix([line for line, _count in found.lines], maximum),
    )


def card_lists_check() -> Check:
    """Return the check of the copies of listed cards, over all zones.

    Banned: none, limited: one, semi-limited: two.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        return faults(reading) if reading.on_lists else ()

    def faults(reading: CheckInput) -> Iterator[Violation]:
        allowed = reading.format.lists.most_copies
        for key, found in reading.copies.items():
            most = allowed.get(key)
            if most is not None and found.total > most:
                yield _over_its_list(found, most)

    return Check(codes=("card.banned", "card.limited"), find=find, list_messages=_list_rules)


_LIST_RULES = {
    BANNED: Sentence("Banned cards: none."),
    LIMITED: maximum_message(LABELS[LIMITED], 1),
    SEMI_LIMITED: maximum_message(LABELS[SEMI_LIMITED], 2),
}


def _list_rules(lists: CardLists) -> Iterator[Sentence]:
    return (rule for which, rule in _LIST_RULES.items() if lists.cards.get(which))


def _over_its_list(found: CardCopies, most: int) -> Violation:
    template = (
        _("“%(card)s” is limited: %(found)s copies (maximum %(maximum)s). Take out %(extra)s.")
        if most
        else _("“%(card)s” is banned. Take it out.")
    )
    return too_many_copies_violation(
        found, most, template, code="card.limited" if most else "card.banned"
    )


def forbidden_pairs_check() -> Check:
    """Return the check that no two cards listed as excluding each other are in the deck."""

    def find(reading: CheckInput) -> Iterable[Violation]:
        return faults(reading) if reading.on_lists else ()

    def faults(reading: CheckInput) -> Iterator[Violation]:
        found = reading.copies
        for one, other in reading.format.lists.pairs:
            if one in found and other in found:
                yield _pair_violation(found[one], found[other])

    return Check(codes=("cards.excluded_together",), find=find, list_messages=_pair_rules)


def _pair_rules(lists: CardLists) -> Iterator[Sentence]:
    for pair in lists.cards.get(EXCLUDED_TOGETHER, ()):
        yield Sentence(
            "Can’t be played together: “%(first)s” and “%(second)s”.",
            {"first": pair.name, "second": pair.partner},
        )


def _pair_violation(one: CardCopies, other: CardCopies) -> Violation:
    return Violation(
        code="cards.excluded_together",
        sentence=Sentence(
            "“%(first)s” and “%(second)s” can’t be played together. Take out one.",
            {"first": one.name, "second": other.name},
        ),
        card=one.name,
        line=other.line_over(0),
    )
