"""Previews of shared links, and pages to embed in other sites.

``views`` says what stands on the picture of a page, draws it with typst, serves it under an address
with the version in it, and serves the pages of ``/embed/``.
"""
