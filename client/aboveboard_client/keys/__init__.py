"""Key files and certificates."""
