"""Compresses short JSON of entries and states with a preset dictionary: the keys and values that most of them have.

Deflate finds nothing to repeat in a text of 80 bytes. With the dictionary before it, what such texts have in common
takes a few bits. A row names its dictionary in its first byte. A dictionary never changes, since stored rows need it;
a better one gets the next number.
"""

from __future__ import annotations

import zlib

MARK = b"\x01"
"""The first byte of what `compress` returns: the number of the dictionary. No JSON and no zlib stream begins so."""
_WINDOW = -12
"""A raw stream, without header and checksum, whose window of 4 KiB holds the dictionary and a short text."""
_LEVEL = 9
_MEMORY = 5

_DICTIONARY = b"".join(
    [  # deflate refers to what is near with fewer bits, so that the most usual texts come last
        b'"confirmed":"sentence":"money":"choice":"date":"time":"number":"items":["count":"errors":"message":"doing":',
        b'"offers":"schedules":"overlays":"spending":"unprompted":"cut_off":"forked":"snapshot":"outer":[{"shelved":',
        b'"judged":"calls":"closed_forms":"last_field":"note":"scope":"question":"timers":[{"due_ms":1"awaiting_approval":',
        b'"form":{"asked":"answered":"status":"collecting","buttons":["attempts":1,"replaced":"confidence":0.9,"words":"',
        b'"last_item":"request_chars":1"field":"","kind":"question"}"because":"","cost":0.0"by":"rules"}"claims":[',
        b'{"format":2,"flow":"","version":1,"fingerprint":"","seq":1,"turn":1,"at_ms":17,"time_zone":"UTC","language":"en",',
        b'"status":{"type":"waiting","what":"message","since_ms":17},"frame":{"node":"","visit":1,"turns":1,',
        b'"is_work_done":true,"transcript_from":1,"entered_turn":1,"pending":["","",1,""],"visits":{"":1,"":1},',
        b'"tools":{"counts":{"":1},"last":[["",1,""],["",1,""]]},"decided":{"/before":1,"/tool":1,"/after":1}},',
        b'"came_from":1,"values":{"":["","understood",1,17,null,null]},"run_moves":2}',
        b'{"type":"started","flow":"","version":1,"fingerprint":"","node":""}',
        b'{"type":"command_refused","command":{"type":"set","reason":"{"type":"form_changed","run":{"',
        b'{"type":"command_applied","command":{"type":"set","field":"","value":""}}',
        b'{"type":"user_chose","value":"","position":1}{"type":"form_closed","node":"","status":"confirmed"}',
        b'{"type":"understood","effect":"1.1","commands":[{"type":"set","field":"","value":""}],"by":"rules",',
        b'"model":"","prompt":"","tokens_in":1,"tokens_out":1,"thoughts":"',
        b'{"type":"field_set","field":"","value":"","how":"understood","confidence":0.9,"words":"","place":[',
        b'{"type":"field_set","field":"","value":true,"how":"set"}{"type":"user_said","text":"',
        b'{"type":"work_done","node":""}{"type":"said","text":"","kind":"reply"}',
        b'{"type":"move_planned","transition":"","target":""}{"type":"turn_ended","waits_for":"message"}',
        b'{"type":"moved","source":"","target":"","transition":"","because":""}',
        b'{"type":"tool_returned","effect":"1.2","tool":"","result":"{\\"id\\": \\"","ms":1,"call":"1-1-1"}',
        b'{"type":"model_replied","effect":"1.1","text":"","calls":[{"id":"1-1-1","tool":"","arguments":{"":""}}],"prompt":"',
        b'{"type":"effect_asked","effect":{"type":"run_tool","id":"1.2","tool":"","arguments":{"":""},"call":"1-1-1"}}',
        b'{"type":"effect_asked","effect":{"type":"call_model","id":"1.1","purpose":"reply","about":""}}',
        b'{"type":"decided","node":"","moment":"tool","outcomes":""}{"type":"decided","node":"","moment":"after",',
        b'"outcomes":"ffft","taken":1,"reads":[[false,"set",1,17,null,null],[1,"understood",1,17,null,null],["","set",1]]}',
        b'{"type":"decided","node":"","moment":"before","outcomes":"t","taken":0}',
    ]
)

_EMPTY = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
"""Has read the dictionary and nothing else; it is copied for each text."""


def compress(data: bytes) -> bytes:
    """Return a short text compressed with the preset dictionary, with the mark by which `unpack` knows it."""
    stream = _EMPTY.copy()
    return MARK + stream.compress(data) + stream.flush()


def decompress(data: bytes) -> bytes:
    """Return the text that `compress` compressed. Raises `zlib.error` for anything else."""
    stream = zlib.decompressobj(_WINDOW, _DICTIONARY)
    found = stream.decompress(data[len(MARK) :])
    if not stream.eof or stream.unused_data:
        raise zlib.error("a compressed row is cut off, or has more than its text")
    return found
