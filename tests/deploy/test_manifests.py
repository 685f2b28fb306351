"""The files by which turnwise is deployed: they are valid, agree with each other, and name what the server has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from support.shell import ROOT, run
from turnwise.api.open import check_text
from turnwise.server.app import CLOSE_S, OPERATIONS, PREFIX
from turnwise.server.limits import ServerLimits
from turnwise.server.readings import STORE_TIMEOUT_S

MANIFESTS = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text()))
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OPEN_PATHS = {PREFIX + one.path for one in OPERATIONS if one.scope is None}
"""The paths that a probe may ask, since they need no key."""


def manifest(kind: str) -> Any:
    (found,) = [one for one in MANIFESTS if one["kind"] == kind]
    return found


def pod() -> Any:
    return manifest("Deployment")["spec"]["template"]["spec"]


def container() -> Any:
    (found,) = pod()["containers"]
    return found


def limits_in(arguments: list[str]) -> dict[str, str]:
    return dict(one.removeprefix("--limit=").split("=") for one in arguments if one.startswith("--limit="))


def seconds_to_stop(arguments: list[str]) -> float:
    """How long a server with these arguments may take from SIGTERM to its end."""
    given, usual = limits_in(arguments), ServerLimits()
    return float(given.get("leave_s", usual.leave_s)) + float(given.get("drain_s", usual.drain_s)) + CLOSE_S


@pytest.mark.parametrize("document", MANIFESTS, ids=lambda one: one["kind"])
def test_each_manifest_is_valid(document: Any) -> None:
    kubernetes_validate.validate(document, "1.37", strict=True)


def test_labels_ports_and_volumes_of_the_manifests_fit_together() -> None:
    deployment = manifest("Deployment")["spec"]
    labels = deployment["template"]["metadata"]["labels"]
    for selector in (
        deployment["selector"]["matchLabels"],
        manifest("Service")["spec"]["selector"],
        manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        *[one["labelSelector"]["matchLabels"] for one in pod()["topologySpreadConstraints"]],
    ):
        assert selector.items() <= labels.items()
    ports = {one["name"] for one in container()["ports"]}
    assert {one["targetPort"] for one in manifest("Service")["spec"]["ports"]} <= ports
    assert {one["name"] for one in container()["volumeMounts"]} == {one["name"] for one in pod()["volumes"]}
    (flows,) = [one["configMap"]["name"] for one in pod()["volumes"] if "configMap" in one]
    assert flows == manifest("ConfigMap")["metadata"]["name"]


def test_the_flows_of_the_config_map_have_no_findings_and_are_those_that_are_served() -> None:
    data = manifest("ConfigMap")["data"]
    for name, text in data.items():
        assert not check_text(text.encode(), name)
    assert {f"/flows/{name}" for name in data} == {one for one in container()["args"] if one.startswith("/flows/")}


def test_probes_ask_what_needs_no_key_and_a_restart_does_not_depend_on_the_store() -> None:
    probes = {
        name: container()[name]["httpGet"]["path"] for name in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert probes["readinessProbe"] == "/api/ready"
    assert probes["startupProbe"] == probes["livenessProbe"] == "/api/health"
    assert {"/api/health", "/api/ready"} <= OPEN_PATHS
    for text in (DOCKERFILE, (ROOT / "deploy/haproxy.cfg").read_text()):
        asked = re.findall(
            r"/api/\w+", "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
        )
        assert asked == ["/api/ready"]


def test_a_replica_has_the_time_that_it_may_take_to_stop() -> None:
    assert pod()["terminationGracePeriodSeconds"] > seconds_to_stop(container()["args"])
    for name in ("replica-1", "replica-2"):
        service = COMPOSE["services"][name]
        assert float(service["stop_grace_period"].removesuffix("s")) > seconds_to_stop(service["command"])


def test_the_proxy_of_compose_notices_a_replica_that_stops_while_it_still_serves() -> None:
    text = (ROOT / "deploy/haproxy.cfg").read_text()
    (seconds, failures), (timeout,) = re.findall(r"inter (\d+)s fall (\d+)", text)[0], re.findall(r"check (\d+)s", text)
    assert float(timeout) > STORE_TIMEOUT_S
    for name in ("replica-1", "replica-2"):
        assert float(limits_in(COMPOSE["services"][name]["command"])["leave_s"]) > int(seconds) * int(failures)


def test_containers_do_not_run_as_root_and_write_nothing_but_temporary_files() -> None:
    (user,) = re.findall(r"^USER (\d+):\d+$", DOCKERFILE, re.MULTILINE)
    context = pod()["securityContext"]
    assert (str(context["runAsUser"]), context["runAsNonRoot"]) == (user, True)
    assert context["fsGroup"] == context["runAsGroup"]
    own = container()["securityContext"]
    assert (own["readOnlyRootFilesystem"], own["allowPrivilegeEscalation"]) == (True, False)
    (keys,) = [one["secret"] for one in pod()["volumes"] if "secret" in one]
    assert keys["defaultMode"] == 0o440
    replica = COMPOSE["services"]["replica-1"]
    assert (replica["read_only"], replica["cap_drop"]) == (True, ["ALL"])


def test_names_in_compose_exist() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for mount in service["volumes"]:
            source = mount.partition(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
    backends = re.findall(r"^ +server (\S+) (\S+):(\d+)$", (ROOT / "deploy/haproxy.cfg").read_text(), re.MULTILINE)
    (port,) = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    assert [(name, host, port) for name, host, _ in backends] == backends
    assert {name for name, _, _ in backends} == {name for name in services if name.startswith("replica-")}
    flow = services["replica-1"]["command"][-1]
    (folder,) = [one.split(":")[0] for one in services["replica-1"]["volumes"] if ":/flows:" in one]
    assert (ROOT / folder / Path(flow).name).exists()
    variable = "${POSTGRES_PASSWORD:?write it into the file .env}"
    assert services["replica-1"]["environment"]["PGPASSWORD"] == variable
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"] == variable


def test_compose_builds_the_image_once_before_it_is_used() -> None:
    of_image = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "turnwise"}
    (builder,) = [name for name, service in of_image.items() if "build" in service]
    assert all(builder in service["depends_on"] for name, service in of_image.items() if name != builder)


@pytest.mark.parametrize("arguments", [container()["args"], COMPOSE["services"]["replica-1"]["command"]])
def test_the_commands_are_those_of_the_command_line(arguments: list[str], tmp_path: Path) -> None:
    """All options are read: the command ends at what is not here, the document of the flow."""
    given = [one for one in arguments if not one.startswith(("--keys=", "--store="))]
    done = run(*given, f"--keys={tmp_path}/none.json", "--port=0", at=tmp_path)
    assert (done.code, done.err.partition(":")[0]) == (1, arguments[-1])


def test_the_key_of_compose_is_made_by_a_command_that_works(tmp_path: Path) -> None:
    (command,) = COMPOSE["services"]["keys"]["command"]
    _, words = command.split(" || turnwise ")
    file = tmp_path / "keys.json"
    done = run(*shlex.split(words.replace("/keys/keys.json", str(file))))
    assert (done.code, file.stat().st_mode & 0o777) == (0, 0o600)


def test_the_image_installs_locked_versions_of_extras_that_exist() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extras,) = re.findall(r'^ARG EXTRAS="([\w,]+)"$', DOCKERFILE, re.MULTILINE)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    (version,) = re.findall(r"^ARG PYTHON=([\d.]+)$", DOCKERFILE, re.MULTILINE)
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]
    kept = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["sdist"][
        "include"
    ]
    assert {one.removeprefix("/") for one in built} <= kept, "the image is built from what the archive of sources has"
    assert all((ROOT / one).exists() for one in kept)
