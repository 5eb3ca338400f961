"""What outlives a process: folders, journals, and files that are replaced as a whole."""
