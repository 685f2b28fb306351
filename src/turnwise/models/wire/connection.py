"""The library's model for a name, with connections of our own: a request goes out, the pieces of its answer come in."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from turnwise.core.prompts import ModelRequest
from turnwise.models.names import RealName, address_of, key_of
from turnwise.models.reach import Patience
from turnwise.models.wire.errors import trouble_of
from turnwise.models.wire.requests import ToolNames, messages_of, parameters_of
from turnwise.models.wire.responses import Hearing
from turnwise.runner.ports import ModelEvent

Close = Callable[[], Awaitable[object]]


def built(name: RealName, patience: Patience, environment: Mapping[str, str]) -> tuple[Model, Close]:
    """A model, and what closes its connections."""
    key, address = key_of(name, environment), address_of(name, environment) or None
    match name.provider:
        case "bedrock":
            return _bedrock(name.model, patience)
        case "groq":
            return _groq(name.model, key, address, patience)
        case _:
            pass
    waits = httpx2.Timeout(patience.silence_s, connect=patience.connect_s)
    client = httpx2.AsyncClient(timeout=waits, follow_redirects=False)
    match name.provider:
        case "anthropic":
            model = _anthropic(name.model, key, address, client)
        case "google":
            model = _google(name.model, key, address, client)
        case "mistral":
            model = _mistral(name.model, key, address, client)
        case _:
            model = _openai(name, key, address, client)
    return model, client.aclose


def _openai(name: RealName, key: str, address: str | None, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
    from pydantic_ai.providers.vllm import VLLMProvider

    from turnwise.models.wire.responses import ChatModel

    none = key or "none"
    match name.provider:
        case "openai":
            provider = OpenAIProvider(address, key, http_client=client)
        case "ollama":
            provider = OllamaProvider(address, none, http_client=client)
        case "vllm":
            provider = VLLMProvider(base_url=address, api_key=none, http_client=client)
        case _:
            provider = OpenAICompatibleProvider("compatible", base_url=address or "", api_key=none, http_client=client)
    # An answer that ends without saying why is one that was cut.
    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return ChatModel(name.model, provider=provider, profile=whole)


def _anthropic(model: str, key: str, address: str | None, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(model, provider=AnthropicProvider(api_key=key, base_url=address, http_client=client))


def _google(model: str, key: str, address: str | None, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(model, provider=GoogleProvider(api_key=key, base_url=address, http_client=client))


def _mistral(model: str, key: str, address: str | None, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    return MistralModel(model, provider=MistralProvider(api_key=key, base_url=address, http_client=client))


def _groq(model: str, key: str, address: str | None, patience: Patience) -> tuple[Model, Close]:
    import httpx
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    client = httpx.AsyncClient(timeout=httpx.Timeout(patience.silence_s, connect=patience.connect_s))
    return GroqModel(model, provider=GroqProvider(api_key=key, base_url=address, http_client=client)), client.aclose


def _bedrock(model: str, patience: Patience) -> tuple[Model, Close]:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    provider = BedrockProvider(aws_connect_timeout=patience.connect_s, aws_read_timeout=patience.silence_s)
    return BedrockConverseModel(model, provider=provider), _nothing


async def _nothing() -> None:
    """The library for AWS lets go by itself."""


_OWN_RETRIES = ("openai", "anthropic", "groq", "ollama", "vllm", "compatible")
"""Whose clients would ask again by themselves; asking again is done once, in one place."""


class Line:
    """A model of the library and its connections. Raises `Trouble` where it cannot be made."""

    def __init__(self, name: RealName, patience: Patience, environment: Mapping[str, str]) -> None:
        self.name = name
        self.settings = ModelSettings(max_retries=0) if name.provider in _OWN_RETRIES else ModelSettings()
        try:
            self.model, self.close = built(name, patience, environment)
        except Exception as error:  # noqa: BLE001  the clients of providers raise what they like
            raise trouble_of(error) from None

    async def pieces(self, request: ModelRequest) -> AsyncGenerator[ModelEvent | None]:
        """The pieces of an answer; `None` for a sign of life without a word. Raises `Trouble`."""
        names = ToolNames(request)
        hearing = Hearing(self.name.provider, names)
        try:
            async with model_request_stream(
                self.model,
                messages_of(request, names),
                model_settings=self.settings,
                model_request_parameters=parameters_of(request, names),
                instrument=False,
            ) as stream:
                async for event in stream:
                    yield hearing.heard(event)
                found = hearing.ended(stream.get())
        except Exception as error:  # noqa: BLE001  the same
            raise trouble_of(error) from None
        for event in found:
            yield event
