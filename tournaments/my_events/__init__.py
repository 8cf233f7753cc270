"""A user's own events: what runs now, what the next ones lack, drafts, and past ones."""
