"""Forms that a browser sends without showing their pages, where a journey repeats itself.

What is sent is the form of the real page as it stands there, from within the page that is open;
only the answer isn't drawn. A journey first does by hand what it later repeats this way.
"""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.journeys.steps import Desk, Score, Table

SEND = """async ([address, place, typed]) => {
  const read = async (answer) =>
    new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = (await read(await fetch(address))).querySelector(place);
  const body = new FormData(form);
  for (const [name, value] of Object.entries(typed)) body.set(name, value);
  const answer = await fetch(form.getAttribute("action") || address, { method: "POST", body });
  const said = (await read(answer)).querySelector("#messages")?.textContent ?? "";
  return { status: answer.status, url: answer.url, said };
}"""
TABLES = """async ([address]) => {
  const shown = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  return [...shown.querySelectorAll("tr.desk-row:not([data-final])")].map(
    (row) => ({ ...row.dataset }));
}"""
SAVE = """async ([address, version, text]) => {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  body.set("version", version);
  body.set("text", text);
  return (await fetch(address, { method: "POST", body })).status;
}"""


def send(page: Page, address: str, form: str, **typed: str) -> dict[str, Any]:
    """Send a form of the page at an address; return the address that answered, and what it says."""
    sent: dict[str, Any] = page.evaluate(SEND, [address, form, typed])
    assert sent["status"] == 200, sent
    return sent


def hand_in(page: Page, slug: str, number: int, text: str) -> None:
    """Hand a player's list in as the organiser."""
    address = f"/events/{slug}/manage/players/{number}/decklist/"
    sent = send(page, address, "form:has(textarea[name=text])", text=text)
    assert "Saved" in sent["said"]


def play_stage(desk: Desk, score: Callable[[str, str], Score], rounds: int) -> None:
    """Make and publish ``rounds`` rounds, enter all results and open the desk at the end."""
    home = f"/events/{desk.slug}/desk/"
    for _turn in range(rounds):
        drafted = send(desk.page, home, "form[action$='/desk/draft/']")
        ordinal = int(drafted["url"].rstrip("/").split("/")[-1])
        published = send(desk.page, drafted["url"], "form[action$='/publish/']")
        assert "Published: " in published["said"]
        rows = desk.page.evaluate(TABLES, [home])
        assert rows
        for row in rows:
            table = Table(int(row["table"]), row["match"], row["a"], row["b"])
            points = score(table.a, table.b)
            text = f"{points[0]}-{points[1]}"
            save = [f"{home}save/{table.match}/", row["version"], text]
            assert desk.page.evaluate(SAVE, save) == 200
            desk.entered[ordinal, table.number] = (table.a, table.b, points)
    desk.open()
