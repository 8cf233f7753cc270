"""A cache in each process of parts of pages that recur from version to version."""

from collections.abc import Hashable
from itertools import count

from django import template
from django.conf import settings
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()
MOST = 2_000
"""Parts in the cache; all are dropped when there are more."""
_numbers = count()
parts: dict[Hashable, SafeString] = {}
forget = parts.clear


class CachedPart(template.Node):
    """A template node whose output is cached by the values it depends on."""

    def __init__(self, values: list[FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist
        self.number = next(_numbers)

    def render(self, context: Context) -> SafeString:
        """Return the output cached for the same values and language, else render it."""
        if "parts" in settings.CACHES_OFF:
            return self.nodelist.render(context)
        values = (value.resolve(context) for value in self.values)
        key = (self.number, get_language(), *values)
        found = parts.get(key)
        if found is None:
            if len(parts) >= MOST:
                parts.clear()
            found = parts[key] = self.nodelist.render(context)
        return found


@register.tag
def cached(parser: Parser, token: Token) -> CachedPart:
    """Cache the output up to ``{% endcached %}`` by these values and the language.

    They must be all that it depends on, be compared by value, and be the same for every
    reader: no form, for its token is one reader's, and no moment.
    """
    values = [parser.compile_filter(each) for each in token.split_contents()[1:]]
    nodelist = parser.parse(("endcached",))
    parser.delete_first_token()
    return CachedPart(values, nodelist)
