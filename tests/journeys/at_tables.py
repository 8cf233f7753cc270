"""What people do where three and more sit at a table: at the desk, on phones, on paper."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.journeys.steps import Desk, all_sent, follow, hurry, send_report
from tests.transcripts import draws_of


@dataclass(frozen=True)
class Seated:
    """A table that waits for its result: its number, its match, the names in the order of seats."""

    number: int
    match: str
    names: tuple[str, ...]


@dataclass
class SeatDesk(Desk):
    """The desk of an event of tables; ``told`` keeps the winners by round and table."""

    told: dict[tuple[int, int], str] = field(default_factory=dict)

    def tables(self) -> list[Seated]:
        """Return the tables without a result that counts."""
        found = self.page.locator("tr.desk-row[data-said]:not([data-final])").evaluate_all(
            """rows => rows.map(row => [row.dataset.table, row.dataset.match, [
               ...row.querySelectorAll('.at-seats .person')].map(one => one.textContent.trim())])"""
        )
        return [Seated(int(table), match, tuple(names)) for table, match, names in found]

    def type_seats(self, table: Seated, text: str, said: str) -> None:
        """Enter a result by keyboard alone; before Enter the line says it in names."""
        keys = self.page.keyboard
        expect(self.page.locator("#quick-table")).to_be_focused()
        keys.type(str(table.number))
        keys.press("Enter")
        expect(self.page.locator("#quick-text")).to_be_focused()
        keys.type(text)
        expect(self.page.locator("#quick-names")).to_contain_text(said)
        keys.press("Enter")

    def type_winner(self, table: Seated, name: str) -> None:
        """Enter by keyboard who won."""
        self.told[self.round, table.number] = name
        self.type_seats(table, str(table.names.index(name) + 1), f"{name} wins")

    def tap_winner(self, table: Seated, name: str) -> None:
        """Enter who won by the button of the seat."""
        self.told[self.round, table.number] = name
        seat = self.page.locator(f"#row-{table.match} button.seat", has_text=name)
        seat.click()
        self.final(table)

    def final(self, table: Seated) -> None:
        """Wait until the table's result counts on the page."""
        hurry(self.page)
        expect(self.page.locator(f"#row-{table.match}")).to_have_attribute("data-final", "")

    def play_rest(self, winner: Callable[[Seated], str]) -> None:
        """Enter by keyboard all results that wait, and see that they count."""
        self.page.locator("#quick-table").focus()
        for table in self.tables():
            self.type_winner(table, winner(table))
        expect(self.page.locator("tr.desk-row:not([data-final])")).to_have_count(0)
        all_sent(self.page)


def best_of(order: Sequence[str]) -> Callable[[Seated], str]:
    """Return who wins: whoever stands first in the order."""
    return lambda table: min(table.names, key=order.index)


# --- Phones ------------------------------------------------------------------------------
def says_who_won(phone: Page, slug: str, seat: int) -> None:
    """Report by one tap that the player of a seat won."""
    phone.goto(f"/events/{slug}/me/")
    send_report(phone.locator(f".who-won-here button[value='{seat}']").first)


def says_drawn(phone: Page, slug: str, out: Sequence[int]) -> None:
    """Report a draw between those who were still in the game: these seats were out."""
    phone.goto(f"/events/{slug}/me/")
    phone.locator("summary", has_text="Pareggio").tap()
    for seat in out:
        phone.locator(f"input[name=drawn][value='{seat}']").tap()
    send_report(phone.locator("button[value=drawn]"))


def agrees(phone: Page, slug: str) -> None:
    """Confirm what somebody at the table reported."""
    phone.goto(f"/events/{slug}/me/")
    follow(phone.locator("form[action$='/confirm/'] button"))


def denies(phone: Page, slug: str) -> None:
    """Contradict what somebody at the table reported."""
    phone.goto(f"/events/{slug}/me/")
    follow(phone.locator("form[action$='/contradict/'] button"))


def says_another_won(phone: Page, slug: str, seat: int) -> None:
    """Contradict what was reported, and tell who won instead."""
    denies(phone, slug)
    follow(phone.locator(".my-match a[href$='/report/']"))
    send_report(phone.locator(f".who-won-here button[value='{seat}']").first)


def registers(phone: Page, slug: str, name: str) -> None:
    """Register by the public page."""
    phone.goto(f"/events/{slug}/register/")
    phone.get_by_label("Nome", exact=True).fill(name)
    follow(phone.get_by_role("button", name="Iscriviti", exact=True))


def leaves(phone: Page, slug: str) -> None:
    """Drop from the event by the player's own page."""
    phone.goto(f"/events/{slug}/me/drop/")
    follow(phone.locator("main form button.danger"))


# --- The staff's other pages -------------------------------------------------------------
def draw_and_start(page: Page, slug: str) -> None:
    """Start, and pair the first round."""
    page.goto(f"/events/{slug}/manage/start/")
    follow(page.get_by_role("button", name="Pair round 1"))


def enters_late(page: Page, slug: str, name: str) -> None:
    """Enter a player after the start; rounds missed are losses."""
    page.goto(f"/events/{slug}/manage/players/")
    page.locator("#add").get_by_label("Name", exact=True).fill(name)
    follow(page.locator("#add").get_by_role("button", name="Pair from the next round"))
    expect(page.locator("main")).to_contain_text(name)


def correct(page: Page, slug: str, match: str, text: str) -> None:
    """Correct a result from which a round was made already; what was made stays."""
    page.goto(f"/events/{slug}/matches/{match}/correct/")
    page.locator("input[name=text]").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Choices")).to_be_visible()
    stay = page.locator(".way", has=page.locator("button[value=keep]"))
    stay.get_by_label("Reason").fill("Typed at the wrong seat")
    follow(stay.locator("button[value=keep]"))


def settle_ties(desk: SeatDesk) -> None:
    """Let the tool draw lots between those who are level where it matters who goes on."""
    desk.open()
    level = desk.page.locator("#next").get_by_role("link", name="Decide between tied players")
    expect(level.or_(desk.page.get_by_role("link", name="Who advances")).first).to_be_visible()
    while level.count():
        follow(level)
        follow(desk.page.get_by_role("button", name="Make the random draw").first)
        desk.open()


def finish(page: Page) -> None:
    """Finish the event at the desk."""
    page.get_by_role("button", name="Finish the event").click()
    expect(page.get_by_text("The event is finished").first).to_be_visible()


# --- What comes of it --------------------------------------------------------------------
def sheet(page: Page, slug: str, name: str, language: str = "en") -> str:
    """Return the text of a printed sheet."""
    headers = {"Accept-Language": language}
    answer = page.request.get(f"/events/{slug}/print/{name}.pdf", headers=headers)
    assert answer.status == 200, answer.url
    return " ".join(one.extract_text() for one in PdfReader(BytesIO(answer.body())).pages)


def ranked(page: Page, slug: str) -> list[str]:
    """Return the names of the final standings, first to last."""
    page.goto(f"/events/{slug}/standings/")
    return page.locator("#final tbody bdi.person").all_inner_texts()


def transcript_agrees(page: Page, slug: str) -> None:
    """Let the program of the docs compute the draws of the transcript."""
    assert draws_of(json.loads(page.request.get(f"/events/{slug}/transcript.json").body()))
