"""The text of the privacy page: the site owner's own, else the one shipped in this folder."""

from pathlib import Path

from accounts.models import PrivacyNotice

FOLDER = Path(__file__).parent
HEADING = "# "


def privacy_text(language: str) -> str:
    """Return the operator's privacy text in a language, else the shipped one; one query.

    language: a code such as "it".
    """
    own = PrivacyNotice.objects.filter(language=language).values_list("text", flat=True).first()
    return own if own and own.strip() else shipped_text(language)


def shipped_text(language: str) -> str:
    """Return the privacy text shipped with the program; language: a code such as "it"."""
    return (FOLDER / f"{language}.txt").read_text(encoding="utf-8")


def split_paragraphs(text: str) -> list[tuple[str, bool]]:
    """Split a text at empty lines; return (paragraph, whether it is a heading) pairs.

    Headings begin with "# ", which is removed.
    """
    blocks = "\n".join(line.rstrip() for line in text.splitlines()).split("\n\n")
    return [
        (block.strip().removeprefix(HEADING), block.strip().startswith(HEADING))
        for block in blocks
        if block.strip()
    ]
