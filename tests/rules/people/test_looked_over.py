"""Changes of a list of people while it is looked over."""

from rules.people.person_names import Person
from rules.people.surnames import Changes

ADA, BEA = Person("Ada Neri", "", "", 0, ()), Person("Bea De Luca", "", "", 0, ())


def test_names_are_turned_and_surnames_and_contacts_changed() -> None:
    contact = (("e-mail", "ada at example"), ("konami", "x"))
    people = [ADA._replace(contact=contact), BEA]
    assert Changes().applied_to(people) == people
    changes = Changes(
        surnames={"Ada Neri": "Ada"},
        contacts={"ada at example": "ada@exam", "ada@exam": "ada@example.org", "x": ""},
    )
    ada, bea = changes.applied_to(people)
    assert (ada.surname, ada.contact) == ("Ada", (("e-mail", "ada@example.org"),))
    assert bea == BEA
    turned = Changes(turned=True).applied_to([Person("Neri Ada", "", "", 0, ())])
    assert turned[0].surname == "Neri"


def test_a_border_is_moved_in_a_name_that_is_there() -> None:
    changes = Changes().with_border([ADA, BEA], "Bea De Luca", 1)
    assert set(changes.surnames) == {"Bea De Luca"}
    moved = changes.applied_to([ADA, BEA])[1].surname
    assert moved in {"Luca", "De Luca"}
    for name, word in (("Nessuno", 0), ("Bea De Luca", 3), ("Bea De Luca", -1)):
        assert Changes().with_border([ADA, BEA], name, word) == Changes()
