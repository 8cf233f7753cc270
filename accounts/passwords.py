"""What a new password must be, in the words of this site."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnough(MinimumLengthValidator):
    """Django's rule; its sentence lacks an Italian translation in Django 5.2."""

    def get_error_message(self) -> str:
        """Say how long a password must be."""
        return ngettext(
            "This password is too short: use at least %(least)s character.",
            "This password is too short: use at least %(least)s characters.",
            self.min_length,
        ) % {"least": self.min_length}
