"""What ready-made rules do not check, in the words of their files, for translation.

Words that an organiser writes are not here, and are read as they were written.
"""

from rules.wording import gettext_noop as _

NOT_CHECKED = (
    _("ACE SPEC and Radiant cards"),
    _("a Basic Pokémon"),
    _("aspects"),
    _("banned cards"),
    _("colour identity"),
    _("colours of the leader"),
    _("forbidden and limited cards until a list is brought"),
    _("ink colours"),
    _("kinds in their decks"),
    _("opened cards"),
    _("regulation marks"),
    _("sets"),
    _("who may be a commander"),
)
