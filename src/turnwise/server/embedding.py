"""Mounts the API and the studio into an application of the user's own, with its authentication.

    app = tw.open("intake.flow.yaml", store="sqlite:///talks.db")

    @asynccontextmanager
    async def lifespan(_: FastAPI):
        async with app:  # a mounted application has no life of its own
            yield

    site = FastAPI(lifespan=lifespan)
    site.mount("/talks", tw.asgi(app, authenticate=who))

`who` is a function of a Starlette request, or a coroutine function, that returns a `tw.Identity` or `None`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.api.app import App
from turnwise.api.open import check_parts
from turnwise.errors import WrongArgument
from turnwise.runner.clocks import SystemClock, checked_clock
from turnwise.runner.ports import Clock
from turnwise.server.access import Identity, OwnAccess
from turnwise.server.addresses import MOST_PROXIES, Proxies
from turnwise.server.app import Server, create
from turnwise.server.gate import EXPECTED_HOST, EXPECTED_ORIGIN, is_host, is_origin
from turnwise.server.limits import ServerLimits
from turnwise.server.visitors import Visitors

if TYPE_CHECKING:
    from starlette.requests import Request


def asgi(  # noqa: PLR0913  each is one decision of the application around it
    apps: App | Sequence[App],
    *,
    authenticate: Callable[[Request], Identity | Awaitable[Identity | None] | None],
    limits: ServerLimits | None = None,
    hosts: Iterable[str] | None = None,
    origins: Iterable[str] = (),
    visitors: Iterable[str] = (),
    login_url: str | None = None,
    proxies: Proxies | None = None,
    clock: Clock | None = None,
) -> Server:
    """Return an ASGI application with the API and the studio of some apps, which share one store.

    `authenticate` returns who sends a request, `None` for an unknown caller. `hosts` are the names that it answers
    for; without them the application around it checks that. `origins` are other pages that may use it. `visitors` are
    the flows that the chat widget uses without a login. `login_url` is the address of your login page, to which the
    studio links; `{next}` in it stands for the address to return to. `proxies` are those in front whose header names
    the address of a client: `tw.Proxies(1)`. Raises `WrongArgument`.
    """
    check_parts(None, clock=clock)
    found = _checked(apps)
    names = [app.machine.flow.name for app in found]
    if not callable(authenticate):
        raise WrongArgument("authenticate", authenticate, "a function of a request that returns an Identity or None")
    if login_url is not None and not _is_address(login_url):
        raise WrongArgument("login_url", login_url, "a path that begins with '/', or an http or https address")
    open_to_all = _each("visitors", visitors, names.__contains__, f"the name of a flow: {', '.join(names)}")
    allowed = _each("origins", origins, is_origin, EXPECTED_ORIGIN)
    answered = _each("hosts", hosts, is_host, EXPECTED_HOST) if hosts is not None else None
    if proxies is not None and not 1 <= proxies.count <= MOST_PROXIES:
        raise WrongArgument("proxies", proxies, f"tw.Proxies of 1 to {MOST_PROXIES} proxies")
    own = OwnAccess(authenticate, login_url)
    access = Visitors(own, open_to_all) if open_to_all else own
    ticking = checked_clock(clock or SystemClock())
    more: dict[str, Any] = {"hosts": answered, "origins": allowed, "proxies": proxies}
    return create(found, access=access, limits=limits or ServerLimits(), clock=ticking, **more)


def _checked(apps: App | Sequence[App]) -> tuple[App, ...]:
    """Return the apps of one server. Raises `WrongArgument`."""
    found: tuple[Any, ...] = (apps,) if isinstance(apps, App) else tuple(apps)
    if not found or not all(isinstance(app, App) for app in found):
        raise WrongArgument("apps", apps, "an App, or a list of them")
    names = [app.machine.flow.name for app in found]
    if len(set(names)) < len(names):
        raise WrongArgument("apps", names, "apps whose flows have different names")
    if any(app.runtime.store is not found[0].runtime.store for app in found):
        raise WrongArgument("apps", names, "apps that were opened with one store")
    return found


def _each(argument: str, given: Iterable[str], is_right: Callable[[str], bool], expected: str) -> tuple[str, ...]:
    """Return the texts of an argument. Raises `WrongArgument`."""
    found = tuple(given)
    for text in found:
        if not is_right(text):
            raise WrongArgument(argument, text, expected)
    return found


def _is_address(text: object) -> bool:
    """Return whether a text can be the target of a link; `javascript:` cannot."""
    return isinstance(text, str) and text.startswith(("/", "http://", "https://"))
