"""Slugs of events (which are free, and those of what an archive brings) and short addresses.

No short address is stored, so every event has one from its creation on, an archive brings none
along, and no two events of a site share one. Keys that follow one another give letters that look
unlike.
"""

from collections.abc import Collection

from django.utils.text import slugify

from decks.models import HouseFormat
from decks.stored_formats import is_organiser_format
from rules.errors import RuleError
from tournaments.core.formulas import is_saved_formula
from tournaments.models import Event, SavedFormula

RESERVED = frozenset({"new", "restore"})


def free_slug(name: str) -> str:
    """Return an unused slug for an event with this name."""
    base = slugify(name)[:70].strip("-") or "event"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= RESERVED
    return first_free_slug(base, taken)


def first_free_slug(base: str, taken: Collection[str]) -> str:
    """Return ``base``, or "base-2", "base-3" …: the first that is not ``taken``."""
    if base not in taken:
        return base
    return next(f"{base}-{n}" for n in range(2, len(taken) + 3) if f"{base}-{n}" not in taken)


def check_slug(slug: str) -> None:
    """Raise RuleError ``slug_taken`` if the slug is reserved or another event has it."""
    if slug in RESERVED or Event.objects.filter(slug=slug).exists():
        raise slug_taken_error(slug)


def slug_taken_error(slug: str) -> RuleError:
    """Return the RuleError ``slug_taken``, whose message names the slug."""
    return RuleError(
        "slug_taken",
        "The address “%(slug)s” is taken. Choose another.",
        slug=slug,
    )


def archived_slugs(house: str, formula: str) -> dict[str, str]:
    """Return {slug here: slug in its archive} of a restored format and formula.

    ``house``: slug of the deck format; ``formula``: of the tournament format. Without those built
    in or created here. At most two queries.
    """
    found: dict[str, str] = {}
    if is_organiser_format(house):
        rows = HouseFormat.objects.filter(slug=house).exclude(archived_as="")
        found |= dict(rows.values_list("slug", "archived_as"))
    if is_saved_formula(formula):
        saved = SavedFormula.objects.filter(slug=formula).exclude(archived_as="")
        found |= dict(saved.values_list("slug", "archived_as"))
    return found


LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, which would make words, and nothing that is taken for something else."""
SHORTEST = 4
STEP, START = 7919, 60_913
"""Neither 2 nor 5 divides the step, so it meets every code of a length once."""


def event_short_code(event_id: int) -> str:
    """Return an event's short code from its primary key.

    Four letters up to 160,000 events.
    """
    length, rest = SHORTEST, event_id - 1
    while rest >= len(LETTERS) ** length:
        rest -= len(LETTERS) ** length
        length += 1
    at = (rest * STEP + START) % len(LETTERS) ** length
    code = ""
    for _letter in range(length):
        at, digit = divmod(at, len(LETTERS))
        code = LETTERS[digit] + code
    return code


def event_id_from_code(code: str) -> int | None:
    """Return the event's primary key for a short code in any case, None if invalid."""
    letters = code.upper()
    if not SHORTEST <= len(letters) <= 2 * SHORTEST or not set(letters) <= set(LETTERS):
        return None
    at = 0
    for letter in letters:
        at = at * len(LETTERS) + LETTERS.index(letter)
    size = len(LETTERS) ** len(letters)
    before = sum(len(LETTERS) ** length for length in range(SHORTEST, len(letters)))
    return (at - START) * pow(STEP, -1, size) % size + before + 1
