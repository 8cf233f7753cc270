"""Readers of deck lists, one module per file type; each registers itself in ``base.READERS``.

``kinds.read_file`` chooses the reader and checks the list.
"""
