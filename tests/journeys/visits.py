"""Every page of the demo's events, by who reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Visit:
    """Who looks, and at what. ``who`` signs in, or opens a player's link; nobody does neither."""

    who: str
    pages: tuple[str, ...]


G, K, F = "/events/demo-groups/", "/events/demo-knock-out/", "/events/demo-finished/"
E, P = "/events/demo-double-elimination/", "/events/demo-places/"
R, L, D = "/events/demo-registration/", "/events/demo-lots/", "/events/demo-draft/"
PUBLIC = ("", "pairings/", "standings/", "formula/", "ranking/", "draws/", "players/")
# "{name}" is the match that the desk shows in this state.
MATCH = f"{G}matches/"
# "{name}" is where the first such link of a page leads.
LINKS = {
    "snapshot": (f"{E}manage/snapshots/", "main a[href*='/snapshots/']"),
    "own_formula": ("/formulas/", "main a[href^='/formulas/custom_']"),
}
VISITS = {
    "everybody": Visit(
        "",
        (
            "/",
            "/formats/creatures-of-exo/",
            "/formats/thoom/sheet/",
            "/privacy/",
            *(G + part for part in PUBLIC),
        ),
    ),
    "cards": Visit(
        "organiser@example.org",
        ("/cards/", "/cards/creatures-of-exo/", "/cards/thoom/?q=lupo", "/cards/thoom/load/"),
    ),
    "advice": Visit(
        "organiser@example.org",
        (
            "/advice/",
            "/advice/?players=12&minutes=50&tables=4&hours=9",
            "/events/new/?players=9&hours=9",
            f"{G}prospects/",
            f"{K}prospects/",
            f"{G}manage/criteria/",
        ),
    ),
    "formulas": Visit(
        "organiser@example.org",
        (
            "/formulas/",
            "/formulas/new/",
            "/formulas/new/?empty=1",
            "/formulas/new/?begin=groups-knockout&players=16",
            "/formulas/new/?begin=mutant-chronicles&players=12",
            "/formulas/new/?example=consolation",
            "/formulas/import/",
            "{own_formula}",
        ),
    ),
    "everybody-knock-out": Visit("", tuple(K + part for part in PUBLIC)),
    "everybody-brackets": Visit(
        "", (*(E + part for part in PUBLIC[:5]), *(P + part for part in PUBLIC[:5]))
    ),
    "snapshots": Visit(
        "organiser@example.org",
        (
            f"{E}manage/snapshots/",
            "{snapshot}",
            f"{K}manage/snapshots/",
            f"{E}desk/rounds/3/discard/",
            f"{P}advance/",
        ),
    ),
    "everybody-end": Visit(
        "", (F, *(F + part for part in PUBLIC[2:]), R, f"{R}register/", f"{R}players/")
    ),
    "everybody-lists": Visit(
        "", (f"{F}decklists/", f"{F}decklists/1/", f"{F}played/", f"{F}players/")
    ),
    "lists-of-the-staff": Visit(
        "judge@example.org", (f"{K}decklists/", f"{K}decklists/2/", f"{K}players/")
    ),
    "player-confirms": Visit("Carla", (f"{G}me/", f"{G}me/deck/", f"{G}me/drop/")),
    "player-reports": Visit(
        "Alba", (f"{G}me/", f"{G}standings/", f"{G}me/deck/sheet/", "{own_report}")
    ),
    "player-registers": Visit(
        "Guido", (f"{R}me/", f"{R}me/deck/", f"{R}me/deck/versions/", "/me/")
    ),
    "desk": Visit(
        "scorekeeper@example.org",
        (f"{G}desk/", f"{G}desk/rounds/1/", f"{K}desk/", f"{F}desk/", "/accounts/me/", "/me/"),
    ),
    "desk-match": Visit(
        "headjudge@example.org",
        (
            f"{MATCH}{{disputed}}/",
            f"{MATCH}{{open}}/result/",
            f"{MATCH}{{final}}/correct/",
            f"{L}lots/",
            f"{L}advance/",
            f"{G}advance/",
            f"{G}rulings/",
        ),
    ),
    "judge": Visit(
        "judge@example.org",
        (
            f"{G}checks/",
            f"{G}checks/{{check_open}}/",
            f"{G}checks/{{check_finished}}/",
            f"{G}checks/{{check_open}}/exchange/",
            f"{G}penalties/",
            f"{G}penalties/?player=3",
            f"{G}desk/",
            f"{MATCH}{{open}}/",
            f"{G}sheets/2/",
        ),
    ),
    "organiser": Visit(
        "organiser@example.org",
        ("/", "/events/new/", f"{D}manage/", f"{G}manage/", f"{G}manage/settings/", f"{F}manage/"),
    ),
    "formats": Visit("", ("/formats/", "/formats/doomtrooper-original/lists/2026-11-21/")),
    "formats-brought": Visit(
        "organiser@example.org",
        (
            "/formats/doomtrooper-original/",
            "/formats/doomtrooper-original/copy/",
            "/formats/doomtrooper-original/lists/new/",
        ),
    ),
    "organiser-players": Visit(
        "organiser@example.org",
        (
            f"{R}manage/players/",
            f"{R}manage/players/?seeds=1",
            f"{R}manage/players/7/",
            f"{R}manage/players/7/decklist/",
            f"{R}manage/players/7/decklist/versions/",
            f"{R}manage/decklists/",
            f"{G}manage/players/",
            f"{G}manage/players/1/strike/",
            f"{G}manage/apart/",
            f"{R}manage/start/",
            f"{G}manage/staff/",
            f"{G}manage/tokens/",
            f"{G}log/",
        ),
    ),
}


def addresses(page: Any, visit: Visit) -> Iterator[str]:
    """Yield the visit's addresses, with the matches as they are."""
    known: dict[str, str] = {}
    if any("matches/{" in path for path in visit.pages):
        page.goto(f"{G}desk/")
        for state in ("disputed", "open", "final"):
            row = page.locator(f"tr.desk-row.{state}").first
            known[state] = row.get_attribute("data-match") or ""
    if any("checks/{" in path for path in visit.pages):
        page.goto(f"{G}checks/")
        for state in ("open", "finished"):
            link = page.locator(f"#{state} a[href*='/checks/']").first
            known[f"check_{state}"] = (link.get_attribute("href") or "").split("/")[-2]
    if "{own_report}" in visit.pages:
        page.goto(f"{G}me/")
        known["own_report"] = page.locator("form.report").get_attribute("action") or ""
    for name, (shelf, link) in LINKS.items():
        if f"{{{name}}}" in visit.pages:
            page.goto(shelf)
            known[name] = page.locator(link).first.get_attribute("href") or ""
    for path in visit.pages:
        yield path.format(**known)
