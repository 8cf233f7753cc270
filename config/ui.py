"""Components as template tags; see below for each."""

from django import template

register = template.Library()
