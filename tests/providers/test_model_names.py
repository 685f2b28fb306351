"""How models are named, and what is said to a name that means nothing, lacks its key, its packages, its permission."""

from __future__ import annotations

import sys

import pytest

from support.asking import KEY
from turnwise.errors import TurnwiseError
from turnwise.models import Patience, call_settings, model_named
from turnwise.models.names import Cassette, Offline, RealName, ScriptFile, read_name
from turnwise.models.reach import are_forbidden

NAMED = [
    ("openai:gpt-5-mini", (RealName("openai", "gpt-5-mini"),)),
    ("ollama:llama3:8b", (RealName("ollama", "llama3:8b"),)),
    ("vllm:meta-llama/Llama-3", (RealName("vllm", "meta-llama/Llama-3"),)),
    ("bedrock:anthropic.claude-3-v2:0", (RealName("bedrock", "anthropic.claude-3-v2:0"),)),
    ("compatible:llama3@http://10.0.0.2:8080/v1", (RealName("compatible", "llama3", "http://10.0.0.2:8080/v1"),)),
    ("compatible:a@b@https://x.org/v1", (RealName("compatible", "a@b", "https://x.org/v1"),)),
    ("openai:a , anthropic:b", (RealName("openai", "a"), RealName("anthropic", "b"))),
    ("offline", Offline()),
    ("scripted:talks/a.yaml", ScriptFile("talks/a.yaml")),
    ("cassette:talk.json", Cassette("talk.json")),
    ("record:talk.json@openai:a,groq:b", Cassette("talk.json", (RealName("openai", "a"), RealName("groq", "b")))),
]


@pytest.mark.parametrize(("text", "means"), NAMED, ids=[text for text, _ in NAMED])
def test_a_name_means_a_model_or_what_stands_in_for_one(text: str, means: object) -> None:
    assert read_name(text) == means


