"""Check of the signatures of log lines, by the keys that are known here."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.chain.keys import is_signed, signer_of
from tournaments.models import Event, LogLine
from tournaments.verification.files import Files
from tournaments.verification.finding import Finding

UNKNOWN_KEY = "unknown_key"
"""Check name of the one finding about lines that are signed with keys not known here."""


def check_signatures(event: Event, lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield each line with a wrong signature, and once those whose key is unknown here."""
    for line in lines:
        if is_wrong(line.number, line.digest, line.signature, files):
            words = _("Line %(line)s of the log (%(action)s): the signature is not this site's.")
            yield Finding("signature", words % {"line": line.number, "action": line.action})
    _lost, unknown = foreign_lines(lines, files)
    if unknown:
        words = _(
            "Lines %(first)s to %(last)s (%(count)s) are signed with a key that this site does "
            "not know (%(keys)s), so they can't be checked. Accept the key of the site that wrote "
            "them: manage.py accept_key FILE; if it is lost: manage.py accept_key --lost %(slug)s."
        )
        yield Finding(UNKNOWN_KEY, words % (_range_values(unknown) | {"slug": event.slug}))


def signature_notes(lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield the lines of which the operator has recorded that their key is lost."""
    lost, _unknown = foreign_lines(lines, files)
    if lost:
        words = _(
            "Lines %(first)s to %(last)s (%(count)s) are signed with a key that is lost "
            "(%(keys)s): they can't be checked, and the operator has accepted that."
        )
        yield Finding("signature", words % _range_values(lost))


def foreign_lines(lines: Sequence[LogLine], files: Files) -> tuple[list[LogLine], list[LogLine]]:
    """Return the lines signed with a lost key, and those with a key that is unknown here."""
    until = max((line.number for line in lines if line.digest in files.lost), default=0)
    foreign = [line for line in lines if _is_foreign(line.signature, files)]
    lost = [line for line in foreign if line.number <= until]
    return lost, [line for line in foreign if line.number > until]


def is_wrong(number: int, digest: str, signature: str, files: Files) -> bool:
    """Return whether there is no signature, or one that a known key did not make."""
    known = is_signed(number, digest, signature, files.keys)
    return not (known or _is_foreign(signature, files))


def _is_foreign(signature: str, files: Files) -> bool:
    signer = signer_of(signature)
    return bool(signer) and signer not in files.keys


def _range_values(lines: Sequence[LogLine]) -> dict[str, object]:
    names = sorted({signer_of(line.signature) for line in lines})
    shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return {
        "first": lines[0].number,
        "last": lines[-1].number,
        "count": len(lines),
        "keys": shown,
    }
