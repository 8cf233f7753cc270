"""The clock of a round on two screens, one half an hour wrong, and a server that restarts.

Safety notes, F15 and F30.
"""

import json
import re
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.forked_commands import nursery
from tests.journeys.browser import DESK, PATIENCE, PHONE, UNPLUGGED
from tests.journeys.clocked import nearly_over, prepared
from tests.journeys.steps import follow, hurry
from tests.journeys.wire import ServerProcess
from tests.servers.running import until

pytestmark = pytest.mark.deep

# For the site that is a process of its own.
SETUP = """
import json
from tests.forked_commands import nursery
from tests.journeys.clocked import prepared
print(json.dumps(prepared()))
"""
WRONG = timedelta(minutes=30)
FACES = "document.querySelector('.my-match .clock-face, #desk-clock .clock-face').textContent"

DESK_FACE = "document.querySelector('#desk-clock .clock-face').textContent"


class Screens:
    """The desk of a judge, and the phone of the player at table 1 with a wrong clock."""

    def __init__(self, url: str, given: dict[str, Any], open_page) -> None:
        self.looked = (0.0, 0.0)
        self.given = given
        self.desk: Page = open_page(DESK, base_url=url)
        self.phone: Page = open_page(PHONE, base_url=url)
        self.phone.clock.install(time=datetime.now() + WRONG)  # noqa: DTZ005 - the phone's own
        self.desk.goto("/accounts/login/")
        self.desk.fill("[name=login]", self.given["judge"])
        self.desk.fill("[name=password]", "girone-test")
        follow(self.desk.locator("main form [type=submit]").first)
        self.open()
        self.phone.goto(f"/p/{self.given['token']}/")

    def open(self) -> None:
        """Open the desk."""
        self.desk.goto(f"/events/{self.given['slug']}/desk/")

    def press(self, button: str) -> None:
        """Press a button of the clock."""
        follow(self.desk.locator("#desk-clock").get_by_role("button", name=button))

    def seconds(self) -> tuple[float, float]:
        """Return what the desk and the phone show, in seconds, at nearly the same moment."""
        begun = time.monotonic()
        shown = [seconds(page.evaluate(FACES)) for page in (self.desk, self.phone)]
        self.looked = (begun, time.monotonic())
        return shown[0], shown[1]

    def runs_since(self, pressed: tuple[float, float], full: float, shown: float) -> bool:
        """Say whether what was seen last is right for a clock that began at a press.

        Press and look are spans: the machine may do something else in between.
        """
        most = full - (self.looked[0] - pressed[1])
        least = full - (self.looked[1] - pressed[0])
        return least - 2 <= shown <= most + 2


def seconds(face: str) -> float:
    """Return the seconds of "49:07"; negative for "+0:12"."""
    minutes, rest = re.fullmatch(r"\+?(\d+):(\d\d)", face).groups()
    return (int(minutes) * 60 + int(rest)) * (-1 if face.startswith("+") else 1)


@pytest.fixture
def screens(transactional_db, live_server, open_page) -> Screens:
    return Screens(live_server.url, prepared(), open_page)


def same(screens: Screens, more: int = 0, within: float = PATIENCE / 1000) -> float:
    """Poll until the phone shows what the desk shows and ``more`` seconds; return the desk's."""
    end = time.monotonic() + within
    hurry(screens.phone)
    while True:
        desk, phone = screens.seconds()
        if abs(phone - more - desk) <= 1:
            return desk
        assert time.monotonic() < end, (desk, phone)
        screens.phone.wait_for_timeout(100)