WRONG = [
    ("opnai:gpt-5", "model 'opnai:gpt-5': no provider is called 'opnai'; did you mean 'openai'?"),
    ("zzz:x", "model 'zzz:x': no provider is called 'zzz'; there are openai, anthropic, google, mistral, groq, bedrock, "
     "ollama, vllm, compatible, offline, scripted, cassette, record"),
    ("gpt-5", "model 'gpt-5' names no provider; write provider:model, such as openai:gpt-5-mini, or offline"),
    ("", "model '' names no provider; write provider:model, such as openai:gpt-5-mini, or offline"),
    ("openai:", "model 'openai:' names no model of openai; write provider:model, such as openai:gpt-5-mini"),
    (":x", "model ':x' names no provider; write provider:model, such as openai:gpt-5-mini, or offline"),
    ("compatible:", "model 'compatible:' names no model of compatible; write compatible:llama3@http://localhost:8080/v1"),
    ("compatible:@http://x/v1", "model 'compatible:@http://x/v1' names no model of compatible; write "
     "compatible:llama3@http://localhost:8080/v1"),
    ("openai:a,", "model '' names no provider; write provider:model, such as openai:gpt-5-mini, or offline"),
    ("openai:a,offline", "model 'offline' stands alone: only models of providers can take turns or be recorded"),
    ("openai:a@http://x/v1", "model 'openai:a@http://x/v1': the address of openai does not stand in the name; set "
     "OPENAI_BASE_URL, or write compatible:a@http://x/v1"),
    ("compatible:a", "model 'compatible:a' needs an address: compatible:llama3@http://localhost:8080/v1"),
    ("compatible:a@http://", "model 'compatible:a@http://' needs an address: compatible:llama3@http://localhost:8080/v1"),
    ("compatible:a@http://[x", "model 'compatible:a@http://[x' needs an address: "
     "compatible:llama3@http://localhost:8080/v1"),
    ("compatible:a@http://me:secret@x/v1", "model 'compatible:a@…': a key does not stand in an address; set "
     "COMPATIBLE_API_KEY"),
    ("compatible:a@http://x/v1?key=secret", "model 'compatible:a@…': a key does not stand in an address; set "
     "COMPATIBLE_API_KEY"),
    ("scripted:", "model 'scripted:' names no file: write scripted:FILE"),
    ("cassette:", "model 'cassette:' names no file: write cassette:FILE"),
    ("record:a.json", "model 'record:a.json': write record:FILE@provider:model, to record what it answers"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[text for text, _ in WRONG])
def test_a_name_that_means_nothing_is_told_with_what_was_meant(text: str, said: str) -> None:
    with pytest.raises(TurnwiseError) as failure:
        read_name(text)
    assert str(failure.value) == said


LACKING = [
    ("openai:a", "openai:a needs a key: set OPENAI_API_KEY in the environment"),
    ("openai:a, anthropic:b", "openai:a needs a key: set OPENAI_API_KEY in the environment"),
    ("anthropic:b", "anthropic:b needs a key: set ANTHROPIC_API_KEY in the environment"),
    ("google:c", "google:c needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY in the environment"),
    ("mistral:d", "mistral:d needs a key: set MISTRAL_API_KEY in the environment"),
    ("groq:e", "groq:e needs a key: set GROQ_API_KEY in the environment"),
]


@pytest.mark.parametrize(("name", "said"), LACKING)
def test_a_missing_key_is_told_when_a_model_is_chosen(name: str, said: str) -> None:
    with pytest.raises(TurnwiseError) as failure:
        model_named(name, call_settings({}))
    assert str(failure.value) == said


@pytest.mark.parametrize("name", ["ollama:a", "vllm:b", "compatible:c@http://x/v1", "bedrock:d"])
def test_servers_of_ones_own_need_no_key(name: str) -> None:
    assert name in repr(model_named(name, call_settings({})))


PACKAGES = [
    ("openai", "openai:a", "openai"),
    ("openai", "ollama:a", "openai"),
    ("anthropic", "anthropic:a", "anthropic"),
    ("groq", "groq:a", "groq"),
    ("mistralai", "mistral:a", "mistral"),
    ("boto3", "bedrock:a", "bedrock"),
    ("pydantic_ai", "groq:a", "groq"),
]


@pytest.mark.parametrize(("package", "name", "extra"), PACKAGES)
def test_a_missing_package_is_told_with_the_command_that_installs_it(
    package: str, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(TurnwiseError) as failure:
        model_named(name, call_settings({"OPENAI_API_KEY": KEY, "GROQ_API_KEY": KEY}))
    assert str(failure.value) == f"{name} needs packages that are not installed: pip install 'turnwise[{extra}]'"


@pytest.mark.parametrize(
    ("written", "forbids"), [(None, False), ("", False), ("0", False), ("no", False), ("1", True), ("yes", True)]
)
def test_a_variable_forbids_real_models(written: str | None, forbids: bool) -> None:
    assert are_forbidden({} if written is None else {"TURNWISE_NO_MODELS": written}) is forbids


def test_this_run_of_pytest_forbids_them() -> None:
    assert not call_settings().may_call


def test_patience_comes_from_the_environment() -> None:
    written = {"TURNWISE_MODEL_CONNECT_S": "3", "TURNWISE_MODEL_SILENCE_S": "7.5", "TURNWISE_MODEL_RETRIES": "0"}
    assert call_settings(written).patience == Patience(connect_s=3, silence_s=7.5, retries=0)
    assert call_settings({}).patience == Patience()


UNREADABLE = [
    ("TURNWISE_MODEL_CONNECT_S", "soon", "a number of seconds above 0"),
    ("TURNWISE_MODEL_SILENCE_S", "0", "a number of seconds above 0"),
    ("TURNWISE_MODEL_SILENCE_S", "nan", "a number of seconds above 0"),
    ("TURNWISE_MODEL_RETRIES", "1.5", "a whole number, 0 or more"),
    ("TURNWISE_MODEL_RETRIES", "-1", "a whole number, 0 or more"),
]


@pytest.mark.parametrize(("variable", "written", "kind"), UNREADABLE)
def test_a_variable_that_is_no_number_is_told(variable: str, written: str, kind: str) -> None:
    with pytest.raises(TurnwiseError, match=f"^{variable} must be {kind}, not '{written}'$"):
        call_settings({variable: written})


PAUSES = [
    (1, None, 0.25, 0.5),
    (2, None, 0.5, 1),
    (2, 3.0, 3, 3),
    (3, None, None, None),
    (1, 31.0, None, None),
    (1, 0.0, 0.25, 0.5),
]


@pytest.mark.parametrize(("attempt", "asked_s", "least", "most"), PAUSES)
def test_pauses_grow_and_who_asks_for_more_is_heard(
    attempt: int, asked_s: float | None, least: float | None, most: float | None
) -> None:
    pause_s = Patience().pause(attempt, asked_s)
    assert (pause_s is None) if least is None or most is None else (pause_s is not None and least <= pause_s <= most)


def test_what_holds_keys_does_not_show_them() -> None:
    reach = call_settings({"OPENAI_API_KEY": KEY}, may_call=True)
    model = model_named("openai:a, openai:b", reach)
    assert KEY not in repr(reach) + repr(model) + repr(vars(model))
