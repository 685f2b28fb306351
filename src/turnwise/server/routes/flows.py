"""Flows: those that are served, the page of one, and how often its transitions were judged and taken."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from turnwise.runner.search import ConversationQuery
from turnwise.server.operation import OperationCall, operation
from turnwise.server.views.flow_page import coverage_of, flow_outline, flow_page, flow_source, flow_summary
from turnwise.server.views.page_words import accepted_words
from turnwise.server.wire.flows import FlowPage, FlowSource, FlowSummary
from turnwise.server.wire.trace import EdgeHistory


@operation("GET", "/flows", "chat", answer=tuple[FlowSummary, ...], errors=(409,))
async def flows(call: OperationCall) -> tuple[FlowSummary, ...]:
    """Return the flows that are served. Files and problems need the scope `debug:read`."""
    found: list[FlowSummary] = []
    usable = call.identity.flows
    for name, app in call.service.apps.items():
        if usable is None or name in usable:
            document = call.service.document(app) if call.may("debug:read") else None
            summary = flow_summary(app.machine, document, await _count(call, name))
            shown = call.service.shown.get(name)
            found.append(summary if shown is None else replace(summary, **asdict(shown)))
    return tuple(found)


async def _count(call: OperationCall, flow: str) -> int:
    """Return how many conversations of a flow the caller may see."""
    store = call.service.store
    if call.may("operator") or not call.identity.prefix:
        return sum(one.count for one in await store.counts(flow))
    return (await store.find(ConversationQuery(flow=flow, prefix=call.identity.prefix, limit=1))).total


@operation("GET", "/flows/{flow}", "chat", answer=FlowPage, errors=(404, 409))
async def flow(call: OperationCall) -> FlowPage:
    """Return a flow with its drawing. Guards in words are in the language of `Accept-Language`, if the page has it.

    Without the scope `debug:read` or `operator` the drawing has nodes and arrows, and nothing of what the flow says: no
    prompts, no guards, no tools, no fields. Source, problems, parked conversations and coverage need `debug:read`.
    """
    app = call.service.app(call.identity, call.part("flow"))
    machine = app.machine
    conversations = await _count(call, machine.flow.name)
    words = accepted_words(call.header(b"accept-language"))
    if not call.may("debug:read"):
        is_operator = call.may("operator")  # gives values and chooses transitions
        return flow_page(machine, None, conversations, words) if is_operator else flow_outline(machine, conversations)
    parked: dict[str, int] = {}
    for one in await call.service.store.counts(machine.flow.name):
        if one.status == "waiting":
            parked[one.node] = parked.get(one.node, 0) + one.count
    coverage = coverage_of(await call.service.caches.counts(machine.flow.name))
    return flow_page(machine, call.service.document(app), conversations, words, parked, coverage)


@operation("GET", "/flows/{flow}/edges", "debug:read", answer=tuple[EdgeHistory, ...], errors=(404, 409))
async def flow_edges(call: OperationCall) -> tuple[EdgeHistory, ...]:
    """Return how often each transition was judged, held and taken, over the stored conversations of the flow."""
    app = call.service.app(call.identity, call.part("flow"))
    return coverage_of(await call.service.caches.counts(app.machine.flow.name)).edges


@operation("GET", "/flows/{flow}/source", "debug:read", answer=FlowSource, errors=(404, 409))
async def flow_texts(call: OperationCall) -> FlowSource:
    """Return the documents of a flow: its own, and those that it imports."""
    app = call.service.app(call.identity, call.part("flow"))
    is_followed = app.machine.flow.name in call.service.sources
    is_editable = call.service.editing is not None and call.may("edit")
    return flow_source(call.service.document(app), is_followed=is_followed, is_editable=is_editable)


OPERATIONS = (flows, flow, flow_edges, flow_texts)
"""The operations of this module, which the server serves."""
