"""What people do on the site, step by step, as the journeys need it.

Everything here goes through a page in a browser: words and labels are those that a reader of the
English pages sees, players' phones are in Italian and are found by the names of their fields.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from tests.journeys.browser import PATIENCE

Score = tuple[int, int]
PASSWORD = "sala-grande-9"
ADD = re.compile(r"Add \(\d+\)")
"""The button that adds the names of a list."""


def follow(control: Locator) -> None:
    """Click a link or a button that leads to another page, and wait until that page is there.

    A click alone returns before the answer has come: what is read next might be the old page.
    """
    with control.page.expect_navigation():
        control.click()


def hurry(page: Page) -> None:
    """Let a page ask for news now, as after a lost connection, not in some seconds by itself."""
    page.evaluate("window.dispatchEvent(new Event('online'))")


def catch_up(page: Page) -> None:
    """Let a page ask until it is told that nothing is new: what is there is not exchanged again."""
    status = 0
    while status != 304:
        with page.expect_response(lambda each: "hx-request" in each.request.headers) as answer:
            hurry(page)
        status = answer.value.status


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what no page shows."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)


def unsent(page: Page) -> int:
    return page.evaluate(
        """() => Object.keys(localStorage).filter(key => /^girone-desk-\\d+-\\d+$/.test(key))
             .map(key => JSON.parse(localStorage[key]).length).reduce((a, b) => a + b, 0)"""
    )


def all_sent(page: Page) -> None:
    """Wait until nothing is unsent: news may show a result before its own answer has come."""
    wait_until(page, lambda: unsent(page) == 0)


# --- Accounts and the event --------------------------------------------------------------
def sign_up(page: Page, name: str, email: str) -> None:
    """Make an account and be signed in."""
    page.goto("/accounts/signup/")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("E-mail").or_(page.get_by_label("Email")).fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def open_setting(page: Page, key: str) -> None:
    """Open a setting of an event, which shows its value."""
    page.locator(f"#chip-{key} > summary").click()


def new_event(page: Page, game: str, name: str, *, format_name: str = "") -> str:
    """Make an event of a game in one form; return its slug."""
    page.goto("/")
    page.get_by_role("link", name="New event").click()
    follow(page.locator(".game-chips").get_by_role("link", name=game))
    if format_name:
        follow(page.locator(".format-chips").get_by_role("link", name=format_name))
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Date and time").fill("2027-05-08T10:00")
    page.get_by_label("Venue").fill("Sala della Luna")
    return made(page)


def made(page: Page) -> str:
    """Create the event of the open form; return its slug."""
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url(re.compile("/manage/players/$"))
    return page.url.split("/")[-4]


def typed_game(page: Page, game: str) -> None:
    """Type the name of a game and press Enter, on the page of a new event."""
    expect(page.locator("#id_game_typed")).to_be_focused()
    page.keyboard.type(game)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def on_first_screen(page: Page) -> None:
    """Assert that everything of a new event is on the first screen, and nothing is hidden."""
    page.evaluate("scrollTo(0, 0)")
    height = page.evaluate("innerHeight")
    act = page.get_by_role("button", name="Create the event")
    seen = (page.locator(".games"), page.locator(".ways"), page.locator(".setting-chips"), act)
    bottoms = []
    for part in (*seen[:2], page.locator(".first-fields"), *seen[2:]):
        box = part.bounding_box()
        assert box is not None
        assert not bottoms or box["y"] >= bottoms[-1] - 1
        bottoms.append(box["y"] + box["height"])
    assert bottoms[-1] <= height
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def paste_players(page: Page, slug: str, names: Sequence[str]) -> None:
    """Paste names, look them over, add them."""
    page.goto(f"/events/{slug}/manage/players/")
    page.get_by_label("Players, one per line").fill("\n".join(names))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#pasted-people")).to_contain_text(names[-1])
    page.get_by_role("button", name=ADD).click()
    expect(page.locator("#messages")).to_contain_text(f"Players added: {len(names)}")


def personal_link(page: Page, slug: str, number: int) -> str:
    """Make a player's personal link, the only one that works from now on; return its address."""
    page.goto(f"/events/{slug}/manage/players/{number}/")
    make = page.get_by_role("button", name="Create a link")
    if page.get_by_role("button", name="Revoke the link").count():
        make.click()
        make = page.locator("#confirm-dialog").get_by_role("button", name="Create a link")
    follow(make)
    return page.get_by_label("Personal link").input_value()


