"""What the files beside the database say of an event."""

from dataclasses import dataclass, field

from tournaments.chain.accepted import lost_lines
from tournaments.chain.addresses import heads_at
from tournaments.chain.heads import Head, kept_head
from tournaments.chain.keys import Keys, known_keys, own_keys
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Content of the head file (None without a file), or why the files can't be read.

    ``deleted`` are the heads of events that were deleted at the same address; ``keys`` those by
    which signatures can be checked, ``lost`` the digests of lines up to which they are not.
    """

    head: Head | None = None
    fault: str = ""
    deleted: list[Head] = field(default_factory=list)
    keys: Keys = field(default_factory=dict)
    lost: frozenset[str] = frozenset()


def read_files(event: Event) -> Files:
    """Read the files beside the database; no query.

    To be called before the log is read: the head is written after the commit, so only then does
    one that is ahead of the log mean that lines are missing.
    """
    try:
        return Files(
            head=kept_head(event),
            deleted=heads_at(event.slug),
            keys=known_keys(),
            lost=lost_lines(),
        )
    except (OSError, ValueError) as fault:
        return Files(fault=str(fault), keys=own_keys())
