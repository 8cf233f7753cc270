"""Transcripts kept as files, changing them, and the program of the docs that computes their draws.

``tests/golden/transcripts`` holds those of honest events as they were written on 23 November 2026:
each shipped formula of then, lives in which acts were taken back, done again and thrown away, and
an event that was finished before there were chains.
"""

import importlib.util
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHECK_DRAWS = ROOT / "docs" / "check_draws.py"
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
    spec = importlib.util.spec_from_file_location("check_draws", CHECK_DRAWS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def draws_of(document: Json) -> dict[str, str]:
    """Return what the program says is right of each draw and Swiss round of a transcript."""
    found = list(program().check(json.loads(json.dumps(document))))
    assert not any(wrong for _what, wrong, _words in found), found
    return {what: words for what, _wrong, words in found}


def faults_in(document: Json) -> dict[str, str]:
    """Return what the program finds wrong, by the draw or round."""
    found = program().check(json.loads(json.dumps(document)))
    return {what: wrong for what, wrong, _words in found if wrong}


def told(document: Json, kind: str) -> Iterator[tuple[Json, str, Json]]:
    """Yield line, place and row of whatever the log tells of a kind, such as "match"."""
    for line in document["log"]["lines"]:
        for place, row in line["facts"].get("rows", {}).items():
            if row and place.split("/")[-2:][0] == kind:
                yield line, place, row
