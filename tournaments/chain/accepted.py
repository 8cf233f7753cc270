"""What the site's operator has accepted of other sites: their keys, and that a key is lost.

A file of keys, as ``manage.py line_key`` writes it, is ``{"girone_line_keys": {name: hex}}``. Each
is kept in ``keys/NAME.json`` in that form. ``lost/DIGEST.json`` names the line up to which the
signatures of an event can't be checked any more; its digest holds for all lines before.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rules.errors import BadInput
from rules.events.log_chain import key_name
from tournaments.chain.files import KEYS, LOST, heads_folder, locked_folder, read_json, write_json

FORM = "girone_line_keys"
LENGTH = 32
"""Bytes of a key."""


def key_file(keys: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    """Return the content of a file of keys as JSON: keys in hexadecimal by name."""
    return {FORM: {name: key.hex() for name, key in keys.items()}}


def accepted_keys() -> dict[str, bytes]:
    """Return the accepted keys by name. Files that hold no key are left out. Raises OSError."""
    found: dict[str, bytes] = {}
    for path in sorted(heads_folder().glob(f"{KEYS}/*.json")):
        try:
            found |= _keys(read_json(path))
        except ValueError:
            continue
    return found


def accept_keys(content: str) -> list[str]:
    """Add the keys of a file of keys to those accepted; return their names."""
    try:
        keys = _keys(json.loads(content))
    except (ValueError, RecursionError):
        keys = {}
    if not keys:
        raise BadInput(
            "bad_key",
            "This is not a key of log lines. Nothing was stored: take the whole file that "
            "`manage.py line_key` wrote on the other site.",
        )
    with locked_folder() as folder:
        for name, key in keys.items():
            write_json(folder / KEYS / f"{name}.json", key_file({name: key}))
    return list(keys)


def lost_lines() -> frozenset[str]:
    """Return the digests of the lines up to which signatures are accepted unchecked."""
    return frozenset(path.stem for path in heads_folder().glob(f"{LOST}/*.json"))


def accept_loss(slug: str, *, number: int, digest: str, keys: Iterable[str]) -> None:
    """Record that the signatures of an event's lines up to one can't be checked. Raises OSError."""
    row = {"event": slug, "number": number, "digest": digest, "keys": sorted(keys)}
    with locked_folder() as folder:
        write_json(folder / LOST / f"{digest}.json", row)


def _keys(found: Any) -> dict[str, bytes]:
    """Return the keys in a file's content. Raises ValueError."""
    stored = found.get(FORM) if isinstance(found, dict) else None
    if not isinstance(stored, dict) or not all(isinstance(key, str) for key in stored.values()):
        raise ValueError(FORM)
    keys = {name: bytes.fromhex(key) for name, key in stored.items()}
    if any(len(key) != LENGTH or key_name(key) != name for name, key in keys.items()):
        raise ValueError(FORM)
    return keys
