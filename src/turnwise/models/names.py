"""Names of models, such as `openai:gpt-5-mini`: parses them, and reports those of a flow that name no model.

A name says nothing about keys: those come from the environment.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Diagnostic, nearest, problem
from turnwise.flow.model import Flow
from turnwise.flow.walk import named_models


class Provider(Struct, frozen=True):
    """A provider of models: the packages that reach it, the environment variables of its key, and its address."""

    extra: str
    """The extra of turnwise that installs the provider's package."""
    package: str
    """The Python package that reaches the provider."""
    keys: tuple[str, ...] = ()
    """The environment variables that may hold the provider's key; the first that is set counts."""
    needs_key: bool = True
    """False where the provider can be reached without a key."""
    address_variable: str = ""
    """The environment variable that may hold the provider's address; empty for none."""
    address: str = ""
    """The URL of the provider; empty where its package knows it."""


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
"""All providers by name. `compatible` is any server with the API of OpenAI; its name contains the address."""

STAND_INS = ("offline", "scripted", "cassette", "record")
"""The words in place of a provider's name for which no provider is called."""
_HOW = "write provider:model, such as openai:gpt-5-mini"
_COMPATIBLE = "compatible:llama3@http://localhost:8080/v1"


class RealName(Struct, frozen=True):
    """The name of a provider's model, as in `openai:gpt-5-mini`."""

    provider: str
    """The part before the colon, such as `openai`."""
    model: str
    """The part behind the colon, such as `gpt-5-mini`."""
    address: str = ""
    """The URL of the model's server, for `compatible`; empty for other providers."""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f"@{self.address}" if self.address else "")


class Offline(Struct, frozen=True):
    """The name `offline`: no model is connected."""


class ScriptFile(Struct, frozen=True):
    """The name `scripted:file`: a file with planned replies."""

    file: str
    """The path of the file."""


class Cassette(Struct, frozen=True):
    """The name of a recording that is played, or made from the answers of models."""

    file: str
    """The path of the recording's file."""
    models: tuple[RealName, ...] = ()
    """The models from whose answers the recording is made; empty where it is played."""


Chosen = Offline | ScriptFile | Cassette | tuple[RealName, ...]
"""What the name of a model stands for."""


def read_name(text: str) -> Chosen:
    """Return what the name of a model, or several names in the order in which they are tried, means.
    Raises `TurnwiseError` with what is wrong, and how to write it.
    """
    text = text.strip()
    kind, _, rest = text.partition(":")
    match kind:
        case "offline" if not rest:
            return Offline()
        case "scripted" | "cassette":
            if not rest:
                raise TurnwiseError(f"model {text!r} names no file: write {kind}:FILE")
            return ScriptFile(rest) if kind == "scripted" else Cassette(rest)
        case "record":
            file, _, models = rest.partition("@")
            if not file or not models:
                raise TurnwiseError(f"model {text!r}: write record:FILE@provider:model, to record what it answers")
            return Cassette(file, _read_models(models))
        case _:
            return _read_models(text)


def _read_models(text: str) -> tuple[RealName, ...]:
    return tuple([_read_model(one.strip()) for one in text.split(",")])


def _read_model(text: str) -> RealName:
    provider, colon, model = text.partition(":")
    if provider in STAND_INS:
        raise TurnwiseError(f"model {text!r} stands alone: only models of providers can take turns or be recorded")
    if not colon or not provider:
        raise TurnwiseError(f"model {text!r} names no provider; {_HOW}, or offline")
    if provider not in PROVIDERS:
        hint = nearest(provider, (*PROVIDERS, *STAND_INS)) or f"there are {', '.join((*PROVIDERS, *STAND_INS))}"
        raise TurnwiseError(f"model {text!r}: no provider is called '{provider}'; {hint}")
    model, at, rest = model.partition("@http")
    address = at[1:] + rest
    if not model:
        how = f"write {_COMPATIBLE}" if provider == "compatible" else _HOW
        raise TurnwiseError(f"model {text!r} names no model of {provider}; {how}")
    if provider == "compatible":
        _check_address(text, address)
    elif address:  # a name must not decide which server gets the key of a provider
        variable = PROVIDERS[provider].address_variable
        hint = (f"set {variable}, or " if variable else "") + f"write compatible:{model}@{address}"
        raise TurnwiseError(f"model {text!r}: the address of {provider} does not stand in the name; {hint}")
    return RealName(provider, model, address)


def _check_address(text: str, address: str) -> None:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole, parts = False, urlsplit("")
    if not is_whole:
        raise TurnwiseError(f"model {text!r} needs an address: {_COMPATIBLE}")
    if parts.username or parts.password or parts.query:
        raise TurnwiseError(
            f"model '{text.partition('@')[0]}@…': a key does not stand in an address; set COMPATIBLE_API_KEY"
        )


def unknown_models(flow: Flow) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every invalid model name in a flow and its nodes."""
    for name, span in named_models(flow):
        try:
            read_name(name)
        except TurnwiseError as error:
            yield problem("TW082", str(error), span)
