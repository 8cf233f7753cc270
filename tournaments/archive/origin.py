"""Where an archive comes from, as far as its log's keys tell."""

import logging
from itertools import chain

from accounts.models import User
from rules.events.ledger import Ledger
from tournaments.chain.addresses import continues, heads_at
from tournaments.chain.keys import own_keys, signer_of
from tournaments.models import Event, LogLine, Restoration
from tournaments.verification.chain import check_chain, lines_of
from tournaments.verification.files import Files
from tournaments.verification.ledger import check_ledger, replay
from tournaments.verification.signatures import check_signatures

logger = logging.getLogger(__name__)


def note_restoration(event: Event, *, by: User | None, size: int = 0) -> Restoration:
    """Store that an event came with an archive, from where, and whether it continues its address.

    ``size`` is that of the archive in bytes.
    To be called before the log is chained here. Three queries; raises what a malformed log causes.
    """
    lines = lines_of(event)
    return Restoration.objects.create(
        event=event,
        by=by,
        version=event.version,
        size=size,
        origin=_origin(event, lines),
        continues=_continues_deleted_log(event, lines),
    )


def _origin(event: Event, lines: list[LogLine]) -> Restoration.Origin:
    """Return whether an archive comes from this site, from another one, or from an unknown one.

    The keys that signed its log decide. It counts as this site's only if its chain is intact, began
    with the event, and agrees with the rows.
    """
    files = Files(keys=own_keys())
    if {signer_of(line.signature) for line in lines} - {"", *files.keys}:
        return Restoration.Origin.ANOTHER_SITE
    begun = any(line.facts.get("begun") for line in lines)
    ledger = Ledger()
    findings = chain(
        check_chain(event, lines, files),
        check_signatures(event, lines, files),
        replay(ledger, lines),  # fills the ledger
        check_ledger(event, ledger),
    )
    own = bool(lines) and not begun and not any(findings)
    return Restoration.Origin.THIS_SITE if own else Restoration.Origin.UNKNOWN


def _continues_deleted_log(event: Event, lines: list[LogLine]) -> bool:
    """Return whether the log continues that of the event deleted at its address, if there was one.

    True if the file of the address can't be read, which ``verify`` reports.
    """
    try:
        heads = heads_at(event.slug)
    except (OSError, ValueError) as fault:
        logger.warning("The heads at %s can't be read: %s", event.slug, fault)
        return True  # ``verify`` names the file
    return continues(heads, {line.number: line.digest for line in lines})
