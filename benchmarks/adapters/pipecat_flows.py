"""Pipecat flows: the cost of the import only, for its turns need a running pipeline of audio or text."""

from __future__ import annotations

import common as c


class Adapter(c.Adapter):
    """No turns."""

    NAME = "pipecat_flows"
    STORES = ()
    IMPORT = "import pipecat_flows"
    PACKAGES = ("pipecat-ai-flows", "pipecat-ai")
