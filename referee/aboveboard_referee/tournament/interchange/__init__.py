"""Tournaments as files that other programs read and write: TRF, CSV, JSON. Text in, text out."""
