"""The pages of formats, card lists and house formats."""
