"""Letters on sheets and pictures: those of widespread scripts are drawn, whose are not is told."""

import json

import pytest
import typst
from django.test import Client

from tests import factories as make
from tests.browsers import signed_in
from tests.tournaments.paper.test_sheets import pages, sheet
from tournaments.core.event_state import load_facts
from tournaments.paper.typesetting import fonts
from tournaments.paper.views import has_unprintable_letters, unprintable_names
from tournaments.sharing.views import picture_content, render_picture

BOX = "\U0010ffff"
NAMES = {
    "Chinese": ("王小明", "李大华"),
    "Chinese, rare": ("𠮷野", "𡈽屋"),
    "Japanese": ("田中さくら", "スズキ"),
    "Korean": ("김민수", "이서연"),
    "Thai": ("สมชาย", "กิตติ"),
    "Ethiopic": ("ሰላም", "አበበ"),
    "Arabic": ("محمد", "يوسف"),
    "Hebrew": ("שלום", "דוד"),
    "Hindi": ("राहुल", "अनिल"),
    "Tamil": ("குமார்", "மீனா"),
    "Georgian": ("ნინო", "დავით"),
    "Armenian": ("Արամ", "Լիլիթ"),
    "Greek": ("Γιώργος", "Ελένη"),
    "Cyrillic": ("Олександр", "Ђорђе"),
    "Vietnamese": ("Nguyễn", "Trần"),
    "emoji": ("Ada 🎉", "Ada 🧙"),
    "emoji of several": ("👩‍🚀", "🇮🇹"),
    "signs": ("★☆", "♥①"),
}
"""Two names of each script."""
LACKED = ("𓀀", "Ꮳ", "ꦗ", "ༀ")
"""Egyptian, Cherokee, Javanese, Tibetan: no font of the sheets has them."""


def drawn(text: str, weight: int = 400) -> bytes:
    """Return a picture of a text in the type of the sheets."""
    source = f"""
        #set page(width: 300pt, height: 40pt)
        #set text(font: "Source Sans Pro", weight: {weight})
        #{json.dumps(text, ensure_ascii=False)}
    """
    made: bytes = typst.compile(source.encode(), format="png", font_paths=fonts())
    return made


@pytest.mark.parametrize("script", NAMES)
def test_names_of_a_script_are_told_apart(script: str) -> None:
    one, other = NAMES[script]
    assert drawn(one) != drawn(other)
    assert drawn(one) != drawn(one, weight=700) or script.startswith("emoji")
    assert [name for name in (one, other) if has_unprintable_letters(name)] == []


@pytest.mark.parametrize("letter", [*(each[0][0] for each in NAMES.values()), *LACKED])
def test_a_letter_is_called_a_box_where_it_is_drawn_as_one(letter: str) -> None:
    assert has_unprintable_letters(letter) == (drawn(letter) == drawn(BOX)) == (letter in LACKED)


@pytest.mark.parametrize(
    "text", ["", "Ada", "Ada\u00a0Rossi", "a\u200db", "\u2068Ada\u2069", "☀\ufe0f", "葛\U000e0100"]
)
def test_what_has_no_shape_of_its_own_is_no_box(text: str) -> None:
    assert not has_unprintable_letters(text)


@pytest.mark.deep
@pytest.mark.django_db
def test_the_sheets_tell_their_staff_whose_letters_are_lacked(by) -> None:
    event = make.open_event(by)
    make.players_more(event, ["Zoe Ꮳ", "王小明", "Ada ༀ", "Đorđe"], by)
    staff, reader = signed_in(by), Client()
    told = staff.get(f"/events/{event.slug}/print/").content.decode()
    (line,) = [each for each in told.splitlines() if "be printed in full" in each]
    assert line.strip() == "Names that can’t be printed in full: Ada ༀ, Zoe Ꮳ"
    assert "Ꮳ" not in reader.get(f"/events/{event.slug}/print/").content.decode()
    assert "王小明" in "".join(pages(sheet(staff, event, "seats")))


@pytest.mark.deep
@pytest.mark.django_db
def test_nothing_is_said_where_all_letters_are_drawn(by) -> None:
    event = make.open_event(by)
    make.players_more(event, [f"Ada {name}" for names in NAMES.values() for name in names], by)
    staff = signed_in(by)
    assert unprintable_names(load_facts(event)) == []
    assert "be printed in full" not in staff.get(f"/events/{event.slug}/print/").content.decode()


@pytest.mark.deep
@pytest.mark.django_db
def test_the_picture_of_a_player_has_the_letters_of_the_name(by) -> None:
    event = make.open_event(by)
    first, other = make.players_more(event, ["王小明", "李大华"], by)
    facts = load_facts(event)
    content = picture_content(facts, "player", first.number)
    assert content is not None
    same = {**content, "title": other.name}
    assert render_picture(content) != render_picture(same)
