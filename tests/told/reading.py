"""What reads pages, answers of the API, and numbers in them."""

import re
from collections.abc import Iterator
from typing import Any

from django.test import Client
from lxml import html

from tournaments.core.event_state import EventFacts, StageFacts

Key = tuple[object, ...]
Said = Iterator[tuple[Key, object]]
"""What a number is of (kind, table or the event, player), and the number."""
EVENT, TABLES = "event", "all tables"
TABLE = re.compile(r"s\d+-[gr]\d+")
RECORD = re.compile(r"(\d+)[–-](\d+)[–-](\d+)")
ENGLISH = {"accept-language": "en"}


def page_of(facts: EventFacts, path: str) -> Any:
    answer = Client(headers=ENGLISH).get(f"/events/{facts.event.slug}/{path}")
    assert answer.status_code == 200, path
    return html.fromstring(answer.content)


def api(facts: EventFacts, path: str) -> Any:
    return Client().get(f"/api/v1/events/{facts.event.slug}/{path}").json()


def begun(facts: EventFacts) -> list[StageFacts]:
    return [stage for stage in facts.stages if stage.stage.state != "pending"]


def names_of(stage: StageFacts) -> dict[str, str]:
    number = stage.stage.number
    return {name: f"s{number}-g{at}" for at, name in enumerate(stage.state.seats, start=1)}


def table_of(stage: StageFacts, player: object) -> str:
    group = next(name for name, seats in stage.state.seats.items() if player in seats)
    return names_of(stage)[group]


def number_of(element: Any) -> int:
    return int(element.xpath(".//a[contains(@href,'/players/')]/@href")[0].split("/")[-2])


def rank_of(element: Any) -> int:
    return int(re.search(r"\d+", element.text_content())[0])


def record_of(text: str) -> tuple[int, ...]:
    """Return a record, written as W–L–D, as (won, drawn, lost)."""
    won, lost, drawn = map(int, RECORD.fullmatch(text.strip()).groups())
    return won, drawn, lost


def players_of(text: str) -> int:
    found = re.search(r"(\d+)\s+players", text)
    assert found, text
    return int(found[1])
