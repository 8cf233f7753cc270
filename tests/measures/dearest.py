"""Where ``costs`` asks, and the bodies that no schema tells to be dear: results, cards, files."""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode
from zipfile import ZIP_DEFLATED, ZipFile

from tests.measures.shapes import FORM, Body, form, json_body, written

FORMAT, GAME, CARDS = "doomtrooper-original", "doomtrooper", 50_000
BOUNDARY = "girone-costs"
MEBIBYTE = 1024 * 1024
RANK = 2 * MEBIBYTE
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
PLACES: dict[str, list[str]] = {}
"""Arguments of pages of the site that need something that is there."""
SEASON = "/api/v1/series/{slug}/"


def scenes(*, cards: bool) -> dict[str, Any]:
    """Make an event in each state, own rules, and 50,000 cards of the site and of the organiser."""
    from decks.house_formats.services import create_house_format
    from decks.own_formats.services import FormatInput, create_custom_format
    from tests import factories as make
    from tests.around import Around
    from tests.decks.cards.files import loaded, many
    from tests.large_series import large_series
    from tests.rules.formulas import definitions
    from tests.site_addresses import PARTS
    from tests.tournaments.archive.filled import filled_event
    from tournaments.archive.writer import event_archive
    from tournaments.formulas.services import save_formula

    found = {state: Around(state, 8, format=FORMAT) for state in ("running", "registration")}
    for around in found.values():
        around.parts |= {"a": 1, "b": 2}
    if cards:
        loaded(GAME, many(CARDS))
        loaded(GAME, many(CARDS), owner=found["running"].by.user)
    owner = found["running"].by.user
    rules = {"zones": [{"key": "main", "name": "Main", "min": 4, "max": None}]}
    own = create_custom_format(
        FormatInput(game="Mia", name="Mia", lists="counted", rules=rules), by=owner
    )
    house = create_house_format(base=FORMAT, name="Corta", changes={}, by=owner)
    stage = definitions.stage("Svizzero", "swiss", definitions.group("A"), rounds=2)
    data = definitions.formula(stage, lowest=4, highest=10, name="Svizzero")
    formula = save_formula(owner=owner, data=data)
    for name in ("decks:change",):
        PLACES[name] = [house.slug]
    for name in ("decks:rules", "decks:rules_copy"):
        PLACES[name] = [own.slug]
    for name in ("formula-change", "formula-file", "formula-delete"):
        PLACES[f"tournaments:{name}"] = [formula.slug]
    for name in ("cards", "cards_load", "cards_drop", "complete"):
        PLACES[f"decks:{name}"] = [GAME]
    for name in ("validate", "exchange"):
        PLACES[f"/api/v1/formats/{{slug}}/{name}/"] = [FORMAT]
    PLACES["/api/v1/formats/{slug}/"] = [own.slug]
    PLACES["/api/v1/formulas/{slug}/"] = [formula.slug]
    season = large_series(make.organiser(), events=30)
    for around in found.values():
        around.parts |= {"person": season.events.first().entries.first().pk}
    for name, parts in PARTS.items():
        if "series" in name and parts[:1] == ["nowhere"]:
            PLACES[name] = [season.slug, *parts[1:]]
    PLACES[SEASON] = [season.slug]
    PLACES["archive"] = [event_archive(filled_event(found["running"].by))]  # type: ignore[list-item]
    return found


def places(scene: Any, name: str) -> str | None:
    """Return where an operation or a page is asked of an event."""
    from django.urls import reverse

    from tests.event_addresses import EVENT_PAGES
    from tests.site_addresses import PARTS

    if name.startswith("/"):
        parts = dict(scene.parts)
        place = SEASON if name.startswith(SEASON) else name
        if place in PLACES:
            (parts["slug"],) = PLACES[place]
        return name.format(**parts)
    short = name.removeprefix("tournaments:")
    if name.startswith("tournaments:") and short in EVENT_PAGES:
        return str(scene.address(short))
    return reverse(name, args=PLACES.get(name) or PARTS.get(name))


def usual_json(address: str, method: str, schema: Any) -> Any:
    """Return a body that an operation takes."""
    from django.urls import resolve

    from tests.tournaments.api.endpoints import BODIES

    begun = schema.least(schema.body)
    known = BODIES.get((str(resolve(address).url_name), method.lower()), {})
    return begun | known if isinstance(begun, dict) and isinstance(known, dict) else begun


def usual_form(name: str) -> dict[str, str]:
    """Return a form that a page takes."""
    from tests.event_addresses import BODIES

    return BODIES.get(name.removeprefix("tournaments:"), {})


