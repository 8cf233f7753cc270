"""Players pasted as text: lines, columns, what is looked over, and mentions."""

import time

import pytest

from rules.errors import BadInput
from rules.people.mentions import NameRedactor
from rules.people.person_names import (
    MOST_AT_ONCE,
    BadLines,
    Person,
    check_hidden_signs,
    clean_club,
    clean_name,
    join_names,
    possible_comma_meanings,
    read_lines,
    read_people,
    split_at_comma,
)
from rules.people.surnames import ListCorrections

CONTACT = (("e-mail", "ugo@example.org"), ("konami", "01"))


@pytest.mark.parametrize(
    ("line", "person"),
    [
        ("\tElsa", ("Elsa", "", "")),
        ("Elsa\tDraghi", ("Elsa", "Draghi", "")),
        ("3. Ugo", ("Ugo", "", "")),
        ("12) Ugo; Draghi", ("Ugo", "Draghi", "")),
        ("3 Ugo", ("Ugo", "", "")),
        ("R2.D2", ("R2.D2", "", "")),
        ("Ugo Rossi Bo; Draghi; Rossi Bo", ("Ugo Rossi Bo", "Draghi", "Rossi Bo")),
        ("Ugo Rossi Bo; ; Rossi Bo", ("Ugo Rossi Bo", "", "Rossi Bo")),
        ("Ugo Rossi Bo; Draghi; rossi bo; 2", ("Ugo Rossi Bo", "Draghi", "Rossi Bo", 2)),
        ("Ugo; ; ; 1,0", ("Ugo", "", "", 1)),
        ("Ugo;;;２", ("Ugo", "", "", 2)),
        ("Ugo\tDrago; 2; 3", ("Ugo", "Drago; 2; 3")),
        ("Ugo; Lupi: Roma", ("Ugo", "Lupi: Roma")),
        ("Ugo Rossi\t\t\t3", ("Ugo Rossi", "", "", 3)),
    ],
)
def test_what_is_pasted_becomes_a_name(line: str, person: tuple[str, ...]) -> None:
    assert read_people(f"\n{line}\n") == [Person(*person)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "contact"),
    [
        ("Ugo; ugo@example.org", (("e-mail", "ugo@example.org"),)),
        ("Ugo; Drago; ugo@example.org", (("e-mail", "ugo@example.org"),)),
        ("Ugo; Drago; ; ; e-mail: ugo@example.org; konami: 01", CONTACT),
        ("Ugo; Drago; ; ; ugo@example.org; konami: 01;", CONTACT),
        ("Ugo\tDrago\tugo@example.org\t\t\tkonami: 01", CONTACT),
    ],
)
def test_an_address_in_a_line_is_no_club(line: str, contact: tuple[tuple[str, str], ...]) -> None:
    (person,) = read_people(line)
    assert person.contact == contact
    assert person.club in ("Drago", "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("; Draghi", "A name needs at least one letter"),
        ("7. ;Draghi", "A name needs at least one letter"),
        ("Ugo Rossi; Draghi; Lupi", "must begin or end with “Lupi”"),
        ("Ugo; Drago; 2; 3", "must begin or end with “2”"),
        ("Ugo; ; ; 1.5", "Enter a whole number from 0 to"),
        ("Ugo; ; ; 10", "Enter a whole number from 0 to"),
        ("Ugo; ; ; ; what", "Remove “what”"),
        ("Ugo; a@b.org x", "Leave out email addresses"),
        ("ugo@example.org", "Leave out email addresses"),
        ("Ugo <ugo@example.org>; Drago", "Leave out email addresses"),
        ("#N/A; Drago", "“#N/A” means that text was lost"),
        ("Ugo; 3.12E+08", "“3.12E+08” means that text was lost"),
        ("Jos\ufffd", "means that text was lost"),
        ("In attesa:", "This is not a name"),
    ],
)
def test_a_line_that_is_no_player_says_why(line: str, words: str) -> None:
    people, faults = read_lines(f"Ada\n\n{line}\nBea")
    assert [person.name for person in people] == ["Ada", "Bea"]
    assert [fault.number for fault in faults] == [3]
    assert words in str(faults[0].reason)
    with pytest.raises(BadLines) as refused:
        read_people(f"Ada\n\n{line}\nBea")
    assert str(refused.value) == f"Row 3: {faults[0].reason}"
    assert refused.value.code == "bad_lines"


