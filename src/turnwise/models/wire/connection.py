"""A connection to a provider: the library's model for a name, its HTTP client, and what its errors mean."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, cast

import httpx2
from pydantic_ai import exceptions as x
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import Model
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings

from turnwise.core.prompts import ModelRequest
from turnwise.core.values.json_data import as_object
from turnwise.core.values.nesting import TOO_DEEP, is_too_deep
from turnwise.models.names import RealName
from turnwise.models.reach import AttemptFailed, Patience, address_of, key_of
from turnwise.models.wire.requests import ToolNames, messages_of, parameters_of
from turnwise.models.wire.required_calls import RequiredCalls, required_tool, schema_parameters, schema_request
from turnwise.models.wire.responses import MergedCalls, ResponseReader
from turnwise.runner.model_port import ModelEvent
from turnwise.runner.too_long import says_too_long

NO_TAGS = ("", "")
"""Tags that no piece of a text is. `runner.thoughts` finds thoughts: the library would only where a tag is a piece."""
_RETRYING = ("openai", "anthropic", "groq", "ollama", "vllm", "compatible")
"""The providers whose clients would send a request again. Only `ProviderModel` does that."""


class ProviderConnection:
    """A provider's model with its HTTP client. Raises `AttemptFailed` where it cannot be made."""

    def __init__(self, name: RealName, patience: Patience, environment: Mapping[str, str]) -> None:
        self.name = name
        self.settings = ModelSettings(max_retries=0) if name.provider in _RETRYING else ModelSettings()
        try:
            self.model, self.close = _model_and_close(name, patience, environment)
            self.required = RequiredCalls(name.provider)
        except Exception as error:  # noqa: BLE001  the clients of providers raise anything
            raise _attempt_failed(error) from None

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent | None]:
        """Yield the pieces of an answer; `None` for an event without content. Raises `AttemptFailed`."""
        return self.required.stream(request, self._sent) if request.must_call else self._sent(request, by_schema=False)

    async def _sent(self, request: ModelRequest, *, by_schema: bool) -> AsyncGenerator[ModelEvent | None]:
        """Send a request once; its required call `by_schema` is asked for as a text of that form."""
        if by_schema:
            tool, request = required_tool(request), schema_request(request)
            names, parameters = ToolNames(request), schema_parameters(tool)
        else:
            names = ToolNames(request)
            parameters = parameters_of(request, names)
        reader = ResponseReader(self.name, names)
        try:
            async with model_request_stream(
                self.model,
                messages_of(request, names, str(self.name)),
                model_settings={**self.settings, **_settings(request)},
                model_request_parameters=parameters,
                instrument=False,
            ) as stream:
                async for event in stream:
                    yield reader.read(event)
                found = reader.end(stream.get())
        except Exception as error:  # noqa: BLE001  the same
            raise _attempt_failed(error) from None
        for event in found:
            yield event


def _settings(request: ModelRequest) -> ModelSettings:
    """Return the settings of a request as the library names them."""
    names = {"stop": "stop_sequences"}
    found: dict[str, Any] = {names.get(name, name): value for name, value in request.settings.items()}
    if "stop_sequences" in found:
        found["stop_sequences"] = list(found["stop_sequences"])
    if "thinking" in found:
        found["thinking"] = {"on": True, "off": False}.get(found["thinking"], found["thinking"])
    return cast("ModelSettings", found)


Close = Callable[[], Awaitable[object]]
"""A function that closes a connection."""


