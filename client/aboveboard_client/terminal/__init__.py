"""What people write and read: options, files in TOML, lines."""
