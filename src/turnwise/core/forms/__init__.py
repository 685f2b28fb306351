"""Forms (slot filling): questions in order, answers, confirmation, edits, stop values (section 5 of the laws).

Hearing changes answers and the run of the form; speaking only says what came of it.
"""
