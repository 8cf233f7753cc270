"""Previews of shared links, and pages to embed in other sites.

``pictures`` says what stands on the picture of a page, ``drawing`` draws it with typst, ``views``
serves it under an address with the version in it, and serves the pages of ``/embed/``.
"""
