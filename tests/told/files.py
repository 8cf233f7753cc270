"""The numbers that the API, files, paper, the screen and parts of pages tell."""

import json
import re
from io import BytesIO

from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from tests.told.reading import (
    ENGLISH,
    EVENT,
    TABLES,
    Said,
    api,
    begun,
    names_of,
    players_of,
    record_of,
    table_of,
)
from tournaments.core.event_state import EventFacts
from tournaments.models import Event
from tournaments.paper.contents import tables as sheets
from tournaments.paper.contents.rounds import name_parts
from tournaments.personal.selectors.ended import own_standing
from tournaments.personal.selectors.state import current_page_state
from tournaments.player_pages.selectors import load_public_profile
from tournaments.public.selectors import running_event as small
from tournaments.screen.selectors import screen_parts
from tournaments.sharing.views import picture_content


def api_standings(facts: EventFacts) -> Said:
    added: dict[int, list[tuple[int, int, int]]] = {}
    for stage in begun(facts):
        names = names_of(stage)
        for row in api(facts, f"standings/?stage={stage.stage.number}"):
            name, number = names[row["group"]], row["player"]
            yield ("rank", name, number), row["rank"]
            record = row["won"], row["drawn"], row["lost"]
            yield ("record", name, number), record
            added.setdefault(number, []).append(record)
            yield ("played", name, number), row["played"]
            if "points" in row["values"]:
                yield ("points", name, number), int(row["values"]["points"])
    for number, records in added.items():
        yield ("record", TABLES, number), tuple(map(sum, zip(*records, strict=True)))


def api_ranking(facts: EventFacts) -> Said:
    for row in api(facts, "ranking/"):
        yield ("rank", EVENT, row["number"]), row["rank"]


def api_rounds(facts: EventFacts) -> Said:
    yield ("rounds",), api(facts, "rounds/")["count"]


def transcript(facts: EventFacts) -> Said:
    answer = Client().get(f"/events/{facts.event.slug}/transcript.json")
    if answer.status_code == 200:
        for row in json.loads(answer.content)["ranking"]:
            yield ("rank", EVENT, row["player"]), row["rank"]


def workbook(facts: EventFacts) -> Said:
    address = f"/events/{facts.event.slug}/export.xlsx?whole=1"
    book = load_workbook(BytesIO(Client(headers=ENGLISH).get(address).content), read_only=True)
    keys = {row[0]: row[1] for row in book["Schema"].iter_rows(values_only=True)}
    for sheet in book:
        kind, _dot, where = keys.get(sheet.title, "").partition(".")
        heads, *rows = sheet.iter_rows(values_only=True)
        told = [dict(zip(heads, row, strict=False)) for row in rows]
        if kind == "ranking":
            for row in told:
                yield ("rank", EVENT, row["Number"]), row["Rank"]
                yield ("record", EVENT, row["Number"]), (row["Won"], row["Drawn"], row["Lost"])
        elif kind in ("standings", "compared"):
            number, _dot, group = where.partition(".")
            stage = facts.stages[int(number) - 1]
            of_group = kind == "standings"
            name = names_of(stage)[group] if of_group else f"s{number}-r{group}"
            for row in told:
                yield ("rank", name, row["Number"]), row["Rank"]
                yield ("played", name, row["Number"]), row["Played"]
                yield ("record", name, row["Number"]), (row["Won"], row["Drawn"], row["Lost"])
                if "Points" in row:
                    yield ("points", name, row["Number"]), int(row["Points"])
        elif kind == "points":
            stage = facts.stages[int(where) - 1]
            many = len(stage.groups) > 1
            last = max(
                (h for h in heads if re.search(r"Round \d", str(h))), key=numbers_in, default=None
            )
            for row in told if last and facts.event.criteria[:1] == ["points"] else ():
                name = names_of(stage)[row["Group"] if many else stage.groups[0].name]
                yield ("points", name, row["Number"]), int(row[last])


def numbers_in(head: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", head)))


def on_screen(facts: EventFacts) -> Said:
    names = {entry.name: number for number, entry in facts.entries.items()}
    facts.event.screen_view = Event.ScreenView.STANDINGS
    tables = [each for each in reversed(begun(facts)) if not each.kind.has_bracket]
    stage = next((each for each in tables if each.rounds), tables[0] if tables else None)
    screen = screen_parts(facts)
    blocks = [b for page in screen.standings for column in page["columns"] for b in column]
    for block in blocks if stage is not None else ():
        for each in block.rows:
            row, number = each["row"], names[each["row"].entry.name]
            name = table_of(stage, number)
            if not row.group:
                yield ("rank", name, number), row.rank
            yield ("record", name, number), (row.won, row.drawn, row.lost)
            yield ("played", name, number), row.played
    facts.event.screen_view = Event.ScreenView.PODIUM
    podium = screen_parts(facts).podium
    for row in podium.rows if podium else ():
        yield ("rank", EVENT, row.entry.number), row.rank


def on_paper(facts: EventFacts) -> Said:
    names = {tuple(name_parts(each).values()): number for number, each in facts.entries.items()}
    content = sheets.standings_sheet(facts, timezone.now())
    stage = next((each for each in reversed(begun(facts)) if not each.kind.has_bracket), None)
    for table in content["tables"]:
        if table["caption"] == "Final standings":
            for row in table["rows"]:
                yield (
                    ("rank", EVENT, names[row["sorted"], row["rest"]]),
                    int(row["rank"].strip("=")),
                )
        elif stage is not None and "comparison" not in table["caption"]:
            for row in table["rows"]:
                number = names[row["sorted"], row["rest"]]
                name = table_of(stage, number)
                yield ("rank", name, number), int(row["rank"].strip("="))
                yield ("record", name, number), record_of(row["record"])
                if table["columns"][:1] == ["Pts"]:
                    yield ("points", name, number), int(row["values"][0])


def small_tables(facts: EventFacts) -> Said:
    stage = facts.open_stage
    for table in small.short_standings(facts, stage).tables if stage else ():
        for row in table["rows"]:
            yield ("rank", table["anchor"], row.entry.number), row.rank
            if [short for short, _label in table["columns"][:1]] == ["Pts"]:
                yield ("points", table["anchor"], row.entry.number), int(row.values[0])


def own_pages(facts: EventFacts) -> Said:
    for entry in facts.event.entries.all():
        if rank := current_page_state(facts, entry).place:
            yield ("rank", EVENT, entry.number), rank
        stand = own_standing(facts, entry)
        if stand is not None and not stand.after:
            tables = [each for each in begun(facts) if entry.number in each.state.players]
            stage = next(each for each in reversed(tables) if not each.kind.has_bracket)
            for row in stand.rows:
                name = table_of(stage, row.entry.number)
                yield ("rank", name, row.entry.number), row.rank
                yield ("record", name, row.entry.number), (row.won, row.drawn, row.lost)


def person(facts: EventFacts) -> Said:
    for entry in facts.event.entries.exclude(user=None).exclude(user__person_key=None):
        person = load_public_profile(entry.user.person_key)
        assert person is not None
        for played in person.played:
            if played["event"] == facts.event and played["record"] is not None:
                record, label = played["record"]
                if "," not in label:  # beside points of an earlier round it names that
                    yield ("record", EVENT, entry.number), record_of(record)


def pictures(facts: EventFacts) -> Said:
    for number in facts.entries:
        content = picture_content(facts, "player", int(number))
        if content and content["face"]["rank"]:
            yield ("rank", EVENT, number), content["face"]["rank"]
    content = picture_content(facts, "event")
    yield ("players",), players_of(" ".join(content["lines"]))
