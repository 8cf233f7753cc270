"""How an event goes: stages in order, and who goes from where to where."""
