"""Reading what was published: an archive's files, matches step by step, tables."""