@pytest.mark.deep
def test_both_screens_show_the_same(server_process: ServerProcess, open_page, watch):
    watch.allow += UNPLUGGED
    made = nursery().run(["-c", SETUP], server_process.database)
    assert made.returncode == 0, made.stderr
    screens = Screens(server_process.url, json.loads(made.stdout.splitlines()[-1]), open_page)
    desk, phone = screens.desk, screens.phone
    expect(phone.locator(".my-match .clock-face")).to_have_text("50:00")
    shift = phone.evaluate("Date.now()") / 1000 - time.time()
    assert abs(shift - WRONG.total_seconds()) < 60
    begun = time.monotonic()
    screens.press("Start the timer")
    pressed = (begun, time.monotonic())
    hurry(phone)
    expect(phone.locator("#said")).to_have_text("Il timer è avviato.")
    face = desk.locator("#desk-clock .clock-face")
    for _look in range(3):
        until(lambda: screens.runs_since(pressed, 3000, same(screens)))
        expect(face).not_to_have_text(face.text_content() or "")
    assert same(screens) < 2999

    screens.press("Pause the timer")
    hurry(phone)
    expect(phone.locator(".my-match .clock-note")).to_have_text("Il timer è in pausa.")
    stopped = same(screens)
    desk.wait_for_timeout(2000)  # a clock that stands is seen only by looking again
    assert same(screens) == stopped
    screens.press("Resume the timer")
    same(screens)

    desk.goto(f"/events/{screens.given['slug']}/matches/{screens.given['match']}/")
    desk.get_by_label("Reason").first.fill("Chiamata lunga")
    follow(desk.get_by_role("button", name="Extra time"))
    screens.open()
    hurry(phone)
    expect(phone.locator("[data-clock]")).to_have_attribute("data-extra", "5")
    same(screens, more=300)
    own = "document.querySelector('tr[data-table=\"1\"] .clock-own').textContent"
    until(lambda: abs(seconds(desk.evaluate(own)) - screens.seconds()[1]) <= 1)

    before, at = screens.seconds()[0], screens.looked
    server_process.kill()
    server_process.start()
    assert server_process.seconds_of_work() < 20
    for page in (desk, phone):
        page.reload()
    hurry(desk)  # what a cold server wrote on a busy machine may be seconds old when it arrives
    until(lambda: screens.runs_since(at, before, same(screens, more=300)))
    assert "50:" not in (phone.locator("#said").text_content() or "")


def test_a_page_that_was_put_away_is_right_when_it_comes_back(screens):
    phone = screens.phone
    screens.press("Start the timer")
    same(screens)
    phone.goto(f"/events/{screens.given['slug']}/standings/")
    screens.press("Pause the timer")
    phone.go_back()
    expect(phone.locator(".my-match .clock-note")).to_have_text("Il timer è in pausa.")
    same(screens)


@pytest.mark.deep
def test_time_is_up_in_the_words_of_the_game(screens):
    desk, phone = screens.desk, screens.phone
    screens.press("Start the timer")
    same(screens)
    for left in (8, 30, 90):  # a page that hears of it after the end would say nothing
        nearly_over(left)
        hurry(desk)
        until(lambda: not re.match(r"[1-9]\d+:", desk.evaluate(DESK_FACE)))
        if not desk.evaluate(DESK_FACE).startswith("+"):
            break
    up = "Time is up: play to the end of the second"
    expect(desk.locator("#said")).to_contain_text(up)
    expect(desk.locator("#desk-clock .clock")).to_have_class(re.compile("bad"))
    expect(desk.locator("#desk-clock .clock-face")).to_have_text(re.compile(r"^\+0:\d\d$"))
    hurry(phone)
    expect(phone.locator(".my-match .clock-note")).to_contain_text("Tempo")
    same(screens)


def test_without_scripts_the_page_says_until_when(screens, live_server, open_page):
    screens.press("Start the timer")
    plain = open_page(DESK, base_url=live_server.url, java_script_enabled=False)
    plain.goto(f"/events/{screens.given['slug']}/pairings/")
    expect(plain.locator(".clock")).to_contain_text(re.compile(r"Ends at: \d\d:\d\d"))
    expect(plain.locator(".clock-face")).to_be_hidden()


@pytest.mark.deep
def test_a_call_from_the_phone_reaches_the_desk_by_itself(screens):
    desk, phone = screens.desk, screens.phone
    phone.locator(".call-judge summary").tap()
    phone.locator("#call-reason").fill("Carta dubbia")
    with phone.expect_navigation():
        phone.locator(".call-judge > button").tap()
    expect(desk.locator("#desk-calls")).to_contain_text("Carta dubbia")
    follow(desk.locator("#desk-calls").get_by_role("button", name="On my way"))
    hurry(phone)
    expect(phone.locator(".my-match")).to_contain_text("Arriva un giudice.")
    follow(desk.locator("#desk-calls").get_by_role("button", name="Resolved"))
    hurry(phone)
    expect(phone.locator(".call-judge")).to_be_visible()
    desk.locator(".announce summary").click()
    desk.get_by_label("Announcement").fill("Pausa alle 12")
    follow(desk.get_by_role("button", name="Announce", exact=True))
    hurry(phone)
    expect(phone.locator("#said")).to_have_text("Pausa alle 12")
    expect(phone.locator(".announcement")).to_be_visible()
