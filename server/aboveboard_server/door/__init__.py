"""Who gets in: the address that all dial, its certificate, limits, tokens and entrance."""
