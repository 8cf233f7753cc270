"""Files from strangers: looked at before they are opened, read into tables and lists."""
