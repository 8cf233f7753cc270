"""Pages, by audience: get the object, ask the form, call one service, answer."""
