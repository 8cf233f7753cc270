"""Export of a whole event to one JSON file, and restore: a round trip is byte for byte identical.

``writer`` exports, ``reader`` restores as a new event (``views``: the page for it), ``checking``
handles the rows that an event refers to without owning them, ``reader`` converts single values.
``core.valid_columns`` lists the tables; a column that an archive lacks gets its default.

Rows keep their tables and columns; a reference is the 1-based number of the row in its table
instead of a database key. Uploaded files are left out (their text is kept), and so are drafts of
decklists, invitations and everything of this installation: accounts, roles, API tokens, the card
catalogue. Contacts of players stand in it only where they were asked for
(``writer.event_archive``).

An archive is untrusted input. ``checking`` refuses each value that its column can't hold before
anything is stored; then the rows have to fit together, and the restored event is drawn as everybody
will see it (``reader.event_restored``), all in one transaction. People are names: a column with an
account has a name column beside it (``by``, ``by_name``), and both share one cell of the archive.
Restoring grants no right to anybody named in it: whoever restores becomes the organiser; with the
command and no ``--owner`` the site's administrators are. House format, formula and card lists are
stored as rows of their own (``archived``, ``archived_as``) that are not listed and are valid for
that event alone; rows that the event does not refer to, and references without their rows, are
refused. ``Restoration`` stores who restored the event, and is not archived itself.

``writer.document`` is the internal form, with accounts by key, which snapshots store;
``writer.export_document`` converts it to an archive.
"""
