"""Password validation."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnough(MinimumLengthValidator):
    """Django's minimum length, with a message that is translated into Italian."""

    def get_error_message(self) -> str:
        return ngettext(
            "This password is too short: use at least %(least)s character.",
            "This password is too short: use at least %(least)s characters.",
            self.min_length,
        ) % {"least": self.min_length}
