"""Paths find their endpoint by parts: literal parts first, and what is no operation goes to the other application."""

import asyncio
from collections import Counter

import pytest

from turnwise.server.dispatch import Dispatch
from turnwise.server.operation import Reply, operation


def made(*paths):
    def one(path):
        @operation("GET", path, None)
        async def answer(call):
            return Reply(f"{path} {dict(call.asgi['path_params'])}".encode())

        return answer

    async def otherwise(scope, receive, send):
        await Reply(b"otherwise").respond(receive, send)

    class Service:
        is_draining = False

        def __init__(self):
            self.metrics = self
            self.statuses = Counter()

        def answered(self, status):
            self.statuses[status] += 1

        async def identify(self, needed, scope):
            return None

    return Dispatch(Service(), [one(path) for path in paths], "/api", otherwise)


def ask(dispatch, path, root=""):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(dispatch({"type": "http", "method": "GET", "path": path, "root_path": root}, None, send))
    return sent[-1]["body"].decode()


PATHS = ("/items", "/items/new", "/items/{id}", "/items/{id}/turns", "/items/{id}/turns/{n}", "/{id}/all")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/api/items", "/items {}"),
        ("/api/items/new", "/items/new {}"),
        ("/api/items/a", "/items/{id} {'id': 'a'}"),
        ("/api/items/a%2Fb", "/items/{id} {'id': 'a%2Fb'}"),
        ("/api/items/a/turns", "/items/{id}/turns {'id': 'a'}"),
        ("/api/items/new/turns", "/items/{id}/turns {'id': 'new'}"),
        ("/api/items/a/turns/7", "/items/{id}/turns/{n} {'id': 'a', 'n': '7'}"),
        ("/api/items/all", "/items/{id} {'id': 'all'}"),
        ("/api/b/all", "/{id}/all {'id': 'b'}"),
    ],
)
def test_a_path_finds_its_endpoint(path, found):
    assert ask(made(*PATHS), path) == found


@pytest.mark.parametrize(
    "path", ["/", "/api", "/items", "/api/items/", "/api/items//turns", "/api/items/a/turns/7/b", "/api/other"]
)
def test_what_is_no_operation_goes_to_the_other_application(path):
    assert ask(made(*PATHS), path) == "otherwise"


def test_an_application_may_be_mounted_under_a_path():
    assert ask(made(*PATHS), "/chat/api/items/a", "/chat") == "/items/{id} {'id': 'a'}"