def test_all_lines_that_are_no_players_are_named() -> None:
    with pytest.raises(BadLines) as refused:
        read_people("---\nAda\n#REF!")
    assert str(refused.value) == (
        "Row 1: A name needs at least one letter or digit. Unreadable rows: 1, 3."
    )


@pytest.mark.parametrize(
    "lines",
    [
        *("1 {}\n2 {}", "1\t{}\n2\t{}", "7.{}\n8.{}", "#1 {}\n#2 {}", "1 - {}\n2 - {}"),
        *("(1) {}\n(2) {}", "01: {}\n02: {}", "１　{}\n２　{}", "１．{}\n２．{}", "1° {}\n2° {}"),
    ],
)
def test_numbers_before_the_lines_that_count_up_are_none_of_names(lines: str) -> None:
    people = read_people(lines.format("Ada Rossi", "Bea"))
    assert [person.name for person in people] == ["Ada Rossi", "Bea"]


@pytest.mark.parametrize("sign", ["-", "•", "*", "–"])
def test_one_sign_before_each_line_is_none_of_names(sign: str) -> None:
    assert read_people(f"{sign} Ada\n{sign}Bea") == [Person("Ada"), Person("Bea")]
    assert read_people(f"{sign} Ada\nBea") == [Person("Ada"), Person("Bea")]


@pytest.mark.parametrize(
    ("line", "name", "remark"),
    [
        ("3 - Anna Rossi", "Anna Rossi", ""),
        ("15: Lia", "Lia", ""),
        ("#3 Marco", "Marco", ""),
        ("4️⃣ Bea", "Bea", ""),
        ("🔟 Dino", "Dino", ""),
        ("1️⃣2️⃣ Elia (pagato) 👍", "Elia", "pagato 👍"),
        ("[x] Ada", "Ada", ""),
        ("👍🏽 Luca", "Luca", ""),
        ("[21:04, 27/11/2026] Beppe: Mario Rossi", "Mario Rossi", ""),
        ("[27/11/26, 21:04:33] Beppe Bo: 1) Mario", "Mario", ""),
        ("27/11/26, 21:04 - Beppe: Mario", "Mario", ""),
        ("27/11/2026, 9:04 PM - Beppe: Mario", "Mario", ""),
        ("Luca - paid", "Luca", "paid"),
        ("Luca (maybe late)", "Luca", "maybe late"),
        ("Luca +1", "Luca", "+1"),
        ("Luca?", "Luca", "?"),
        ("Luca ✅", "Luca", "✅"),
        ("Luca,", "Luca", ""),
        ("Anna  Rossi 🇮🇹", "Anna Rossi", "🇮🇹"),
        ("- Ada; Drago", "Ada", ""),
        ("7 Davide Russo", "Davide Russo", ""),
        ("Andrea Lo Presti (da confermare)", "Andrea Lo Presti", "da confermare"),
        ("9. Simone Barbieri - deve ancora pagare", "Simone Barbieri", "deve ancora pagare"),
        ("Paolo Gallo pagato", "Paolo Gallo", "pagato"),
        ("Paolo Gallo non pagato", "Paolo Gallo", "non pagato"),
        ("Paolo Gallo Pagato ✅", "Paolo Gallo", "Pagato ✅"),
        ("Luca late +1", "Luca", "late +1"),
        ("Luca OK", "Luca", "OK"),
        ("Lia Neri arriva alle 21:30", "Lia Neri", "arriva alle 21:30"),
        ("Paolo Tardi", "Paolo Tardi", ""),
        ("Forse", "Forse", ""),
        ("io ci sono! Alessandro Fontana", "Alessandro Fontana", "io ci sono!"),
        ("presente: Anna De Luca (forse)", "Anna De Luca", "presente: forse"),
        ("R2.D2", "R2.D2", ""),
        ("2Pac", "2Pac", ""),
        ("3.5 Rossi", "3.5 Rossi", ""),
        ("Jean-Luc", "Jean-Luc", ""),
        ("De Luca, Anna", "Anna De Luca", ""),
        ("Rossi, Anna Maria (forse)", "Anna Maria Rossi", "forse"),
    ],
)
def test_what_stands_around_a_name_is_taken_off(line: str, name: str, remark: str) -> None:
    ((person,), faults) = read_lines(line)
    assert (person.name, person.remark, person.doubt, faults) == (name, remark, None, [])


