"""Strict parsers for JSON request bodies: invalid input is refused with a sentence."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from decks.files.strict_json import strict_json

MEGABYTE = 1024 * 1024


class TooLong(APIException):
    """The request body is larger than any call needs."""

    status_code = 413
    default_code = "body_too_long"


class BodyParser(BaseParser):
    """Base of parsers of JSON that need nothing but the body."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of a request's body; called by Django REST framework."""
        return self.value(stream)

    def value(self, body: IO[Any]) -> Any:
        """Return the value of a body given as bytes; subclasses implement it."""
        raise NotImplementedError


class StrictParser(BodyParser):
    """Parse JSON strictly; refuse oversized bodies and text that no database can store."""

    longest = 4
    """Maximum size in megabytes; two thousand players need about two."""

    def value(self, body: IO[Any]) -> Any:
        """Return the value; raises ParseError, also for excessive nesting."""
        content = body.read(self.longest * MEGABYTE + 1)
        if len(content) > self.longest * MEGABYTE:
            words = _("This call takes %(most)s megabytes at most. Nothing was stored.")
            raise TooLong(words % {"most": self.longest})
        try:
            read = strict_json(content.decode())
            written = json.dumps(read, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The JSON holds half characters.")) from None
        except ValueError:
            raise ParseError(_("The body is not JSON, or names a key twice.")) from None
        if b"\\u0000" in written:
            raise ParseError(_("The JSON holds characters that no text can have."))
        return read


class ObjectParser(StrictParser):
    """Parse a JSON object; refuse every other value."""

    longest = 1

    def value(self, body: IO[Any]) -> dict[str, Any]:
        """Return the object; raises ParseError."""
        read = super().value(body)
        if not isinstance(read, dict):
            raise ParseError(_("The body must be a JSON object."))
        return read
