"""Each example of the documentation is read, or asked about, as the documentation says."""

import re
from pathlib import Path

import pytest

from rules.errors import BadInput
from rules.people.person_names import Person
from tournaments.players.people_files import read_paste, read_people_file

DOCS = (Path(__file__).parents[3] / "docs" / "players.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(.+?)`(.*?) \| (.+) \|$", re.MULTILINE)


def examples(heading: str) -> list[tuple[str, bool, str]]:
    """Return what is written, whether in a file, and what is said of it."""
    section = DOCS.partition(f"## {heading}")[2].partition("\n## ")[0]
    found = ROW.findall(section)
    assert len(found) == len(re.findall(r"^\| `", section, re.MULTILINE)) > 5
    plain = (
        (text.replace("⇥", "\t").replace("⏎", "\n"), where, said) for text, where, said in found
    )
    return [(text, "file" in where, said) for text, where, said in plain]


def told(person: Person) -> str:
    byes = f"{person.byes} byes" if person.byes else ""
    surname = f"surname {person.surname}" if person.surname else ""
    contact = (f"{key} {value}" for key, value in person.contact)
    return ", ".join(filter(None, (person.name, person.club, surname, byes, *contact)))


READ = [*examples("Tables"), *examples("Lists with a player a line")]


@pytest.mark.parametrize(("text", "file", "said"), READ, ids=[text for text, _f, _s in READ])
def test_what_is_written_is_read_as_it_says(text: str, file: bool, said: str) -> None:
    found = read_people_file(text.encode(), memberships=()) if file else read_paste(text, ())
    assert " · ".join(map(told, found.people)) == said.partition("; the page")[0]


ASKED = examples("What is asked")


@pytest.mark.parametrize("text", [text for text, _file, _said in ASKED])
def test_what_is_asked_is_not_read(text: str) -> None:
    with pytest.raises(BadInput):
        read_paste(text, ()).people  # noqa: B018
