"""A formula that is being built: the draft, what was typed of it, and the steps that change it."""
