"""Measurements, run by hand or by `make bench`; none of them is a test."""
