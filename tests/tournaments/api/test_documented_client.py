"""The program in the documentation plays the event that it says it plays."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from knox.models import AuthToken

from tests import factories as make
from tournaments.models import Event
from tournaments.verification.event import verify_event

DOCS = Path(__file__).resolve().parents[3] / "docs" / "api.md"


@pytest.mark.django_db(transaction=True)
def test_the_client_in_the_docs_plays_a_whole_event(live_server):
    (program,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(program.splitlines()) <= 15
    token = AuthToken.objects.create(user=make.user())[1]
    environment = {**os.environ, "SITE": live_server.url, "TOKEN": token}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    ranking = json.loads(ran.stdout)
    assert sorted(row["number"] for row in ranking) == list(range(1, 17))
    assert ranking[0]["rank"] == 1
    event = Event.objects.get()
    assert all(stage.state == "closed" for stage in event.stages.all())
    assert list(verify_event(event)) == []
