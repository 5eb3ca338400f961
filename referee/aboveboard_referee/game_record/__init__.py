"""Games as plain text that people read and programs read back: docs/records.md."""
