"""Recordings: made once, played in their order; a request that was not recorded so is refused, with what differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import fake_server as fake
from support.asking import KEY, ask, reach, request
from support.fake_server import FakeServer
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models import call_settings, model_named
from turnwise.models.cassette import CassetteModel
from turnwise.models.scripted import ScriptedModel, call
from turnwise.runner.model_port import TextDelta, Usage

FIRST, SECOND = request("Hello"), request("Bye", tools=["search"])


def recorded(path: Path) -> CassetteModel:
    """A recording of two calls."""
    model = CassetteModel(path, ScriptedModel(["Hi.", call("search", q="x")]))
    ask(model, FIRST, SECOND)
    return model


def test_what_was_recorded_is_played(tmp_path: Path) -> None:
    live = ScriptedModel(["Hi.", call("search", q="x")])
    said = ask(CassetteModel(tmp_path / "talk.json", live), FIRST, SECOND)
    played = CassetteModel(tmp_path / "talk.json")
    assert ask(played, FIRST, SECOND) == said
    played.assert_complete()


def test_text_that_cannot_be_encoded_is_recorded_as_it_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    pieces = [TextDelta("a \ud83d"), TextDelta("\ude00 b\ud83d"), call("search", q="\ud83d")]
    ask(CassetteModel(path, ScriptedModel([pieces])), FIRST)
    said = ask(CassetteModel(path), FIRST)
    assert "".join(one.text for one in said if isinstance(one, TextDelta)) == "a \N{GRINNING FACE} b\ufffd"
    assert call("search", q="\ufffd").calls[0] in said


def test_a_stale_recording_is_refused_with_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    recorded(path)
    played = CassetteModel(path)
    (told,) = ask(played, request("Hello there"))
    assert str(told).replace(str(tmp_path), "") == (
        "/talk.json is stale: call 1 asks something else now; record it anew\n"
        "--- recorded\n"
        "+++ asked\n"
        "@@ -8,5 +8,5 @@\n"
        "     {\n"
        '       "role": "user",\n'
        '-      "text": "Hello"\n'
        '+      "text": "Hello there"\n'
        "     }\n"
        "   ]"
    )
    assert ask(played, FIRST)[0] == TextDelta("Hi.")


@pytest.mark.parametrize("asked", [request("Hello", tools=["search"]), request("Hello", notes=("x",)), SECOND])
def test_nothing_is_served_to_another_request(asked: object, tmp_path: Path) -> None:
    recorded(tmp_path / "talk.json")
    (told,) = ask(CassetteModel(tmp_path / "talk.json"), asked)  # pyright: ignore[reportArgumentType]
    assert "is stale" in str(told)


def _half(path: Path) -> CassetteModel:
    model = CassetteModel(path)
    ask(model, FIRST)
    return model


def test_the_end_of_a_recording_is_told(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    recorded(path)
    played = CassetteModel(path)
    assert ask(played, FIRST, SECOND, FIRST)[-1] == f"{path} has no call 3: it ends after 2; record it anew"
    with pytest.raises(AssertionError, match=r"^1 recorded calls were never asked for$"):
        _half(path).assert_complete()


def test_an_answer_that_failed_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    model = CassetteModel(path, ScriptedModel([[TextDelta("Hal"), ProviderFailed("cut")], "Hi."]))
    ask(model, FIRST)
    ask(model, FIRST)
    assert ask(CassetteModel(path), FIRST) == [TextDelta("Hi."), Usage("scripted")]


WRONG = [
    (None, "there is no such recording; make it with record:FILE@provider:model"),
    ("{", "it is no recording of turnwise: Input data was truncated"),
    ('{"exchanges": 3}', "it is no recording of turnwise: Expected `array`, got `int` - at `$.exchanges`"),
]


@pytest.mark.parametrize(("written", "said"), WRONG)
def test_a_file_that_is_no_recording_is_told(written: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    if written is not None:
        path.write_text(written)
    with pytest.raises(TurnwiseError) as failure:
        model_named(f"cassette:{path}", call_settings({}))
    assert str(failure.value) == f"{path}: {said.replace('FILE', str(path))}"


def test_a_recording_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text('{"turnwise_cassette": 2, "exchanges": []}')
    with pytest.raises(TurnwiseError, match=r"talk.json has format 2; this version reads 1$"):
        CassetteModel(path)


def test_a_real_model_is_recorded_without_its_key_and_played_without_network(
    tmp_path: Path, server: FakeServer
) -> None:
    path = tmp_path / "talk.json"
    server.answers(fake.words("Your key is ", KEY[:5], KEY[5:], "."))
    name = f"compatible:fake@{server.address}/v1"
    said = ask(model_named(f"record:{path}@{name}", reach()), FIRST)
    assert KEY not in path.read_text()
    assert ask(model_named(f"cassette:{path}", call_settings({"TURNWISE_NO_MODELS": "1"})), FIRST) == said
    assert len(server.asked) == 1
