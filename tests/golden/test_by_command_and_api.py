"""Every golden table through ``rank FILE --json`` and through POST /api/v1/rank/.

Both answer what the rules answer, which the other modules hold against the golden files.
"""

import io
import json
from itertools import groupby
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from tests.golden.cases import CASES, Case

BY_CASE = {case: tuple(found) for case, found in groupby(CASES, key=lambda asked: asked.case)}
EVERY = pytest.mark.parametrize("questions", BY_CASE.values(), ids=BY_CASE)
COVERS = {(layer, case) for layer in ("commands", "api") for case in BY_CASE}


@EVERY
def test_by_the_command(questions: tuple[Case, ...], tmp_path: Path) -> None:
    for asked in questions:
        file, out = tmp_path / "results.json", io.StringIO()
        file.write_text(json.dumps(asked.sent), encoding="utf-8")
        call_command("rank", str(file), "--json", stdout=out)
        asked.check(json.loads(out.getvalue()))


@EVERY
def test_by_the_api(questions: tuple[Case, ...], client: Client) -> None:
    for asked in questions:
        body = json.dumps(asked.sent)
        answer = client.post("/api/v1/rank/", body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        asked.check(answer.json())
