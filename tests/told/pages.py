"""The numbers that pages tell."""

import re
from typing import Any

from django.test import Client
from lxml import html

from tests.told.reading import (
    ENGLISH,
    EVENT,
    TABLE,
    Said,
    begun,
    number_of,
    page_of,
    players_of,
    rank_of,
    record_of,
    table_of,
)
from tournaments.core.event_state import EventFacts

MEDAL = ".//*[contains(@class, 'rank-disc')]"


def standings_page(facts: EventFacts) -> Said:
    yield from tables(page_of(facts, "standings/"), facts)


def tables(page: Any, facts: EventFacts, after: str = "") -> Said:
    for table in page.xpath("//table[@id]"):
        if not TABLE.fullmatch(table.get("id")):
            continue
        name = table.get("id") + after
        points = table.xpath("./thead/tr/th[contains(@class, 'points')]")
        for row in table.xpath("./tbody/tr[th]"):
            number = number_of(row)
            yield ("rank", name, number), rank_of(row.xpath("./td[1]/b")[0])
            (record,) = row.xpath("./td[contains(@class, 'record')]")
            yield ("record", name, number), record_of(record.text_content())
            if points and points[0].text_content().strip() == "Pts":
                (own,) = row.xpath("./td[contains(@class, 'points')]")
                yield ("points", name, number), int(own.text_content())


def player_pages(facts: EventFacts) -> Said:
    for number in facts.entries:
        page = page_of(facts, f"players/{number}/")
        for figure in page.xpath("//dl[@class='figures']/div"):
            label, value = (figure.find(tag).text_content().strip() for tag in ("dt", "dd"))
            if label == "Wins – losses – draws":
                yield ("record", EVENT, number), record_of(value)
            elif re.match(r"Rank out of", label):
                yield ("rank", EVENT, number), int(re.sub(r"\D", "", value))
                yield ("players",), int(re.sub(r"\D", "", label))
            elif label.startswith("Points, "):
                stage = next(
                    each
                    for each in reversed(begun(facts))
                    if not each.kind.has_bracket and number in each.state.players
                )
                yield ("points", table_of(stage, number) + _after(stage, label), number), int(value)


def _after(stage: Any, label: str) -> str:
    """Return what `earlier_tables` puts behind a table's name, "" of the standings of now."""
    found = re.search(r"after round (\d+)$", label)
    rounds = {item.ordinal: item.number for item in stage.regular_rounds}
    return f" after {rounds[int(found[1])]}" if found else ""


def event_page(facts: EventFacts) -> Said:
    page = page_of(facts, "")
    yield from _final(page)
    for step in page.xpath("//ol[@class='steps']/li"):
        yield (
            ("rank", EVENT, number_of(step)),
            rank_of(step.xpath(MEDAL)[0]),
        )
    figures = {
        each.find("dt").text_content(): each.find("dd").text_content()
        for each in page.xpath("//dl[@class='five']/div")
    }
    if figures:
        yield ("players",), int(figures["players"])
        yield ("rounds",), int(figures["rounds"])


def heads(facts: EventFacts) -> Said:
    said = page_of(facts, "rules/").xpath("//p[@class='bar-name']/small")[0].text_content()
    yield ("players",), players_of(said)


def final_standings(facts: EventFacts) -> Said:
    yield from _final(page_of(facts, "standings/"))


def _final(page: Any) -> Said:
    for row in page.xpath("//table[@id='final']/tbody/tr"):
        cells = row.xpath("./td")
        yield ("rank", EVENT, number_of(row)), rank_of(cells[0])
        yield ("record", EVENT, number_of(row)), record_of(cells[-1].text_content())


def home(facts: EventFacts) -> Said:
    page = html.fromstring(Client(headers=ENGLISH).get("/").content)
    found = re.search(r"(\d+) players", page.xpath("//main")[0].text_content())
    if found:
        yield ("players",), int(found[1])


def pairings(facts: EventFacts) -> Said:
    """Yield the records beside the names of the last Swiss round."""
    stage = facts.open_stage
    item = stage.last_round if stage and stage.kind.pairs_by_points else None
    if stage is None or item is None or item.is_extra or item.number < 2:
        return
    after = f" after {item.number - 1}"
    page = page_of(facts, "pairings/")
    for side in page.xpath("//td[@class='sides']/div/span[small]"):
        words = side.find("small").text_content()
        if "–" not in words:  # at tables of three to five the points stand there
            continue
        won, lost, *drawn = map(int, words.split("–"))
        record = won, drawn[0] if drawn else 0, lost
        yield ("record", f"s{stage.stage.number}-g1{after}", number_of(side)), record


def earlier_tables(facts: EventFacts) -> Said:
    stage = facts.open_stage
    item = stage.last_round if stage and stage.kind.pairs_by_points else None
    if stage is not None and item is not None and not item.is_extra and item.number > 1:
        before = stage.regular_rounds[item.number - 2].ordinal
        page = page_of(facts, f"standings/?after={before}")
        yield from tables(page, facts, f" after {item.number - 1}")
