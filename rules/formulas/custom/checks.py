"""Check that a custom formula can be played with every number of players in its range.

Source: tournament rules, Other formulas to ship (Custom): every place is taken once, every
entrant has a source, sizes are valid, and the last stage decides.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from rules.formulas.custom.definition import Definition
from rules.formulas.custom.reach import reach_faults
from rules.formulas.custom.sizes import telling_numbers
from rules.formulas.custom.source_checks import double_faults, missing_faults, taken_faults
from rules.formulas.custom.stage_checks import size_faults, stage_faults
from rules.wording import Sentence

MOST_FAULTS = 50


def faults(definition: Definition) -> tuple[Sentence, ...]:
    """Return the first ``MOST_FAULTS`` faults of a formula, each with its stage, group and place.

    Empty if it can be played to a final ranking with every number of players in its range. A fault
    that depends on the number names one such number, and is returned only if there are no others.
    """
    found = tuple(islice(stage_faults(definition), MOST_FAULTS))
    found += tuple(islice(taken_faults(definition), MOST_FAULTS))
    if found:
        return found[:MOST_FAULTS]
    return tuple(islice(_without_repetitions(_by_number(definition)), MOST_FAULTS))


def _by_number(definition: Definition) -> Iterator[Sentence]:
    """Yield the faults for each representative number of players."""
    numbers = telling_numbers(definition)
    exists = True
    for players in numbers:
        for fault in (*size_faults(definition, players), *missing_faults(definition, players)):
            exists = False
            yield fault
    if exists:
        for players in numbers:
            yield from double_faults(definition, players)
            yield from reach_faults(definition, players)


def _without_repetitions(found: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield each fault once: for the first number of players that has it."""
    seen: set[str] = set()
    for fault in found:
        words = str(_without_numbers(fault))
        if words not in seen:
            seen.add(words)
            yield fault


def _without_numbers(fault: Sentence) -> Sentence:
    values = {
        key: _without_numbers(value) if isinstance(value, Sentence) else value
        for key, value in fault.values.items()
    }
    return Sentence(fault.template, {**values, "players": 0, "size": 0})
