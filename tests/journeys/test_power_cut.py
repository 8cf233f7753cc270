"""A power cut in the middle of a round: the server is killed and begins again, minutes later.

The minutes pass in what the site has stored (its clock and the file beside its database), not here.
"""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.forked_commands import nursery
from tests.journeys.browser import DESK, UNPLUGGED
from tests.journeys.steps import follow
from tests.journeys.wire import ServerProcess

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[2]
BEFORE, AWAY = 3, 12
"""Minutes that were played before the power went, and that it was away."""
FORMER, NOW = "http://192.168.1.20:8000", "http://192.168.7.20:8000"

SETUP = """
import json
from tests import factories as make
by = make.organiser()
event = make.started(by, 4, starts_at=make.EVENT["starts_at"])
make.next_round(event, by)
print(json.dumps({"slug": event.slug, "email": by.user.email}))
"""
MINUTES_LATER = f"""
from datetime import timedelta
from tournaments.models import RoundClock
row = RoundClock.objects.get()
row.since -= timedelta(minutes={BEFORE + AWAY})
row.ticks -= 60 * {BEFORE + AWAY}
row.save()
"""


@pytest.fixture
def begun(server_process: ServerProcess, open_page, watch) -> tuple[Page, str]:
    """Return the organiser's desk of a round with its clock running, and the event's address."""
    watch.allow += UNPLUGGED
    made = nursery().run(["-c", SETUP], server_process.database)
    assert made.returncode == 0, made.stderr
    given = json.loads(made.stdout.splitlines()[-1])
    page: Page = open_page(DESK, base_url=server_process.url)
    page.goto("/accounts/login/")
    page.fill("[name=login]", given["email"])
    page.fill("[name=password]", "girone-test")
    follow(page.locator("main form [type=submit]").first)
    page.goto(f"/events/{given['slug']}/desk/")
    follow(page.locator("#desk-clock").get_by_role("button", name="Start the timer"))
    return page, f"/events/{given['slug']}/"


def cut(server: ServerProcess, **changed: object) -> None:
    """Kill the server, let the minutes pass in what it has stored, and start it again."""
    server.kill()
    later = nursery().run(["-c", MINUTES_LATER], server.database)
    assert later.returncode == 0, later.stderr
    file = Path(f"{server.database}.alive")
    kept = json.loads(file.read_text())
    file.write_text(json.dumps(kept | {"at": time.time() - 60 * AWAY} | changed))
    server.start()


def test_the_desk_gives_back_the_minutes_of_a_power_cut(server_process, begun) -> None:
    desk, event = begun
    face = desk.locator("#desk-clock .clock-face")
    offered = f"Add {AWAY} min to round 1"
    offer = desk.get_by_role("button", name=offered)
    expect(offer).to_have_count(0)
    cut(server_process)
    desk.goto(f"{event}desk/")
    expect(face).to_have_text(_between(50 - BEFORE - AWAY))
    expect(offer).to_be_in_viewport(ratio=1)
    expect(desk.locator(".desk-bar").get_by_role("button", name=offered)).to_have_count(0)
    follow(offer)
    expect(face).to_have_text(_between(50 - BEFORE))
    expect(offer).to_have_count(0)
    acts = desk.locator(".last-acts")
    expect(acts).to_contain_text("Add time for everybody")
    follow(acts.get_by_role("button", name="Undo"))
    expect(face).to_have_text(_between(50 - BEFORE - AWAY))
    expect(offer).to_be_visible()
    assert not list(ROOT.glob("nowhere*"))


def test_a_laptop_with_another_address_offers_new_sheets(server_process, begun) -> None:
    desk, event = begun
    server_process.address = NOW
    cut(server_process, address=FORMER)
    desk.goto(f"{event}desk/")
    warning = desk.locator("main .notice", has_text="address has changed")
    expect(warning).to_contain_text("192.168.1.20:8000")
    follow(warning.get_by_role("link", name="Print the sheets"))
    expect(desk).to_have_url(f"{server_process.url}{event}print/")


def _between(minutes: int) -> re.Pattern[str]:
    """Return a pattern of what the clock shows with these minutes left, or some seconds less."""
    return re.compile(rf"^({minutes}:00|{minutes - 1}:\d\d|{minutes - 2}:[345]\d)$")
