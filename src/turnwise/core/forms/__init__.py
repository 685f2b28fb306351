"""Forms: asking in order, hearing answers, confirming, editing, stopping (section 5).

Hearing changes answers and the run of the form; speaking only says what came of it.
"""
