"""Names of models: `provider:model`, several in the order in which they are tried; those of a flow are checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import urlsplit

from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Diagnostic, nearest, problem
from turnwise.flow.model import Flow

FORBIDDEN = "TURNWISE_NO_MODELS"
"""The variable that forbids real models, whoever names one."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Who serves models: the extra and the package that reach it, the variables that may hold its key, where it is."""

    extra: str
    package: str
    keys: tuple[str, ...] = ()
    needs_key: bool = True
    address_variable: str = ""
    address: str = ""


PROVIDERS = {
    "openai": Provider("openai", "openai", ("OPENAI_API_KEY",), address_variable="OPENAI_BASE_URL"),
    "anthropic": Provider("anthropic", "anthropic", ("ANTHROPIC_API_KEY",), address_variable="ANTHROPIC_BASE_URL"),
    "google": Provider(
        "google", "google.genai", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), address_variable="GOOGLE_GEMINI_BASE_URL"
    ),
    "mistral": Provider("mistral", "mistralai", ("MISTRAL_API_KEY",), address_variable="MISTRAL_BASE_URL"),
    "groq": Provider("groq", "groq", ("GROQ_API_KEY",), address_variable="GROQ_BASE_URL"),
    "bedrock": Provider("bedrock", "boto3", needs_key=False),
    "ollama": Provider(
        "openai",
        "openai",
        ("OLLAMA_API_KEY",),
        needs_key=False,
        address_variable="OLLAMA_BASE_URL",
        address="http://localhost:11434/v1",
    ),
    "vllm": Provider(
        "openai",
        "openai",
        ("VLLM_API_KEY",),
        needs_key=False,
        address_variable="VLLM_BASE_URL",
        address="http://localhost:8000/v1",
    ),
    "compatible": Provider("openai", "openai", ("COMPATIBLE_API_KEY",), needs_key=False),
}
"""Every provider by its name. `compatible` is any server that speaks like OpenAI's; its address stands in the name."""

STAND_INS = ("offline", "scripted", "cassette", "record")
_HOW = "write provider:model, such as openai:gpt-5-mini"
_ELSEWHERE = "compatible:llama3@http://localhost:8080/v1"


@dataclass(frozen=True, slots=True)
class RealName:
    """A model of a provider; `address` is where it is served, for `compatible`."""

    provider: str
    model: str
    address: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f"@{self.address}" if self.address else "")


@dataclass(frozen=True, slots=True)
class Offline:
    """No model."""


@dataclass(frozen=True, slots=True)
class Script:
    """A file with replies."""

    file: str


@dataclass(frozen=True, slots=True)
class Cassette:
    """A recording that is played; with models, one that is made by asking them."""

    file: str
    models: tuple[RealName, ...] = ()


Chosen = Offline | Script | Cassette | tuple[RealName, ...]


def read_name(text: str) -> Chosen:
    """What a text names. Raises `TurnwiseError` that says what is wrong with it, and what was meant perhaps."""
    text = text.strip()
    kind, _, rest = text.partition(":")
    match kind:
        case "offline" if not rest:
            return Offline()
        case "scripted":
            return Script(_file(text, rest))
        case "cassette":
            return Cassette(_file(text, rest))
        case "record":
            file, _, models = rest.partition("@")
            if not file or not models:
                raise TurnwiseError(f"model {text!r}: write record:FILE@provider:model, to record what it answers")
            return Cassette(file, _models(models))
        case _:
            return _models(text)


def _file(text: str, file: str) -> str:
    if not file:
        raise TurnwiseError(f"model {text!r} names no file: write {text.partition(':')[0]}:FILE")
    return file


def _models(text: str) -> tuple[RealName, ...]:
    return tuple([_model(one.strip()) for one in text.split(",")])


def _model(text: str) -> RealName:
    provider, colon, model = text.partition(":")
    if provider in STAND_INS:
        raise TurnwiseError(f"model {text!r} stands alone: only models of providers can take turns or be recorded")
    if not colon or not provider:
        raise TurnwiseError(f"model {text!r} names no provider; {_HOW}, or offline")
    if provider not in PROVIDERS:
        hint = nearest(provider, (*PROVIDERS, *STAND_INS)) or f"there are {', '.join((*PROVIDERS, *STAND_INS))}"
        raise TurnwiseError(f"model {text!r}: no provider is called '{provider}'; {hint}")
    model, at, address = model.partition("@http")
    if not model:
        how = f"write {_ELSEWHERE}" if provider == "compatible" else _HOW
        raise TurnwiseError(f"model {text!r} names no model of {provider}; {how}")
    if provider != "compatible" and at:
        raise TurnwiseError(f"model {text!r}: {_elsewhere(provider, model, at[1:] + address)}")
    return RealName(provider, model, _address(text, at[1:] + address) if provider == "compatible" else "")


def _elsewhere(provider: str, model: str, address: str) -> str:
    """How another address is named: keys of a provider are not sent to whoever a name mentions."""
    variable = PROVIDERS[provider].address_variable
    other = f"set {variable}, or " if variable else ""
    return f"the address of {provider} does not stand in the name; {other}write compatible:{model}@{address}"


def _address(text: str, address: str) -> str:
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole, parts = False, urlsplit("")
    if not is_whole:
        raise TurnwiseError(f"model {text!r} needs an address: {_ELSEWHERE}")
    if parts.username or parts.password or parts.query:
        raise TurnwiseError(
            f"model '{text.partition('@')[0]}@…': a key does not stand in an address; set COMPATIBLE_API_KEY"
        )
    return address


# what a real model needs -------------------------------------------------------------------------


def are_forbidden(environment: Mapping[str, str]) -> bool:
    """Whether the environment forbids real models."""
    return environment.get(FORBIDDEN, "").strip().casefold() not in ("", "0", "false", "no")


def key_of(name: RealName, environment: Mapping[str, str]) -> str:
    """The key, from the environment and nowhere else; empty where there is none."""
    return next((found for key in PROVIDERS[name.provider].keys if (found := environment.get(key, "").strip())), "")


def address_of(name: RealName, environment: Mapping[str, str]) -> str:
    """Where the model is served; empty for the provider's own address."""
    provider = PROVIDERS[name.provider]
    return name.address or environment.get(provider.address_variable, "").strip() or provider.address


def check_ready(name: RealName, environment: Mapping[str, str]) -> None:
    """Raise `TurnwiseError` where the packages or the key of a model are not there, with what to do."""
    provider = PROVIDERS[name.provider]
    if not (_is_installed("pydantic_ai") and _is_installed(provider.package)):
        raise TurnwiseError(f"{name} needs packages that are not installed: pip install 'turnwise[{provider.extra}]'")
    if provider.needs_key and not key_of(name, environment):
        raise TurnwiseError(f"{name} needs a key: set {' or '.join(provider.keys)} in the environment")


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def unknown_models(flow: Flow) -> Iterator[Diagnostic]:
    """Every name of a model, of the flow or of a node, that names none."""
    for part in (flow, *flow.nodes):
        if part.model:
            try:
                read_name(part.model)
            except TurnwiseError as error:
                yield problem("TW082", str(error), part.span.of("model"))
