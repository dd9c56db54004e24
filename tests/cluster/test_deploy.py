"""The deployment files parse, fit the schemas of what reads them, and agree with one another and with `tag cluster`."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from tag.cli import main
from tag.cluster.machine.settings import HEARTBEATS
from tag.tournaments.commands.settings import Settings

pytestmark = pytest.mark.flow

DEPLOY = Path(__file__).parents[2] / "cluster" / "deploy"
LAUNCHERS = ["aws.yaml", "gcp.yaml", "on_premises.yaml"]
KUBERAY = ["raycluster.yaml", "rayjob.yaml"]


#: In a process of its own: Ray reads its settings when it is imported, and tests of workers need others.
VALIDATE = """
import json, sys, yaml
from ray.autoscaler._private.util import prepare_config, validate_config
config = prepare_config(yaml.safe_load(open(sys.argv[1])))
validate_config(config)
print(json.dumps(config))
"""


def text_of(name):
    return (DEPLOY / name).read_text(encoding="utf-8")


def documents(name):
    return {document["kind"]: document for document in yaml.safe_load_all(text_of(name))}


def cluster_spec(name):
    found = documents(name)
    return found["RayCluster"]["spec"] if "RayCluster" in found else found["RayJob"]["spec"]["rayClusterSpec"]


@pytest.mark.parametrize("name", LAUNCHERS)
def test_ray_itself_accepts_the_launchers(name):
    done = subprocess.run(
        [sys.executable, "-c", VALIDATE, str(DEPLOY / name)], capture_output=True, text=True, check=True
    )
    config = json.loads(done.stdout)
    assert sum(kind["min_workers"] for kind in config["available_node_types"].values()) == config["max_workers"] > 0
    assert "~/.ray/auth_token" in config["file_mounts"]


@pytest.mark.parametrize("name", LAUNCHERS)
def test_launchers_ask_for_tokens_and_look_for_lost_nodes_as_tag_cluster_does(name):
    config = yaml.safe_load(text_of(name))
    head, worker = (config[f"{role}_start_ray_commands"][-1] for role in ("head", "worker"))
    for command in (head, worker):
        assert "RAY_AUTH_MODE=token" in command
        assert "RAY_USAGE_STATS_ENABLED=0" in command
    assert "RAY_USAGE_STATS_REPORT_URL=http://127.0.0.1:9/" in head  # as it would report that it reports nothing
    assert all(f"{variable}={value}" in head for variable, value in HEARTBEATS.items())
    assert "--include-dashboard=false" in head


@pytest.mark.parametrize("name", KUBERAY)
def test_kuberay_gets_what_its_definitions_require(name):
    spec = cluster_spec(name)
    assert spec["authOptions"] == {"mode": "token"}
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    for group in groups:
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        pod = group["template"]["spec"]
        volumes = {volume["name"] for volume in pod.get("volumes", [])}
        (container,) = pod["containers"]
        assert {"name", "image"} <= container.keys()
        assert container["resources"]["requests"] == container["resources"]["limits"]
        assert {mount["name"] for mount in container.get("volumeMounts", [])} == volumes
    for group in groups[1:]:
        assert group["groupName"]
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    environment = {row["name"]: row["value"] for row in groups[0]["template"]["spec"]["containers"][0]["env"]}
    assert environment == HEARTBEATS


@pytest.mark.parametrize("name", KUBERAY)
def test_kubernetes_objects_refer_to_one_another(name):
    found = documents(name)
    claims = [
        volume["persistentVolumeClaim"]["claimName"]
        for volume in cluster_spec(name)["headGroupSpec"]["template"]["spec"]["volumes"]
        if "persistentVolumeClaim" in volume
    ]
    assert claims == [found["PersistentVolumeClaim"]["metadata"]["name"]]
    for document in found.values():
        assert {
            "apiVersion",
            "kind",
            "metadata",
            "data" if document["kind"] == "ConfigMap" else "spec",
        } <= document.keys()


def test_the_jobs_tournament_is_one():
    found = documents("rayjob.yaml")
    settings = Settings.from_values(tomllib.loads(found["ConfigMap"]["data"]["tournament.toml"]), "the job")
    definition = settings.definition()
    workers = cluster_spec("rayjob.yaml")["workerGroupSpecs"]
    cpus = sum(group["replicas"] * int(requested(group)["cpu"]) for group in workers)
    assert settings.make_workers().count == cpus
    assert len(definition.schedule()) > 0


def requested(group):
    return group["template"]["spec"]["containers"][0]["resources"]["requests"]


def test_the_same_ray_everywhere():
    (of_image,) = re.findall(r"^ARG RAY=(\S+)$", text_of("Dockerfile"), re.MULTILINE)
    assert {cluster_spec(name)["rayVersion"] for name in KUBERAY} == {of_image}
    for name in LAUNCHERS:
        assert f"ray[default]=={of_image}" in text_of(name)


def test_slurm_script_is_bash():
    subprocess.run(["bash", "-n", str(DEPLOY / "slurm.sh")], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", "--severity=warning", str(DEPLOY / "slurm.sh")], check=True)


@pytest.mark.parametrize(
    "name", ["aws.yaml", "gcp.yaml", "on_premises.yaml", "raycluster.yaml", "rayjob.yaml", "slurm.sh"]
)
def test_commands_that_are_shown_have_the_options_they_use(name):
    """Every ``tag …`` in a file names commands and options that there are."""
    lines = text_of(name).replace("\\\n", " ").splitlines()
    commands = [
        line.partition("tag ")[2].split() for line in lines if re.search(r"(^|\s)tag (cluster|tournament) ", line)
    ]
    assert commands
    for words in commands:
        command = main.get_command(click.Context(main), words[0])
        if isinstance(command, click.Group):
            command = command.commands[words[1].strip("`,;")]
        known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        assert {word for word in words if word.startswith("--")} <= known
