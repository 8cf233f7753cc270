"""What organisers change in a list of people while they look it over, before anybody is entered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.people.person_names import Person
from rules.people.surnames import moved_border, split_name, surnames_first


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes of a list: they are kept by what they change, and stay when lines come or go.

    ``turned`` names have the surname first. ``surnames`` are those of names, ``contacts`` what is
    written instead of an address or a number that can't be one.
    """

    turned: bool = False
    surnames: Mapping[str, str] = field(default_factory=dict)
    contacts: Mapping[str, str] = field(default_factory=dict)

    def applied_to(self, people: Sequence[Person]) -> list[Person]:
        """Return people with the changes."""
        if self.turned:
            people = surnames_first(people)
        return [self._changed(person) for person in people]

    def _changed(self, person: Person) -> Person:
        contact = ((name, self._mended(text)) for name, text in person.contact)
        return person._replace(
            surname=self.surnames.get(person.name, person.surname),
            contact=tuple((name, text) for name, text in contact if text),
        )

    def _mended(self, text: str) -> str:
        for _change in self.contacts:
            text = self.contacts.get(text, text)
        return text

    def with_border(self, people: Sequence[Person], name: str, word: int) -> "Changes":
        """Return the changes after a word of a name, from 0, was said to be on the other side.

        Of a name that is not in the list nothing changes.
        """
        person = next((one for one in people if one.name == name), None)
        if person is None or word not in range(len(name.split())):
            return self
        surname, _rest = split_name(name, person.surname)
        return replace(self, surnames={**self.surnames, name: moved_border(name, surname, word)})
