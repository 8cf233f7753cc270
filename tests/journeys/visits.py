"""Every page of the demo's events, by who reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Visit:
    """Who looks, and at what. ``who`` signs in, or opens a player's link; nobody does neither.

    ``more`` are pages of templates that another page of a visit shows already, in a like state:
    only ``make test-all`` loads them.
    """

    who: str
    pages: tuple[str, ...]
    more: tuple[str, ...] = ()


G, K, F = "/events/demo-groups/", "/events/demo-knock-out/", "/events/demo-finished/"
E, P = "/events/demo-double-elimination/", "/events/demo-places/"
R, L, D = "/events/demo-registration/", "/events/demo-lots/", "/events/demo-draft/"
S = "/series/demo-league/"
PUBLIC = ("", "pairings/", "standings/", "formula/", "draws/", "players/")
FOLLOWED = ("players/1/", "pairings/1/1/", "bracket/?p=1")
# "{name}" is the match that the desk shows in this state.
MATCH = f"{G}matches/"
# "{name}" is where the first such link of a page leads.
LINKS = {
    "snapshot": (f"{E}manage/files/", "main a[href*='/snapshots/']"),
    "own_formula": ("/formulas/", "main a[href^='/formulas/custom_']"),
    "person": ("/accounts/me/", "main a[href^='/people/']"),
    "series_person": (S, "th a.player"),
}
VISITS = {
    "everybody": Visit(
        "",
        (
            "/",
            "/formats/thoom/sheet/",
            *("/privacy/", "/accessibility/", "/help/", "/help/decklists/", "/help/players/"),
            *(G + part for part in ("", "pairings/", "standings/", "formula/")),
            *(G + part for part in FOLLOWED),
        ),
        (
            "/formats/creatures-of-exo/",
            *(G + part for part in ("draws/", "players/", "standings/?after=1")),
        ),
    ),
    "cards": Visit(
        "organiser@example.org",
        ("/cards/", "/cards/thoom/?q=lupo", "/cards/thoom/load/"),
        ("/cards/creatures-of-exo/",),
    ),
    "advice": Visit(
        "organiser@example.org",
        (
            "/advice/?players=12&minutes=50&tables=4&hours=9",
            "/events/new/?players=9&hours=9",
            f"{G}prospects/",
            f"{G}manage/criteria/",
        ),
        ("/advice/", f"{K}prospects/"),
    ),
    "formulas": Visit(
        "organiser@example.org",
        (
            "/formulas/",
            "/formulas/new/?empty=1",
            "/formulas/import/",
            "{own_formula}",
        ),
        (
            "/formulas/new/?begin=mutant-chronicles&players=12",
            "/formulas/new/",
            "/formulas/new/?begin=groups-knockout&players=16",
            "/formulas/new/?example=consolation",
        ),
    ),
    "everybody-knock-out": Visit(
        "",
        (f"{K}pairings/", f"{K}standings/"),
        (K, *(K + part for part in PUBLIC[3:])),
    ),
    "everybody-brackets": Visit(
        "",
        (f"{E}pairings/", f"{E}standings/", f"{P}formula/"),
        (f"{P}standings/", E, f"{E}formula/", P, f"{P}pairings/"),
    ),
    "snapshots": Visit(
        "organiser@example.org",
        (
            f"{E}manage/files/",
            "{snapshot}",
            f"{E}desk/rounds/3/discard/",
            f"{P}advance/",
        ),
        (f"{K}manage/files/",),
    ),
    "everybody-end": Visit(
        "",
        (F, f"{F}draws/", R, f"{R}register/", f"{R}players/"),
        (f"{F}standings/", f"{F}formula/", f"{F}players/"),
    ),
    "everybody-lists": Visit("", (f"{F}decklists/", f"{F}decklists/1/", f"{F}played/")),
    "everybody-series": Visit(
        "",
        (S, "{series_person}", f"{S}events/", "/today/"),
        ("/series/", f"{S}today/"),
    ),
    "organiser-series": Visit(
        "organiser@example.org",
        (
            *(f"{S}events/", f"{S}people/", f"{S}staff/", f"{S}settings/"),
            *(f"{S}final/", f"{S}prizes/", "/series/new/"),
        ),
        ("/series/", S, "{series_person}", "/today/"),
    ),
    "lists-of-the-staff": Visit(
        "judge@example.org", (f"{K}decklists/", f"{K}decklists/2/", f"{K}players/")
    ),
    "player-confirms": Visit("Carla", (f"{G}me/", f"{G}me/deck/", f"{G}me/drop/")),
    "player-reports": Visit(
        "Alba", (f"{G}me/", f"{G}me/deck/sheet/", "{own_report}"), (f"{G}standings/",)
    ),
    "player-registers": Visit(
        "Guido", (f"{R}me/", f"{R}me/deck/", f"{R}me/deck/versions/", "/me/")
    ),
    "person": Visit("player@example.org", ("{person}", f"{R}players/1/")),
    "desk": Visit(
        "scorekeeper@example.org",
        (f"{G}desk/", f"{G}desk/rounds/1/", f"{F}desk/", "/accounts/me/"),
        (f"{K}desk/", "/me/"),
    ),
    "desk-match": Visit(
        "headjudge@example.org",
        (
            f"{MATCH}{{disputed}}/",
            f"{MATCH}{{open}}/result/",
            f"{MATCH}{{final}}/correct/",
            f"{L}lots/",
            f"{G}advance/",
            f"{G}rulings/",
        ),
        (f"{L}advance/",),
    ),
    "judge": Visit(
        "judge@example.org",
        (
            f"{G}checks/",
            f"{G}checks/{{check_open}}/",
            f"{G}checks/{{check_finished}}/",
            f"{G}checks/{{check_open}}/exchange/",
            f"{G}penalties/?player=3",
            f"{G}floor/",
            f"{G}floor/tables/{{open}}/",
            f"{G}floor/tables/{{open}}/penalty/?player=5",
            f"{MATCH}{{open}}/",
            f"{G}sheets/2/",
        ),
        (f"{G}penalties/", f"{G}desk/"),
    ),
    "organiser": Visit(
        "organiser@example.org",
        ("/", f"{D}manage/", f"{G}manage/", f"{G}manage/settings/"),
        (f"{F}manage/", "/events/new/"),
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
            f"{R}manage/players/?seeds=1",
            f"{R}manage/players/7/",
            f"{R}manage/players/7/decklist/",
            f"{R}manage/decklists/",
            f"{G}manage/players/",
            f"{G}manage/players/1/strike/",
            f"{G}manage/apart/",
            f"{R}manage/arrivals/",
            f"{R}manage/start/",
            f"{G}manage/staff/",
            f"{G}manage/tokens/",
            f"{G}log/",
        ),
        (f"{R}manage/players/", f"{R}manage/players/7/decklist/versions/"),
    ),
}


def addresses(page: Any, visit: Visit, *, every: bool = True) -> Iterator[str]:
    """Yield the visit's addresses, with the matches as they are; those of ``more`` if ``every``."""
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
        if f"{{{name}}}" in (*visit.pages, *visit.more):
            page.goto(shelf)
            known[name] = page.locator(link).first.get_attribute("href") or ""
    for path in (*visit.pages, *(visit.more if every else ())):
        yield path.format(**known)
