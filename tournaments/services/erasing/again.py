"""The list of erasures applied to what a backup or an archive has brought back."""

from accounts.models import User
from config import transaction
from tournaments.core.permissions import Actor
from tournaments.log.services import locked
from tournaments.models import ErasedAccount, ErasedPlayer, Event
from tournaments.services.erasing import people
from tournaments.services.erasing.erase import erase_everywhere, take_out
from tournaments.services.erasing.listed import hashes_of, take_in_file


@transaction.atomic
def apply_erasures(event: Event | None = None, *, archived_as: str = "") -> int:
    """Erase again whoever is on the list; return how many were there.

    Without ``event`` in the whole database, as a restored backup needs; with one in an event just
    restored from an archive, whose slug in the archive was ``archived_as``. Nobody is erased who
    came after the erasure: a number or an address that is somebody else's by now.
    """
    take_in_file()
    players = ErasedPlayer.objects.all()
    if event is not None:
        players = players.filter(slug=archived_as or event.slug, made=event.created_at)
    found = sum(_again(row, event) for row in players)
    return found if event is not None else found + _accounts_again()


def _again(row: ErasedPlayer, event: Event | None) -> int:
    there = event or Event.objects.filter(slug=row.slug, created_at=row.made).first()
    if there is None:
        return 0
    there = locked(there)
    person = people.player(there, row.number)
    if person.entry is not None and person.entry.registered_at > row.at:
        return 0
    return int(take_out(person, by=Actor()))


def _accounts_again() -> int:
    erased = dict(ErasedAccount.objects.values_list("address_hash", "at"))
    if not erased:
        return 0
    found = 0
    for user in User.objects.iterator(chunk_size=500):
        moments = [erased[one] for one in hashes_of(user.email) if one in erased]
        if moments and user.date_joined <= max(moments):
            erase_everywhere(user, listed=False)
            found += 1
    return found