@pytest.mark.parametrize(
    ("lines", "doubtful"),
    [
        ("Ciao ragazzi, chi viene venerdì?\nAda\nBea", 1),
        ("Ada\nCi siamo tutti!\nBea", 2),
        ("Ada\nBea\nsi comincia alle 21:00", 3),
        ("Ada\nio ci sono! ale fontana\nBea", 2),
        ("Draft Modern: Venerdì Sera\nAda\nBea", 1),
        ("Ada\nse manca qualcuno lo dica qui\nBea", 2),
        ("Draft di venerdì\nAda\nBea", 1),
    ],
)
def test_a_line_that_may_be_no_name_says_so(lines: str, doubtful: int) -> None:
    people, faults = read_lines(lines)
    assert [at for at, one in enumerate(people, 1) if one.doubt] == [doubtful]
    assert not faults
    assert read_lines("Draft di venerdì")[0][0].doubt is None


def test_a_line_without_marks_over_marked_ones_is_their_title() -> None:
    people, faults = read_lines("Serata\n1) Ada\n3) Bea\n4) Ugo\n7\n+1")
    assert [one.name for one in people if not one.doubt] == ["Ada", "Bea", "Ugo"]
    assert [one.name for one in people if one.doubt] == ["Serata"]
    assert [fault.number for fault in faults] == [5, 6]


@pytest.mark.parametrize("lines", ["3 Ugo\nBea", "3 Ugo\n5 Bea", "Ugo\n2 Bea"])
def test_a_number_before_a_name_is_none_of_it(lines: str) -> None:
    assert [person.name for person in read_people(lines)] == ["Ugo", "Bea"]


def test_numbers_without_names_are_names() -> None:
    assert [person.name for person in read_people("1\n2")] == ["1", "2"]


def test_a_name_of_a_hundred_thousand_accents_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadInput):
        clean_name("Ada" + "\u0316\u0301" * 50_000)
    assert time.process_time() - began < 5
    assert clean_name("  A\u0301da \n") == "Áda"


