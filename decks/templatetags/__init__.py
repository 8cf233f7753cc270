"""Filters for pages that show cards."""
