"""The numbers that the files to hand out tell: the workbook of the standings, and CSV."""

import csv
from collections.abc import Iterator
from io import BytesIO, StringIO
from typing import Any

from django.test import Client
from openpyxl import load_workbook

from config.wording import translate
from tests.told.reading import (
    ENGLISH,
    EVENT,
    TABLES,
    Said,
    begun,
    names_of,
    players_of,
    record_of,
    table_of,
)
from tournaments.core.event_state import EventFacts

HEADS = 7
"""The row of the sheet of the result that names its columns."""


def standings_book(facts: EventFacts) -> Any:
    address = f"/events/{facts.event.slug}/export.xlsx"
    return load_workbook(BytesIO(Client(headers=ENGLISH).get(address).content))


def numbers_of(facts: EventFacts) -> dict[str, Any]:
    return {entry.display_name: number for number, entry in facts.entries.items()}


def rows_of_result(sheet: Any) -> Iterator[dict[str, Any]]:
    heads = {cell.column: cell.value for cell in sheet[HEADS] if cell.value}
    for row in sheet.iter_rows(min_row=HEADS + 1):
        told = {heads[cell.column]: cell.value for cell in row if cell.column in heads}
        if not told.get("Player"):
            return
        yield told


def result(facts: EventFacts) -> Said:
    tables = [stage for stage in begun(facts) if not stage.kind.has_bracket]
    sheet, numbers = standings_book(facts)["Result"], numbers_of(facts)
    yield ("players",), players_of(next(c.value for c in sheet[1] if "player" in str(c.value)))
    for row in rows_of_result(sheet):
        number = numbers[row["Player"]]
        name = TABLES if tables else EVENT
        if len(tables) == 1 and any(number in seats for seats in tables[0].state.seats.values()):
            name = table_of(tables[0], number)
        if isinstance(row["Rank"], int):
            yield ("rank", EVENT if facts.ranking else name, number), row["Rank"]
        for head in {"Swiss", "Tables"} & row.keys():
            yield ("rank", name, number), row[head]
        if row.get("W–L–D"):
            over = EVENT if len(list(begun(facts))) > 1 else name
            yield ("record", over, number), record_of(row["W–L–D"])
        if name not in (TABLES, EVENT) and row.get("Pts") is not None:
            yield ("points", name, number), int(row["Pts"])


def stages(facts: EventFacts) -> Said:
    book, numbers = standings_book(facts), numbers_of(facts)
    for stage in begun(facts):
        if stage.kind.has_bracket:
            continue
        heads, *rows = book[translate(stage.plan.label)].iter_rows(values_only=True)
        for row in (dict(zip(heads, values, strict=True)) for values in rows):
            number, group = numbers[row["Player"]], row.get("Group")
            compared = str(group).startswith("rank ")
            name = f"s{stage.stage.number}-r{group[5:]}" if compared else table_of(stage, number)
            assert compared or names_of(stage).get(group, name) == name
            yield ("rank", name, number), row["Rank"]
            yield ("played", name, number), row["P"]
            yield ("record", name, number), (row["W"], row["D"], row["L"])
            if "Pts" in row:
                yield ("points", name, number), int(row["Pts"])


def csv_rows(facts: EventFacts, address: str) -> list[dict[str, str]]:
    answer = Client(headers=ENGLISH).get(f"/events/{facts.event.slug}/{address}")
    return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))


def csv_files(facts: EventFacts) -> Said:
    for stage in begun(facts):
        names = names_of(stage)
        for row in csv_rows(facts, f"standings.csv?stage={stage.stage.number}"):
            if "played" in row:
                name, number = names[row["group"]], int(row["player"])
                yield ("rank", name, number), int(row["rank"])
                yield ("played", name, number), int(row["played"])
                yield ("record", name, number), tuple(int(row[k]) for k in ("won", "drawn", "lost"))
                if "points" in row:
                    yield ("points", name, number), int(row["points"])
    for row in csv_rows(facts, "ranking.csv"):
        yield ("rank", EVENT, int(row["number"])), int(row["rank"])
