"""Whole tournaments of made-up entrants, to see what a pairing system makes of their strengths."""