def dearest(asked: Any) -> Iterator[tuple[str, Body]]:
    """Yield what is dear here in a way of its own."""
    own = OWN.get(asked.name) if asked.method != "GET" or "advice" in asked.name else None
    if own is not None:
        yield from own()
    if asked.method == "POST" and "text" in asked.keys:
        for shape, text in texts(asked.largest - 1000):
            values = dict(parse_qsl(asked.usual.content.decode())) | {"text": text}
            yield f"text: {shape}", Body(urlencode(values).encode()[: asked.largest], FORM)
    for key in sorted(asked.files):
        for shape, name, place in kept(folder())["photo" if key == "photo" else "file"]:
            if place.stat().st_size < asked.largest - 2000:
                yield f"{key}: {shape}", upload(asked, key, name, place.read_bytes())


def folder() -> Path:
    """Return where the database stands, and beside it the files that are sent."""
    from django.conf import settings

    return Path(str(settings.DATABASES["default"]["NAME"])).parent


def upload(asked: Any, key: str, name: str, content: bytes) -> Body:
    """Return a form with a file."""
    values = {"whose": "mine", "whole": "on"} | dict(parse_qsl(asked.usual.content.decode()))
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in values.items()
        if field != key
    ]
    head = f'Content-Disposition: form-data; name="{key}"; filename="{name}"\r\n'
    begun = "".join(parts) + f"--{BOUNDARY}\r\n{head}\r\n"
    return Body(begun.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode(), MULTIPART)


def texts(room: int) -> Iterator[tuple[str, str]]:
    """Yield lists: of other names each, of names that are nearly those of cards, of people."""
    for shape, line in (
        *(("names", "Carta {0}\n"), ("nearly cards", "1 Crata {0} del Cole\n")),
        *(("cards", "1 Carta {0} del Colle\n"), ("long names", "2 x{0}" + "y" * 200 + "\n")),
        *(("people", "Zita {0}, Club {0}\n"), ("columns", "N{0}\t1\t2\t3\t4\t5\t6\n")),
        ("zones", "Zona {0}:\n1 a\n"),
    ):
        lines, size = [], 0
        for at in range(room):
            lines.append(line.format(at))
            size += len(lines[-1]) * 1.1 + 12
            if size > room:
                break
        yield shape, "".join(lines)