@pytest.mark.parametrize("sign", ["\u202e", "\u3164", "\u2800", "\x07"])
def test_a_club_holds_no_sign_that_cannot_be_seen(sign: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_club(f"Circolo{sign} Astro")
    assert refused.value.code == "bad_club"
    with pytest.raises(BadLines) as refused:
        read_people(f"Ada\nBea; Cir{sign}colo")
    assert [fault.number for fault in refused.value.faults] == [2]


@pytest.mark.parametrize(
    "club", ["anna@example.org", "Astro anna@example.org", " <Bea.Neri+x@mail.example.it>"]
)
def test_a_club_holds_no_address_unless_it_is_stored_already(club):
    with pytest.raises(BadInput) as refused:
        clean_club(club)
    assert refused.value.code == "bad_club"
    assert clean_club(club, addresses=True) == club.strip()
    assert clean_club("Astro @ Roma") == "Astro @ Roma"


def test_a_club_is_tidied_and_may_be_missing() -> None:
    assert clean_club(" Circolo \t A\u0301stro ") == "Circolo Ástro"
    assert clean_club("  ") == ""
    assert clean_club("C" * 80) == "C" * 80
    with pytest.raises(BadInput, match="at most 80 characters") as refused:
        clean_club("C" * 81)
    assert refused.value.code == "bad_club"


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\x07", "\ud800"])
def test_words_for_others_hold_no_sign_that_cannot_be_seen(sign: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_hidden_signs(f"Ruled{sign} so")
    assert refused.value.code == "hidden_signs"


def test_words_may_have_lines_and_any_letter() -> None:
    check_hidden_signs("Riga\r\n\taltra: però 👩‍🔧 \U0001fae8 שלום")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("A" * 81, "at most 80 characters"),
        ("Ada\u202e", "invisible characters"),
        ("Ada\x07", "invisible characters"),
        ("", "at least one letter"),
        ("– ?", "at least one letter"),
        ("🐉🐉", "at least one letter"),
        ("\u200b\u200e", "at least one letter"),
        ("A\u0316\u0317\u0318\u0319\u031cda", "too many accents"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(name: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as refused:
        clean_name(name)
    assert refused.value.code == "bad_name"


def test_a_club_has_four_accents_on_a_letter_at_most() -> None:
    assert clean_club("A\u0316\u0317\u0318\u0319stro") == "A\u0316\u0317\u0318\u0319stro"
    with pytest.raises(BadInput, match="too many accents") as refused:
        clean_club("A\u0316\u0317\u0318\u0319\u031cstro")
    assert refused.value.code == "bad_club"


def test_from_one_to_a_thousand_people_are_read_at_once() -> None:
    assert len(read_people("Ada\n" * MOST_AT_ONCE)) == MOST_AT_ONCE
    for text in ("", "\n \n", "Ada\n" * (MOST_AT_ONCE + 1), "Ada\n---\n" * MOST_AT_ONCE):
        with pytest.raises(BadInput, match="1 to 1000 names") as refused:
            read_people(text)
        assert refused.value.code == "bad_lines"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("Ugo\n12", 2, "This is not a name"),
        ("Ugo 3331234567", 1, "Leave out email addresses"),
        ("https://example.org/players", 1, "Leave out email addresses"),
        ("Ugo; Drago 3331234567", 1, "Leave out email addresses"),
    ],
)
def test_what_is_no_name_or_club_is_named_line_by_line(text: str, line: int, words: str) -> None:
    _people, (fault,) = read_lines(text)
    assert fault.number == line
    assert words in str(fault.reason)


def test_those_at_a_table_are_named_in_the_order_of_their_seats() -> None:
    assert join_names(["Ada", "Bea", "Carla"]) == "Ada – Bea – Carla"
    assert join_names([]) == ""


CLUBS = "Ada Rossi, Torre\nBruno Neri, Cavallo"


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (CLUBS, True),
        (CLUBS + "\n\n", True),
        ("Ada Rossi, Torre", False),
        (CLUBS + "\nCarla", True),
        (CLUBS + "\nCarla\nDora", False),
        ("Ada Rossi, Torre\nCarla", False),
        (CLUBS + "\nCarla; Torre", False),
        ("Ada, Bea, Carla\nDora, Elio, Fosca", False),
        ("Ada,\nBea,", False),
    ],
)
def test_columns_are_offered_where_one_comma_repeats_over_the_lines(text, offered):
    assert bool(possible_comma_meanings(text)) == offered


def test_a_comma_divides_two_cells_and_a_line_without_one_has_one():
    assert split_at_comma(f"\n{CLUBS}\nCarla") == [
        (2, ("Ada Rossi", "Torre")),
        (3, ("Bruno Neri", "Cavallo")),
        (4, ("Carla", "")),
    ]
    assert split_at_comma("1. Rossi, Ada; x\n2. Neri, Bruno") == [
        (1, ("Rossi", "Ada; x")),
        (2, ("Neri", "Bruno")),
    ]


ADA, BEA = Person("Ada Neri", "", "", 0, ()), Person("Bea De Luca", "", "", 0, ())


def test_names_are_turned_and_surnames_and_contacts_changed() -> None:
    contact = (("e-mail", "ada at example"), ("konami", "x"))
    people = [ADA._replace(contact=contact), BEA]
    assert ListCorrections().applied_to(people) == people
    changes = ListCorrections(
        surnames={"Ada Neri": "Ada"},
        contacts={"ada at example": "ada@exam", "ada@exam": "ada@example.org", "x": ""},
    )
    ada, bea = changes.applied_to(people)
    assert (ada.surname, ada.contact) == ("Ada", (("e-mail", "ada@example.org"),))
    assert bea == BEA
    turned = ListCorrections(turned=True).applied_to([Person("Neri Ada", "", "", 0, ())])
    assert turned[0].surname == "Neri"


def test_a_border_is_moved_in_a_name_that_is_there() -> None:
    changes = ListCorrections().with_border([ADA, BEA], "Bea De Luca", 1)
    assert set(changes.surnames) == {"Bea De Luca"}
    moved = changes.applied_to([ADA, BEA])[1].surname
    assert moved in {"Luca", "De Luca"}
    for name, word in (("Nessuno", 0), ("Bea De Luca", 3), ("Bea De Luca", -1)):
        assert ListCorrections().with_border([ADA, BEA], name, word) == ListCorrections()


