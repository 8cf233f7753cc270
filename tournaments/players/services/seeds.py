"""Set seed positions, one or all."""

from collections.abc import Mapping, Sequence

from config import transaction
from rules.errors import BadInput
from rules.results import PlayerId
from tournaments.core.permissions import Actor
from tournaments.log.services import begin_act
from tournaments.models import Entry, Event
from tournaments.players.acts import SEEDS_CHANGED
from tournaments.undo.services import undoable

LARGEST_SEED = 10_000


@transaction.atomic
def change_seeds(*, event: Event, seeds: Mapping[int, str], by: Actor) -> None:
    """Set seed positions before the start: {player number: typed text}.

    "" removes a position; unknown players are ignored. Nothing is stored if one is invalid or used
    twice: raises BadInput ``bad_seed``.
    """
    event = begin_act(event, SEEDS_CHANGED, by=by)
    entries = {entry.number: entry for entry in event.entries.all()}
    read: dict[PlayerId, int | None] = {
        number: _read_seed(text) for number, text in seeds.items() if number in entries
    }
    wanted = merge_seeds({number: entry.seed for number, entry in entries.items()}, read)
    changed = [entry for number, entry in entries.items() if entry.seed != wanted[number]]
    if not changed:
        return
    with undoable(
        event,
        SEEDS_CHANGED,
        (Entry,),
        by=by,
        subject=str(len(changed)),
        before={entry.name: entry.seed for entry in changed},
        after={entry.name: wanted[entry.number] for entry in changed},
    ):
        store_seeds(changed, wanted)


def merge_seeds(
    now: Mapping[PlayerId, int | None], changed: Mapping[PlayerId, int | None]
) -> dict[PlayerId, int | None]:
    """Return {player number: seed position} with the changed positions applied.

    ``now`` are the present ones. Raises BadInput ``bad_seed`` for one used twice.
    """
    wanted = dict(now) | {number: seed for number, seed in changed.items() if number in now}
    given = [seed for seed in wanted.values() if seed is not None]
    if len(set(given)) != len(given):
        raise BadInput("bad_seed", "Two players have the same number.")
    return wanted


def store_seeds(entries: Sequence[Entry], wanted: Mapping[PlayerId, int | None]) -> None:
    """Store new seed positions of entries; ``wanted`` is {player number: position}."""
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(seed=None)
    for entry in entries:
        entry.seed = wanted[entry.number]
    Entry.objects.bulk_update(entries, ["seed"], batch_size=200)


def set_seed(entry: Entry, seed: int | None) -> None:
    """Set a player's seed position, None to remove it.

    Raises BadInput ``bad_seed``, ``seed_taken``.
    """
    if seed is not None and not 1 <= seed <= LARGEST_SEED:
        raise BadInput(
            "bad_seed",
            "Enter a whole number from %(least)s to %(most)s.",
            least=1,
            most=LARGEST_SEED,
        )
    if seed is not None:
        taken = Entry.objects.filter(event_id=entry.event_id, seed=seed).exclude(pk=entry.pk)
        if taken.exists():
            raise BadInput(
                "seed_taken",
                "%(name)s already has seed position %(seed)s.",
                seed=seed,
                name=taken.get().name,
            )
    entry.seed = seed
    entry.save(update_fields=["seed"])


def _read_seed(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LARGEST_SEED):
        raise BadInput(
            "bad_seed",
            "Enter a whole number from %(least)s to %(most)s.",
            least=1,
            most=LARGEST_SEED,
        )
    return int(text)
