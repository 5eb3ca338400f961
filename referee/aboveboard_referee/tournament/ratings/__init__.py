"""What results say about strength: ratings, intervals, sequential tests, less luck.

Nothing that is signed or verified depends on these numbers, so they may be floats. Each is a
function of its arguments down to the last bit that the platform's ``log`` and ``exp`` give.
"""
