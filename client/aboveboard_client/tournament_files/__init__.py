"""Tournaments in files of this and other programs: TRF, CSV and JSON, and their next round."""
