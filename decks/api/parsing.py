"""Strict parsers for JSON request bodies: invalid input is refused with a sentence."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from config.sizes import KIBIBYTE, max_api_body_size
from config.wording import translate
from decks.files.limits import parse_strict_json
from rules.json_reader import TooDeepError, wrong_type_error


class BodyTooLongError(APIException):
    """API error 413: the request body is larger than its view accepts."""

    status_code = 413
    default_code = "body_too_long"


class BodyParser(BaseParser):
    """Base of DRF parsers of JSON: reads no more of the body than its view accepts.

    Raises BodyTooLongError.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of a request's body; called by Django REST framework."""
        most = max_api_body_size((parser_context or {}).get("view"))
        content = stream.read(most + 1)
        if len(content) > most:
            raise BodyTooLongError(_("At most %(most)s KiB.") % {"most": most // KIBIBYTE})
        return self.value(content)

    def value(self, content: bytes) -> Any:
        """Return the value of a body; subclasses implement it."""
        raise NotImplementedError


class StrictParser(BodyParser):
    """DRF parser of strict JSON; refuses text that no database can store."""

    def value(self, content: bytes) -> Any:
        """Return the value; raises ParseError, also for excessive nesting."""
        try:
            read = parse_strict_json(content.decode())
            written = json.dumps(read, ensure_ascii=False).encode()
        except TooDeepError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The text has invalid characters.")) from None
        except ValueError:
            raise ParseError(_("The body is not valid JSON.")) from None
        if b"\\u0000" in written:
            raise ParseError(_("The text has invalid characters."))
        return read


class ObjectParser(StrictParser):
    """DRF parser of a JSON object; refuses every other JSON value."""

    def value(self, content: bytes) -> dict[str, Any]:
        """Return the object; raises ParseError."""
        read = super().value(content)
        if not isinstance(read, dict):
            raise ParseError(translate(wrong_type_error("object").problem))
        return read
