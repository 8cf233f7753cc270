"""JSON bodies from strangers: whatever they hold, a refusal names it and nothing breaks."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

from decks.strict_json import strict_json

LONGEST_BODY = 1024 * 1024  # bytes


class TooLong(APIException):
    """A body that no list needs."""

    status_code = 413
    default_code = "body_too_long"


class ObjectParser(JSONParser):
    """Reads a JSON object; refuses everything else, and texts that no database keeps."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object; raises ParseError, for an endless nest of brackets too."""
        body = stream.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            raise TooLong(_("A list needs no more than a megabyte. Nothing was stored."))
        try:
            read = strict_json(body.decode())
            written = json.dumps(read, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The JSON holds half characters.")) from None
        except ValueError:
            raise ParseError(_("The body is no JSON, or names a key twice.")) from None
        if not isinstance(read, dict):
            raise ParseError(_("The body must be a JSON object."))
        if b"\\u0000" in written:
            raise ParseError(_("The JSON holds characters that no list has."))
        return read
