"""Witnesses of public logs: running one, and asking some for their co-signatures.

A witness keeps what it last co-signed of each log (`state`), answers one request by it
(`cosigner`) and is reached over plain HTTP and over gRPC (`service`). Whoever has a log
asks all of its witnesses at once (`ask`).
"""