def hand_in(page: Page, slug: str, number: int, text: str) -> None:
    """Hand a player's list in as the organiser."""
    page.goto(f"/events/{slug}/manage/players/{number}/decklist/")
    page.get_by_label("Decklist", exact=True).fill(text)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("Saved")


# --- The desk ----------------------------------------------------------------------------
@dataclass(frozen=True)
class Table:
    """A table that waits for its result."""

    number: int
    match: str
    a: str
    b: str


@dataclass
class Desk:
    """The desk of an event in one window; ``entered`` keeps what the journey has typed."""

    page: Page
    slug: str
    entered: dict[tuple[int, int], tuple[str, str, Score]] = field(default_factory=dict)

    def open(self) -> None:
        """Open the desk."""
        self.page.goto(f"/events/{self.slug}/desk/")

    @property
    def round(self) -> int:
        """Return the number of the round that is shown."""
        return int(self.page.locator("#desk").get_attribute("data-round") or 0)

    def prepare(self) -> None:
        """Make the next round, if it was not made with the closing; its draft is shown."""
        draft = self.page.get_by_role("button", name=re.compile(r"^Publish "))
        if not draft.count():
            self.page.get_by_role("button", name=re.compile(r"^Prepare ")).click()
        expect(draft).to_be_visible()

    def publish(self) -> None:
        """Publish the draft that is shown."""
        self.page.get_by_role("button", name=re.compile(r"^Publish ")).click()
        expect(self.page.locator("#messages")).to_contain_text("Published: ")

    def next_round(self) -> None:
        """Make and publish the next round."""
        self.prepare()
        self.publish()

    def waiting(self) -> list[Table]:
        """Return the tables without a result that counts."""
        rows = self.page.locator("tr.desk-row:not([data-final])")
        found = rows.evaluate_all("rows => rows.map(row => ({...row.dataset}))")
        return [Table(int(r["table"]), r["match"], r["a"], r["b"]) for r in found]

    def note(self, table: Table, score: Score) -> None:
        """Remember a result that was entered."""
        self.entered[self.round, table.number] = (table.a, table.b, score)

    def type_result(self, table: Table, score: Score) -> None:
        """Enter a result by keyboard alone: table, Enter, both numbers, Enter."""
        self.note(table, score)
        keys = self.page.keyboard
        expect(self.page.locator("#quick-table")).to_be_focused()
        keys.type(str(table.number))
        keys.press("Enter")
        expect(self.page.locator("#quick-text")).to_be_focused()
        keys.type(f"{score[0]} {score[1]}")
        keys.press("Enter")

    def click_result(self, table: Table, score: Score) -> None:
        """Enter a result in its row, by mouse: the points of both, or a preset."""
        self.note(table, score)
        row = self.page.locator(f"#row-{table.match}")
        preset = row.locator(f"button.preset[value='{score[0]}-{score[1]}']")
        if preset.count():
            preset.click()
        else:
            row.get_by_label(f"Points: {table.a}").fill(str(score[0]))
            row.get_by_label(f"Points: {table.b}").fill(str(score[1]))
            row.get_by_role("button", name="Save").click()

    def is_in(self, table: Table) -> None:
        """Wait until the table's result counts on the page."""
        expect(self.page.locator(f"#row-{table.match}")).to_have_attribute("data-final", "")

    def play(self, score: Callable[[str, str], Score], *, mouse: bool = False) -> None:
        """Enter all results that wait, and see that they count."""
        self.page.locator("#quick-table").focus()
        for table in self.waiting():
            enter = self.click_result if mouse else self.type_result
            enter(table, score(table.a, table.b))
            self.is_in(table) if mouse else None
        expect(self.page.locator("tr.desk-row:not([data-final])")).to_have_count(0)
        all_sent(self.page)

    def close_stage(self) -> dict[str, list[str]]:
        """Look at who goes on and close the stage; return the names by group, as shown.

        Where a bracket follows they are those of its first matches. The draft of the next round is
        shown then.
        """
        follow(self.page.locator("#next").get_by_role("link", name="Who advances"))
        shown = self.page.locator(".coming-matches, main table:has(caption)").evaluate_all(
            """lists => lists.map(list => [list.caption?.textContent.trim() ?? '',
               [...list.querySelectorAll('bdi.person')].map(name => name.textContent)])"""
        )
        self.page.get_by_role("button", name=re.compile(r"^Close ")).click()
        expect(self.page.locator("#messages .good")).to_be_visible()
        return dict(shown)