LABEL = "Giocatore 7"


def of(*names: str, others: tuple[str, ...] = ()) -> NameRedactor:
    return NameRedactor(frozenset(names), LABEL, frozenset(others))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Marco Rossi", LABEL),
        ("3/2: Marco Rossi – Luigi Verdi", f"3/2: {LABEL} – Luigi Verdi"),
        ("vince MARCO  ROSSI!", f"vince {LABEL}!"),
        ("Rossi Marco e Rossi, Marco", f"{LABEL} e {LABEL}"),
        ("Marco Rossini e Gianmarco Rossi", "Marco Rossini e Gianmarco Rossi"),
        ("Il signor Rossi", "Il signor Rossi"),
    ],
)
def test_a_whole_name_is_found(text: str, left: str) -> None:
    assert of("Marco Rossi").text(text) == left


def test_single_words_are_found_where_the_text_is_about_the_person() -> None:
    found = of("Marco Rossi", others=("Marco Bianchi",))
    assert found.text("Rossi e Marco litigano", parts=True) == f"{LABEL} e Marco litigano"
    assert found.text("i rossi attaccano", parts=True) == "i rossi attaccano"


def test_a_longer_name_of_somebody_else_is_left() -> None:
    found = of("Marco", others=("Marco Rossi",))
    assert found.text("Marco batte Marco Rossi") == f"{LABEL} batte Marco Rossi"


@pytest.mark.parametrize("name", ["Al", "X", "+"])
def test_a_short_name_is_found_only_by_itself(name: str) -> None:
    found = of(name)
    assert found.text(f"{name} tavolo 3") == f"{name} tavolo 3"
    assert found.text(f"1/1: {name} – Bea") == f"1/1: {LABEL} – Bea"


def test_a_single_word_is_matched_as_written() -> None:
    assert of("Rosa").text("la rosa di Rosa") == f"la rosa di {LABEL}"


def test_a_name_that_another_has_too_stands_for_both() -> None:
    shared = {"marco rossi": "Giocatore 7/9"}
    found = NameRedactor(frozenset({"Marco Rossi"}), LABEL, frozenset({"Marco Rossi"}), shared)
    assert found.text("Marco Rossi si lamenta") == "Giocatore 7/9 si lamenta"


def test_data_holds_no_name_as_key_or_value() -> None:
    data = {"Marco Rossi": 1, "list": ["Marco Rossi", 2, None], "in": {"text": "Da Marco Rossi"}}
    assert of("Marco Rossi").data(data) == {
        LABEL: 1,
        "list": [LABEL, 2, None],
        "in": {"text": f"Da {LABEL}"},
    }


def test_addresses_are_replaced_wherever_they_stand() -> None:
    found = NameRedactor(frozenset(), LABEL, exact={"m.rossi@example.org": "x@girone.invalid"})
    assert found.text("scrivi a M.Rossi@example.org") == "scrivi a x@girone.invalid"
    assert found.text("mm.rossi@example.org") == "mm.rossi@example.org"


def test_a_text_holds_a_name_or_stays() -> None:
    assert of("Marco Rossi").holds("MARCO ROSSI arbitra")
    assert not of("Marco Rossi").holds("Marco arbitra")
    assert not of("Marco Rossi").holds("")
    assert not of().holds("Marco Rossi arbitra"), "somebody without a name is in no text"


@pytest.mark.parametrize(
    ("text", "remains"),
    [
        ("La signora Canarelli è attesa", True),
        ("CANÀRELLI!", True),
        ("zefirina", True),
        ("Bo", False),
        ("Canarellini", False),
        ("Zefirina Verdi vince", False),
        ("Zefirina Verdi e Zefirina", True),
        (LABEL, False),
        ("", False),
    ],
)
def test_a_single_word_of_four_letters_may_remain(text: str, remains: bool) -> None:
    mentions = of("Zefirina Bo Canàrelli", others=("Zefirina Verdi",))
    assert mentions.may_remain(text) is remains


def test_short_names_have_no_telling_word() -> None:
    assert not of("Ada Bo").may_remain("Ada e Bo")
    assert not NameRedactor(frozenset(), LABEL).may_remain("Ada")
