"""Text in Markdown on pages of events."""

from django import template

from config.markdown import markdown

register = template.Library()
register.filter("markdown", markdown)
