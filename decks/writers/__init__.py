"""Lists as files that read back as the same lists."""