def _model_and_close(name: RealName, patience: Patience, environment: Mapping[str, str]) -> tuple[Model, Close]:
    """Return a model, and the function that closes its connections."""
    key, address = key_of(name, environment), address_of(name, environment) or None
    match name.provider:
        case "bedrock":
            return _bedrock(name.model, patience)
        case "groq":
            return _groq(name.model, key, address, patience)
        case _:
            pass
    timeout = httpx2.Timeout(patience.silence_s, connect=patience.connect_s)
    client = httpx2.AsyncClient(timeout=timeout, follow_redirects=False)
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
    # An answer without a reason for its end was cut off.
    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True, thinking_tags=NO_TAGS)
    if name.provider != "openai":  # other servers know the older name of `max_completion_tokens`
        whole["openai_chat_supports_max_completion_tokens"] = False
        whole["supports_json_schema_output"] = True
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
    profile = ModelProfile(thinking_tags=NO_TAGS)
    return GroqModel(
        model, profile=profile, provider=GroqProvider(api_key=key, base_url=address, http_client=client)
    ), client.aclose


def _bedrock(model: str, patience: Patience) -> tuple[Model, Close]:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    provider = BedrockProvider(aws_connect_timeout=patience.connect_s, aws_read_timeout=patience.silence_s)
    return BedrockConverseModel(model, provider=provider), _no_close


async def _no_close() -> None:
    """Do nothing: the library for AWS closes its connections itself."""


# errors ----------------------------------------------------------------------------------------------

_MEANINGS: tuple[tuple[type[Exception], str, bool], ...] = (
    (x.ModelQuotaExceededError, "answers no more: the account's quota or credit is used up", False),
    (x.ModelRateLimitError, "is asked too often", True),
    (x.ModelUnavailableError, "is not available now", True),
    (x.ModelServerError, "failed", True),
    (x.ModelTimeoutError, "did not answer in time", True),
    (x.ModelConnectionError, "broke off its answer", True),
    (x.ModelAuthenticationError, "does not accept the key", False),
    (x.ModelNotFoundError, "is not known there", False),
    (x.ModelContextWindowExceededError, "cannot take so long a conversation", False),
    (x.ModelRequestRejectedError, "refused the request", False),
    (x.ModelHTTPError, "failed", False),
    (x.ModelAPIError, "sent an answer that cannot be read, or not to its end", True),
    (x.UnexpectedModelBehavior, "sent an answer that cannot be read", True),
    (x.UserError, "cannot be asked", False),
    (MergedCalls, "sent two calls of tools as one, and they cannot be distinguished", False),
)
"""Every kind of error, the narrow ones first: its meaning, and whether the same request may succeed later."""


def _attempt_failed(error: Exception) -> AttemptFailed:
    """Return what an error of the library, or of a client below it, means."""
    if isinstance(error, AttemptFailed):
        return error
    meaning, may_pass = next(
        ((meaning, may_pass) for kind, meaning, may_pass in _MEANINGS if isinstance(error, kind)),
        (f"failed with {type(error).__name__}", False),
    )
    if isinstance(error, x.ModelConnectionError) and error.phase in ("pool", "connect"):
        meaning = "could not be reached"
    body = error.body if isinstance(error, x.ModelAPIError) else None
    words = " ".join((str(error) if body is None else _message_in(body)).split())
    status = f" (HTTP {error.status_code})" if isinstance(error, x.ModelHTTPError) else ""
    wait_s = error.retry_after if isinstance(error, x.ModelAPIError) else None
    is_too_long = isinstance(error, x.ModelContextWindowExceededError) or (
        isinstance(error, x.ModelAPIError) and (says_too_long(words) or says_too_long(str(body)))
    )
    if is_too_long:
        meaning, may_pass = "cannot take so long a conversation", False
    text = f"{meaning}{status}" + (f": {words}" if words else "")
    is_refused = isinstance(error, x.ModelRequestRejectedError) and not is_too_long
    return AttemptFailed(text, may_pass=may_pass, wait_s=wait_s, is_too_long=is_too_long, is_refused=is_refused)


def _message_in(body: Any) -> str:
    """Return the provider's message, without the JSON around it."""
    if is_too_deep(body):
        return f"its answer cannot be shown: {TOO_DEEP}"
    while (inner := as_object(body)) is not None:
        found = inner.get("error", inner.get("message", inner.get("detail", "")))
        if not found:
            break
        body = found
    return str(body)
