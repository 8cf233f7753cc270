"""A drafted round: what is worth a look before it is published, and what may be changed by hand."""