def ranks() -> Iterator[tuple[str, Body]]:
    """Yield results: of most players, of most matches, of totals without a common divisor."""
    from rules.criteria import CRITERIA
    from rules.criteria.of_tables import TABLE_CRITERIA

    chance, every = random.Random(3), [*CRITERIA.keys()]

    def wins(n: int) -> Iterator[dict[str, Any]]:
        for i in range(90_000):
            winner = chance.choice(("a", "b", "draw"))
            yield {"a": i % n, "b": (i % n + 1 + i // n) % n, "winner": winner}

    def spread(n: int, most: int) -> Iterator[dict[str, Any]]:
        for i in range(n):
            left = i % most + 1
            while left > 0:
                games, left = min(99, left), left - 99
                won = games // 2 + 1
                yield {"a": i, "b": None, "games": [won, max(0, games - won), 0]}
        for i in range(60_000):
            yield {"a": i % n, "b": (i % n + 1 + i // n) % n, "winner": "draw"}

    def chain(n: int, leaders: int) -> Iterator[dict[str, Any]]:
        others = cycle(range(leaders, n))
        for i in range(leaders):
            for _ in range(leaders - i):
                yield from [{"a": i, "b": next(others), "winner": "a"}] * 2

    def tables(n: int, seats: int, key: str) -> Iterator[dict[str, Any]]:
        for _ in range(30_000):
            at = chance.sample(range(n), seats)
            yield {"seats": at, key: [*range(1, seats + 1)]}

    level = {"points": {"win": 7, "draw": 7, "loss": 7}}
    direct = {"criteria": sorted(every, key=lambda name: not name.startswith("head")), **level}
    for n in (400, 1000, 5000):
        yield f"wins of {n}", ranked(n, wins(n), criteria=every)
    for n, most in ((1000, 1300), (3000, 500), (5000, 100)):
        yield f"games of {n}", ranked(n, spread(n, most), criteria=every)
    for n, leaders in ((5000, 18), (1000, 98), (700, 140), (400, 249)):
        yield f"level {leaders} of {n}", ranked(n, chain(n, leaders), **direct)
    for n, seats, key in ((5000, 5, "places"), (1000, 2, "places"), (5000, 5, "scores")):
        found = ranked(n, tables(n, seats, key), criteria=[*TABLE_CRITERIA.keys()])
        yield f"{key} of {seats} of {n}", found
    yield "no matches", ranked(5000, iter(()), criteria=every)


def ranked(n: int, matches: Iterator[dict[str, Any]], **more: Any) -> Body:
    """Return as many matches of ``n`` players as are taken."""
    document: dict[str, Any] = {"players": [*range(n)], "matches": [], **more}
    size = len(written(document))
    for match in matches:
        size += len(written(match)) + 1
        if size > RANK:
            break
        document["matches"].append(match)
    return json_body(document)


def lists() -> Iterator[tuple[str, Body]]:
    """Yield lists for the API, as text and by zones."""
    for shape, text in texts(64_000):
        yield f"text: {shape}", json_body({"text": text[:64_000]})
    for count in (1, 10**6):
        entries = [{"name": f"Crata {i} del Cole", "count": count} for i in range(4_900)]
        yield f"entries × {count}", json_body({"zones": {"main": entries}})
    zones = {f"z{i}": [{"name": "a", "count": 1}] for i in range(4_900)}
    yield "zones", json_body({"zones": zones})


def advice() -> Iterator[tuple[str, Body]]:
    """Yield questions for advice."""
    for players in (2, 2900, 4999):
        for more in ({}, {"tables": 1, "hours": 1000}, {"tables": 5000, "hours": 0.1}):
            asked = {"players": players, "minutes": 50, **more}
            yield str(asked), Body(b"", query=urlencode(asked))


def notes() -> Iterator[tuple[str, Body]]:
    """Yield texts in Markdown, of marks that open and never close."""
    for sign in (
        "[](",
        "[",
        "![",
        "> ",
        "*_",
        "**a ",
        "`",
        "``a`",
        "~~",
        "- ",
        "|a",
        "<a:",
        "1. \n",
    ):
        yield f"text {sign!r}", json_body({"text": (sign * 20_000)[:20_000]})


def held() -> Iterator[tuple[str, Body]]:
    """Yield the second step of cards: another 50,000 in place of those, all, one, and bombs."""
    from decks.cards.files import HELD, cards_as_csv, read_cards
    from decks.cards.views import encode_table
    from tests.decks.cards.files import many

    def step(text: str) -> Body:
        return form({"held": text, "whose": "mine", "whole": "on", "version": "1"})

    for shape, content in (
        ("all changed", many(CARDS, testo="Altro")),
        ("all others", many(CARDS).replace(b"Carta", b"Altra").replace(b"Card", b"Other")),
        ("one", many(1)),
        ("long", many(CARDS, **{f"colonna {at}": "x" * 20 for at in range(15)})),
    ):
        yield (
            f"held: {shape}",
            step(encode_table(cards_as_csv(read_cards(content, limits=HELD).cards))),
        )
    for shape, content in (("newlines", b"\n" * 32 * MEBIBYTE), ("a", b"a" * 32 * MEBIBYTE)):
        yield f"held: {shape}", step(encode_table(b"nome;testo\n" + content))


def archives() -> Iterator[tuple[str, bytes]]:
    """Yield archives: with one table's rows again and again, of texts, of nothing but brackets."""
    from tournaments.archive.reader import LARGEST, MOST_ROWS

    (content,) = PLACES["archive"]
    whole = json.loads(content)
    yield "as it was", written(whole)
    for table in ("entries", "matches", "reports", "log", "decklists"):
        rows = whole["tables"].get(table) or []
        if rows:
            times = LARGEST // 2 // len(written(rows[0]))
            yield (
                f"{table} again",
                written(whole | {"tables": whole["tables"] | {table: rows[:1] * times}}),
            )
    for table in (
        "announcements",
        "rulings",
        "staff_notes",
        "penalties",
    ):  # drawn, and no two clash
        rows = whole["tables"][table]
        more = {table: rows + rows[:1] * (MOST_ROWS - 500)}
        yield f"{table} as many as may be", written(whole | {"tables": whole["tables"] | more})
    begun = written(whole)[:-1] + b',"zz":['
    for shape, piece in (
        ("[]", b"[],"),
        ("{}", b'{"":0},'),
        ("a", b'"a",'),
        ("é", '"é",'.encode()),
    ):
        for share in (1, 8):
            room = LARGEST // share - len(begun) - 200
            yield f"{shape} 1/{share}", begun + piece * (room // len(piece)) + b"0]}"
    yield "[", b"[" * (LARGEST - 3000)
    yield "[[]]", b"[" * 99 + b"]" * 99
    yield "text", begun + b'"' + b"a" * (LARGEST - len(begun) - 2000) + b'"]}'


def tables_of_files() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield files: what they are, their names, and how they are made."""
    from tests.decks.cards.files import as_xlsx, many
    from tests.decks.cards.published_files import as_json, duel, magic
    from tests.decks.readers.nasty import NASTY

    yield from ((shape, name, made) for shape, (name, made) in NASTY.items())
    for size in (MEBIBYTE - 5000, 10 * MEBIBYTE - 5000):
        for sign in ("\n", "a\n", ",", ";\n", "1 a\n", '"', "a,b,c,d\n", "a\t"):
            yield f"{sign!r} × {size}", "a.csv", lambda n=size, s=sign: (s * (n // len(s))).encode()
    yield "50,000 cards", "a.csv", lambda: many(CARDS)
    yield "50,000 others", "a.csv", lambda: many(CARDS).replace(b"Car", b"Bar")
    yield "20 columns", "a.csv", lambda: many(20_000, **{f"c{at}": "x" * 20 for at in range(20)})
    for rows, columns in ((50_000, 3), (4_999, 19), (2_000, 8)):
        yield (
            f"{rows} × {columns} cells",
            "a.xlsx",
            lambda r=rows, c=columns: as_xlsx([f"n{at}", *["ab"] * (c - 1)] for at in range(r)),
        )
    yield "many sheets", "a.xlsx", sheets
    yield (
        "YGOPRODeck",
        "a.json",
        lambda: as_json({"data": [duel(at, f"Card {at}") for at in range(CARDS)]}),
    )
    yield (
        "Scryfall",
        "a.json.gz",
        lambda: gzip.compress(
            as_json([magic(f"Card {at}", oracle_text="x" * 300) for at in range(CARDS)])
        ),
    )
    yield (
        "a million names",
        "a.json.gz",
        lambda: gzip.compress(
            as_json([{"object": "card", "name": f"a{at}"} for at in range(10**6)])
        ),
    )
    first = b'[{"object":"card","name":"a"},'
    for shape, piece in (("[]", b"[],"), ("text", b'"a",')):
        yield f"packed {shape}", "a.json.gz", lambda p=piece: gzip.compress(first + p * 10**7)
    yield "packed zeros", "a.gz", lambda: gzip.compress(bytes(400 * MEBIBYTE))
    yield "empty members", "a.gz", lambda: gzip.compress(first) + gzip.compress(b"") * 500_000
    yield "deep", "a.json", lambda: b"[" * MEBIBYTE
    yield "a zip of 20,000", "a.zip", lambda: zipped(20_000)


def zipped(members: int) -> bytes:
    """Return a zip of many files."""
    from io import BytesIO

    into = BytesIO()
    with ZipFile(into, "w", ZIP_DEFLATED) as archive:
        for at in range(members):
            archive.writestr(f"cards/en/{at}.json", b"[]")
    return into.getvalue()


def sheets() -> bytes:
    """Return a workbook of many sheets."""
    from io import BytesIO

    from openpyxl import Workbook

    book, into = Workbook(), BytesIO()
    for at in range(400):
        for row in range(20):
            book.create_sheet(f"s{at}") if not row else book.worksheets[-1].append(["a", row])
    book.save(into)
    return into.getvalue()


@cache
def kept(folder: Path) -> dict[str, list[tuple[str, str, Path]]]:
    """Return the files that are sent, written once: what each is, its name and where it stands."""
    found: dict[str, list[tuple[str, str, Path]]] = {}
    for kind, listed in (("photo", photos()), ("file", tables_of_files())):
        found[kind] = []
        for at, (shape, name, made) in enumerate(listed):
            place = folder / f"{kind}{at}"
            place.write_bytes(made())
            found[kind].append((shape, name, place))
    return found


def photos() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Yield pictures."""
    from tests.measures.photos import BOMBS, WITHIN

    yield from ((shape, "a.jpg", made) for shape, made in (BOMBS | WITHIN).items())


def restored() -> Iterator[tuple[str, Body]]:
    """Yield archives for the API."""
    yield from ((shape, Body(content, query="slug=altra")) for shape, content in archives())


OWN: dict[str, Callable[[], Iterator[tuple[str, Body]]]] = {
    "/api/v1/rank/": ranks,
    "/api/v1/formats/{slug}/validate/": lists,
    "/api/v1/formats/{slug}/exchange/": lists,
    "/api/v1/formulas/advice/": advice,
    "tournaments:advice": advice,
    "/api/v1/events/{slug}/information/": notes,
    "/api/v1/events/restore/": restored,
    "decks:cards_load": held,
}
