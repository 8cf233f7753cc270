"""The numbers of a player's own page, held against those of the public pages of that moment."""

import re
from typing import Any

from rules.events.own_page import AT_TABLE, OUT
from tests.lives.offered import tree_of
from tests.told.reading import number_of, page_of
from tournaments.core.event_state import EventFacts
from tournaments.models import Entry
from tournaments.personal.selectors.player import PlayerPage
from tournaments.standings.selectors.rows import latest_standing

GROUP = re.compile(r"(s\d+)-g\d+")
RANK = re.compile(r": rank ([^·]*)")
PLACE = re.compile(r"Place (\d+) of (\d+)")
Rank = tuple[bool, int]
"""Whether others share it, and the rank."""


def clean(element: Any) -> str:
    """Return the text of an element, with single spaces."""
    return " ".join(element.text_content().split())


def rank_in(text: str) -> Rank:
    """Return the rank that a text tells."""
    return "=" in text, int(re.sub(r"\D", "", text))


class PublicPages:
    """The public pages of an event at one moment, each read when it is asked for."""

    def __init__(self, facts: EventFacts) -> None:
        self.facts = facts
        self.pages: dict[str, Any] = {}

    def page(self, path: str) -> Any:
        """Return a public page."""
        if path not in self.pages:
            self.pages[path] = page_of(self.facts, path)
        return self.pages[path]

    @property
    def round(self) -> str:
        """Return stage and round of the pairings, as their page heads them."""
        (head,) = self.page("pairings/").xpath("//main//h1")
        return clean(head)

    def tables(self) -> dict[int, tuple[str, frozenset[int]]]:
        """Return table and players of each match in the pairings, by each of its players."""
        found = {}
        for row in self.page("pairings/").xpath(
            "//*[@id='by-table']//tbody/tr[td[last()]!='no match']"
        ):
            sides = row.xpath("./td[@class='sides']/div/span[.//a[contains(@href, '/players/')]]")
            players = frozenset(map(number_of, sides))
            found |= dict.fromkeys(players, (clean(row.xpath("./td[1]")[0]), players))
        return found

    def rows(self, after: int | None) -> dict[tuple[str, int], tuple[Rank, str]]:
        """Return the rows of the standings now, or after a round, by stage and player."""
        page = self.page("standings/" if after is None else f"standings/?after={after}")
        found = {}
        for table in page.xpath("//table[@id]"):
            of_group = GROUP.fullmatch(table.get("id"))
            if of_group is None:  # players of several groups compared
                continue
            heads = [clean(cell).split()[0] for cell in table.xpath("./thead/tr/th")]
            at = heads.index("Pts") if "Pts" in heads else None
            for row in table.xpath("./tbody/tr[th]"):
                rank = rank_in(clean(row.xpath("./td[1]/b")[0]))
                cells = row.xpath("./td|./th")
                points = "" if at is None else clean(cells[at])
                found[of_group[1], number_of(row)] = rank, points
        return found

    def ranks(self) -> dict[int, int]:
        """Return the final ranks known, by player."""
        rows = self.page("standings/").xpath("//table[@id='final']/tbody/tr")
        ranks = ((number_of(row), clean(row.xpath("./td[1]")[0])) for row in rows)
        return {number: int(re.search(r"\d+", rank)[0]) for number, rank in ranks}

    def figures(self, number: int) -> dict[str, str]:
        """Return the figures of a player's public page, by what they are."""
        return _figures(self.page(f"players/{number}/"))


def _figures(tree: Any) -> dict[str, str]:
    rows = tree.xpath("//dl[@class='figures']/div")
    return {clean(row.find("dt")): clean(row.find("dd")) for row in rows}


def differences(public: PublicPages, shown: PlayerPage, page: str) -> list[str]:
    """Return what a player's own page tells otherwise than the public pages, or nothing."""
    tree = tree_of(page)
    found = {
        "seat": _seat(public, shown, tree),
        "standing": _standing(public, shown.entry, tree),
        "place": _place(public, shown, tree),
        "figures": _own_figures(public, shown, tree),
    }
    return [f"{key}: {told}, not {right}" for key, (told, right) in found.items() if told != right]


def _seat(public: PublicPages, shown: PlayerPage, tree: Any) -> tuple[object, object]:
    """Return table, round and company of the match that the box tells of, and the public ones."""
    mine = shown.current
    if mine is None or not shown.shown or mine.is_bye or (mine.replay and mine.replay.beside):
        return None, None
    number = shown.entry.number
    public_table, players = public.tables()[int(number)]
    company = frozenset({int(number), *(int(other.number) for other in mine.others)})
    told = [clean(each) for each in tree.xpath("//p[@class='my-table']/strong")]
    (where,) = map(clean, tree.xpath("//h2[@id='my-match-heading']"))
    right = [public_table] if shown.state.state in AT_TABLE else []
    wheres = (where, public.round) if not mine.in_bracket else ("", "")
    return (told, company, wheres[0]), (right, players, wheres[1])


def _standing(public: PublicPages, entry: Entry, tree: Any) -> tuple[object, object]:
    """Return the ranks of the own page, and those of the standings that it names."""
    lead = tree.xpath(
        "//*[@id='standing' or @aria-labelledby='standing-heading']//p[@class='lead']"
    )
    rows = tree.xpath("//table[@id='my-group']/tbody/tr")
    if not rows:
        return bool(tree.xpath("//p[@class='seat-stand'][contains(., ': rank')]")), False
    told = latest_standing(public.facts, entry.number)
    assert told is not None
    last = told.rounds.last
    stage = f"s{told.stage.stage.number}"
    right = public.rows(None if last is None else last.ordinal)
    own = {number_of(row): (rank_in(clean(row[0])), clean(row[-1])) for row in rows}
    wanted = {
        number: (rank, points or own[number][1])
        for number in own
        for rank, points in [right[stage, number]]
    }
    heads = [clean(each) for each in tree.xpath("//p[@class='seat-stand']/a")] + [*map(clean, lead)]
    said = {rank_in(found[1]) for each in heads if (found := RANK.search(each))}
    return (own, said), (wanted, {right[stage, int(entry.number)][0]})


def _place(public: PublicPages, shown: PlayerPage, tree: Any) -> tuple[object, object]:
    """Return the final place and the field of the own page, and those of the ranking."""
    found = PLACE.search(clean(tree))
    if found is None:
        return None, None
    figure = [clean(each) for each in tree.xpath("//p[@class='my-place']/strong")]
    rank = public.ranks().get(int(shown.entry.number))
    if rank is None and shown.state.state in OUT:  # a place that the ranking does not tell yet
        rank = shown.state.place
    digits = [int(re.sub(r"\D", "", each)) for each in figure] or [rank]
    label = next(each for each in public.figures(int(shown.entry.number)) if ", of " in each)
    return (int(found[1]), digits, found[2]), (rank, [rank], label.rpartition(" ")[2])


def _own_figures(public: PublicPages, shown: PlayerPage, tree: Any) -> tuple[object, object]:
    """Return the figures of whoever has finished that the public page has too, and those there."""
    own, theirs = _figures(tree), public.figures(int(shown.entry.number)) if shown.ended else {}
    both = own.keys() & theirs.keys()
    return {key: own[key] for key in both}, {key: theirs[key] for key in both}