def in_a_circle(order: Sequence[str], most: int = 40) -> Callable[[str, str], Score]:
    """Return scores that leave the first three of four level in everything but lots."""

    def score(a: str, b: str) -> Score:
        first, second = order.index(a), order.index(b)
        if 3 in (first, second):
            return (most, 10) if second == 3 else (10, most)
        return (most, 22) if second == (first + 1) % 3 else (22, most)

    return score


# --- A player's phone --------------------------------------------------------------------
def paste_deck(phone: Page, slug: str, text: str) -> None:
    """Hand in the player's own list."""
    phone.goto(f"/events/{slug}/me/deck/")
    if not phone.locator("textarea[name=text]").is_visible():
        phone.locator("label[for=view-text]").tap()
    phone.locator("textarea[name=text]").fill(text)
    with phone.expect_navigation():
        phone.locator("form#deck .deck-bar button").tap()
    expect(phone.locator("#receipt")).to_be_visible()


def send_report(button: Locator) -> None:
    """Send a report, and confirm the sentence where one is shown: where the button said less."""
    phone = button.page
    follow(button)
    if phone.locator("button[name=sure]").count():
        follow(phone.locator("button[name=sure]"))
    phone.wait_for_url(re.compile("/me/$"))


def report(phone: Page, slug: str, own: int, other: int) -> None:
    """Report the points of the player's match."""
    phone.goto(f"/events/{slug}/me/")
    if not phone.locator("form.report").count():
        with phone.expect_navigation():
            phone.locator(".my-match a[href$='/report/']").tap()
    phone.locator("input[name=own]").fill(str(own))
    phone.locator("input[name=other]").fill(str(other))
    send_report(phone.locator("form.report button.send").first)


def report_games(phone: Page, slug: str, *games: str) -> None:
    """Report the player's match game by game: "own", "other" or "draw" each."""
    phone.goto(f"/events/{slug}/me/")
    with phone.expect_navigation():
        phone.locator(".my-match p.more a").tap()
    for number, winner in enumerate(games, start=1):
        game = f"input[name=game_{number}]"
        if not phone.locator(game).count():
            with phone.expect_navigation():
                phone.locator("button[name=another]").tap()
        phone.locator(f"{game}[value={winner}]").tap()
    send_report(phone.locator("form.report button.send"))


def concede(phone: Page, slug: str) -> None:
    """Concede the player's match."""
    phone.goto(f"/events/{slug}/me/")
    with phone.expect_navigation():
        phone.locator(".my-match p.more a").tap()
    send_report(phone.locator("button[value=own_concession]"))


def confirm(phone: Page, slug: str) -> None:
    """Confirm what the opponent has reported."""
    phone.goto(f"/events/{slug}/me/")
    asked = phone.locator("form[action$='/confirm/'] button")
    asked.tap()
    expect(asked).to_have_count(0)  # after the last match the page speaks of what was reached
