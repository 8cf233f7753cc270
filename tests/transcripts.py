"""Transcripts kept as files, forging them, and the program of the docs that checks them.

``tests/golden/transcripts`` holds those of honest events as they were written on 23 November 2026,
before acts declared what they write: each shipped formula, lives in which acts were taken back,
done again and thrown away, and an event that was finished before there were chains.
"""

import contextlib
import hashlib
import importlib.util
import io
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FOLDER = Path(__file__).resolve().parent / "golden" / "transcripts"
Json = dict[str, Any]


def golden_names() -> list[str]:
    """Return the names of all kept transcripts."""
    return sorted(path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.json.xz"))


def golden(name: str) -> Json:
    """Return a kept transcript, read anew: it may be changed."""
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


@cache
def program() -> Any:
    """Return the program of the docs as a module."""
    spec = importlib.util.spec_from_file_location("check_transcript", DOCS / "check_transcript.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(path: Path, document: Json, *more: str) -> tuple[int, str]:
    """Write a document to a path and have the program check it; return its exit and its words."""
    path.write_text(json.dumps(document))
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(said):
        code = program().main([str(path), *more])
    said.seek(0)
    return code, said.read()


def chained_anew(document: Json) -> Json:
    """Compute digests and rows of a changed document again, as a forger does; return it."""
    before, rows = document["log"]["before"], {}
    for line in document["log"]["lines"]:
        content = {key: line[key] for key in line if key not in ("digest", "signature")}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = line["digest"] = hashlib.sha256((before + text).encode()).hexdigest()
        gone = [""] if line["facts"].get("whole") else line["facts"].get("gone", [])
        for place in [p for p in rows if any(f"{p}/".startswith(f"{g}/" * bool(g)) for g in gone)]:
            del rows[place]
        rows |= line["facts"].get("rows", {})
    document["rows"] = rows
    return document


def lines_of(document: Json, action: str) -> list[Json]:
    """Return the lines of an act."""
    return [line for line in document["log"]["lines"] if line["action"] == action]


def told(document: Json, kind: str) -> Iterator[tuple[Json, str, Json]]:
    """Yield line, place and row of whatever the log tells of a kind, such as "match"."""
    for line in document["log"]["lines"]:
        for place, row in line["facts"].get("rows", {}).items():
            if row and place.split("/")[-2:][0] == kind:
                yield line, place, row
