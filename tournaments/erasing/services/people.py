"""The person to erase from an event: names to find, and their replacement."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from rules.people.mentions import Mentions, folded
from tournaments.models import Entry, Event, KeptRows, LogLine

NOWHERE = "girone.invalid"  # addresses under .invalid never receive mail
PASTED = "entry.pasted"
ENTERED = {PASTED, "entry.added", "entry.registered"}
"""Actions that enter players, whose undo deletes them again."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person in one event: a player by ``number``, an account, or both.

    ``mentions`` replaces the names in texts; ``own`` does so in texts that are certainly about
    this player, even if another player has the same name.
    """

    event: Event
    mentions: Mentions
    own: Mentions
    number: int | None = None
    entry: Entry | None = None
    user: User | None = None


def label_of_player(number: int) -> str:
    """Return the label of an erased player, in the site's default language."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("Player %(number)s") % {"number": number}


def label_of_account(user: User) -> str:
    """Return the label of an erased account, in the site's default language."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("Person %(number)s") % {"number": user.pk}


def address_of(user: User) -> str:
    """Return the address of an erased account, which receives no mail."""
    return f"erased-{user.pk}@{NOWHERE}"


def is_erased(user: User) -> bool:
    """Return whether an account has been erased."""
    return user.email == address_of(user)


def person_of_player(event: Event, number: int, user: User | None = None) -> Person:
    """Return a player of an event, including one who was removed from the list; four queries."""
    entry = event.entries.filter(number=number).first()
    names = set(_names_in_log(event, number, entry)) | ({entry.name} if entry else set())
    label = label_of_player(number)
    return _person(event, names, label, number=number, entry=entry, user=user)


def is_in_log(event: Event, number: int) -> bool:
    """Return whether the log names a removed player who is not erased yet; two queries."""
    taken_back = Q(action="act.undone", after__action__in=sorted(ENTERED))
    if not event.log.filter(taken_back | Q(action="entry.removed", before__number=number)).exists():
        return False
    return any(name != label_of_player(number) for name in _names_in_log(event, number, None))


def person_of_account(event: Event, user: User) -> Person:
    """Return the person of an account in an event where it has no player; four queries."""
    return _person(event, set(), label_of_account(user), user=user)


def _person(
    event: Event,
    names: set[str],
    label: str,
    *,
    number: int | None = None,
    entry: Entry | None = None,
    user: User | None = None,
) -> Person:
    exact = {}
    if user is not None and not is_erased(user):
        names |= {str(user), *_names_on_staff(event, user)}
        exact = {user.email: address_of(user)}
    names -= {label, ""}
    others = list(event.entries.exclude(number=number or 0).values_list("number", "name"))
    staff = {str(role.user) for role in event.staff.select_related("user").exclude(user=user)}
    known = frozenset({name for _number, name in others} | staff)
    own = Mentions(frozenset(names), label, known, exact=exact)
    shared = _labels_of_shared_names(names, others, staff, number, label)
    mentions = Mentions(frozenset(names), label, known, shared=shared, exact=exact)
    return Person(event=event, mentions=mentions, own=own, number=number, entry=entry, user=user)


def _labels_of_shared_names(
    names: set[str],
    others: list[tuple[int, str]],
    staff_names: set[str],
    number: int | None,
    label: str,
) -> Mapping[str, str]:
    """Return by folded name the label of a name that others have too, such as "Player 7/9"."""
    found = {}
    for name in names:
        same = sorted(n for n, other in others if folded(other) == folded(name))
        if number is not None and same:
            found[folded(name)] = f"{label}/{'/'.join(map(str, same))}"
        elif same or folded(name) in {folded(other) for other in staff_names}:
            found[folded(name)] = name if number is None else label
    return found


def _names_in_log(event: Event, number: int, entry: Entry | None) -> Iterator[str]:
    """Yield present and former names of a player in the log; one query.

    The number of a removed player may be reused, so lines before the entry was registered are
    about another player.
    """
    lines = LogLine.objects.filter(event=event, action__startswith="entry.")
    if entry is not None:
        lines = lines.filter(at__gte=entry.registered_at)
    for action, before, after in lines.values_list("action", "before", "after"):
        if action == PASTED:
            pairs = zip(after.get("numbers", []), after.get("players", []), strict=False)
            yield from (str(name) for known, name in pairs if known == number)
        for values in (before, after):
            if values.get("number") == number and values.get("name"):
                yield str(values["name"])


def _names_on_staff(event: Event, user: User) -> Iterator[str]:
    """Yield the names in log lines about roles of an account; two queries."""
    numbers = event.log.filter(action__startswith="staff.").values("number")
    kept = KeptRows.objects.filter(event=event, line__in=numbers)
    lines = [one.line for one in kept if user.pk in _users_in(one.rows)]
    yield from LogLine.objects.filter(
        event=event, number__in=lines, action__startswith="staff."
    ).values_list("subject", flat=True)


def _users_in(rows: Mapping[str, Any]) -> set[int]:
    sides = (rows.get("added", {}), rows.get("removed", {}))
    return {row["user_id"] for part in sides for row in part.get("StaffRole", {}).values()}


def is_identifiable(entry: Entry) -> bool:
    """Return whether an entry still identifies a person; at most one query."""
    is_named = entry.name != label_of_player(entry.number) or bool(entry.club)
    return is_named or entry.user_id is not None or entry.links.exists()
