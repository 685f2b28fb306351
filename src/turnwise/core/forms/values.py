"""The values that the buttons of forms send, beside the options of their questions."""

CONFIRM, EDIT, RESTART, OTHER = "confirm", "edit", "restart", "other"
YES, NO = "yes", "no"
