"""Event streams: what happens in conversations, sent to any number of clients as server-sent events.

`derive` makes the events of a stream from the entries of a journal, `feeds` does so once for all streams of a
conversation, `tab` is the stream of one client. The position of a client is in the `id` of each event, so that a
client that connects again receives each event once, in order.
"""
