"""The words of the site: how many there are, and those that the style guide does without.

``make words`` prints each figure beside its goal, and exits with 1 where one is above it. Labels
stand in italics in README and documents.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale/it/LC_MESSAGES/django.po"
GLOSSARY = ROOT / "docs/glossary.md"
TWINS = "messages that differ from another by case or punctuation alone"
GOALS = {
    "messages": 3_000,
    "words of messages": 18_000,
    "messages that say nothing was stored or changed": 0,
    "messages that begin in lower case, of five words and more": 0,
    "messages with a word that the glossary does without": 0,
    TWINS: 0,
    "docstrings with a word that the glossary does without": 0,
    "lines of documents with a word that the glossary does without": 0,
    "labels that documents name and no page has": 0,
    "words of README.md": 750,
    "words of CHANGELOG.md": 700,
    "words of docs": 25_000,
}
GUIDES = ("changing-the-plan.md", "players.md", "privacy.md", "start*.md", "venue*.md")
"""Documents in which whatever stands in italics is a label."""
NOTHING = re.compile(r"Nothing (was|is|were) |Nothing changed")
LABEL = re.compile(r"(?<![*\w])\*(?! )([^*]+)\*(?![*\w])")
WORD = re.compile(r"\w+|%\(\w+\)s|%%|[<>=+−–⌀]")
VALUE = re.compile(r"%\(\w+\)s|TIME|\d[\d:]*|…")


PACKAGES = ("accounts", "config", "decks", "rules", "tournaments")


def main() -> int:
    """Print the figures beside their goals, and each label that no page has."""
    entries = [entry for entry in polib.pofile(str(CATALOGUE)) if not entry.obsolete]
    labels = sorted(unknown_labels(entries))
    counts = {
        **figures([entry.msgid for entry in entries]),
        TWINS: twins(entries),
        **figures_of_texts(),
        "labels that documents name and no page has": len(labels),
    }
    for name, goal in GOALS.items():
        sys.stdout.write(f"| {name} | {counts[name]:,} | {goal:,} |\n")
    for place, label in labels:
        sys.stdout.write(f"{place}: *{label}*\n")
    return int(any(counts[name] > goal for name, goal in GOALS.items()))


def figures(messages: list[str]) -> dict[str, int]:
    """Return the figures of messages, by the names of ``GOALS``."""
    avoided = re.compile(rf"\b({'|'.join(map(re.escape, avoided_words()))})\b", re.IGNORECASE)
    long = [message for message in messages if len(message.split()) > 4]
    return {
        "messages": len(messages),
        "words of messages": sum(len(message.split()) for message in messages),
        "messages that say nothing was stored or changed": sum(
            map(bool, map(NOTHING.search, messages))
        ),
        "messages that begin in lower case, of five words and more": sum(
            message[:1].islower() for message in long
        ),
        "messages with a word that the glossary does without": sum(
            map(bool, map(avoided.search, messages))
        ),
    }


def twins(entries: list[polib.POEntry]) -> int:
    """Return how many messages differ from another of their context by case or punctuation alone.

    Translators tell messages of different contexts apart, as where the Italian has two genders.
    """
    kept = {(entry.msgctxt, entry.msgid) for entry in entries}
    shapes = {(context, " ".join(WORD.findall(text.lower())) or text) for context, text in kept}
    return len(kept) - len(shapes)


def figures_of_texts() -> dict[str, int]:
    """Return the figures of documents and docstrings, by the names of ``GOALS``."""
    avoided = re.compile(rf"\b({'|'.join(map(re.escape, avoided_words()))})\b", re.IGNORECASE)
    documents = {
        path: path.read_text(encoding="utf-8")
        for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md"))
    }
    said = [each for name in PACKAGES for each in docstrings(ROOT / name)]
    lines = [
        line for path, text in documents.items() if path != GLOSSARY for line in text.splitlines()
    ]
    counts = {path.name: len(text.split()) for path, text in documents.items()}
    return {
        "docstrings with a word that the glossary does without": sum(
            map(bool, map(avoided.search, said))
        ),
        "lines of documents with a word that the glossary does without": sum(
            map(bool, map(avoided.search, lines))
        ),
        "words of README.md": counts.pop("README.md"),
        "words of CHANGELOG.md": counts.pop("CHANGELOG.md"),
        "words of docs": sum(counts.values()),
    }


def docstrings(package: Path) -> Iterator[str]:
    """Yield the docstrings of a package's modules, classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield text


def avoided_words() -> list[str]:
    """Return the English words of the glossary's last column, of two words and more."""
    rows = [line.split("|") for line in GLOSSARY.read_text().splitlines() if line.startswith("|")]
    words = (word.strip() for row in rows[2:] for word in row[4].split(","))
    return [word for word in words if " " in word and not word.endswith(" alone")]


def unknown_labels(entries: list[polib.POEntry]) -> Iterator[tuple[str, str]]:
    """Yield (document, label) of each label in italics that is no message, in either language."""
    texts = (
        text
        for entry in entries
        for text in (entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values())
    )
    known = {shape(text) for text in texts}
    documents = (path for name in GUIDES for path in sorted((ROOT / "docs").glob(name)))
    for path in (ROOT / "README.md", *documents):
        for label in LABEL.findall(path.read_text()):
            parts = [" ".join(part.split()) for part in label.split("→")]
            if any(shape(part) not in known for part in parts):
                yield path.name, label


def shape(text: str) -> str:
    """Return a label without its values: "Add 17 names" and "Add %(count)s names" are alike."""
    return VALUE.sub("#", text).strip(" .:").lower()


if __name__ == "__main__":
    sys.exit(main())
