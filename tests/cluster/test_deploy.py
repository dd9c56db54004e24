"""The deployment files parse, fit the schemas of what reads them, and agree with one another and with `tag cluster`."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from tag.cli import main
from tag.cluster.machine.settings import HEARTBEATS
from tag.tournaments.commands.settings import Settings
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

DEPLOY = Path(__file__).parents[2] / "cluster" / "deploy"
LAUNCHERS = ["aws.yaml", "gcp.yaml", "on_premises.yaml"]
KUBERAY = ["raycluster.yaml", "rayjob.yaml"]
SLURM = ["slurm.sh", "slurm_parts.sh"]


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


@pytest.mark.parametrize("name", SLURM)
def test_slurm_scripts_are_bash(name):
    subprocess.run(["bash", "-n", str(DEPLOY / name)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", "--severity=warning", str(DEPLOY / name)], check=True)


#: ``sbatch`` that runs jobs at once, as Slurm does: the tasks of an array one after the other, from a copy of the script.
SBATCH = """
import os, shutil, subprocess, sys
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
with open("submitted", "a") as file:
    file.write(" ".join(sys.argv[1:-1]) + "\\n")
shutil.copy(sys.argv[-1], "spooled")
first, _, last = options.get("array", "0").partition("-")
for task in range(int(first), int(last or first) + 1):
    own = {"SLURM_JOB_ID": str(70 + task), "SLURM_SUBMIT_DIR": os.getcwd(), "SLURM_CPUS_PER_TASK": "1"}
    if "array" in options:
        own |= {"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": str(task)}
    subprocess.run(["bash", "spooled"], env={**os.environ, **own}, check=True, stdout=sys.stderr)
print("7;here" if "parsable" in sys.argv[1] else "Submitted batch job 8")
"""


@pytest.fixture
def login_node(tmp_path, monkeypatch):
    """A folder to submit from, in a home with TAG where users have it, and programs of Slurm."""
    home, programs = tmp_path / "home", tmp_path / "home" / "tag" / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "activate").write_text("")
    program(programs / "tag", f'exec {sys.executable} -P -m tag "$@"')
    (programs / "sbatch.py").write_text(SBATCH)
    program(programs / "sbatch", f'exec {sys.executable} {programs / "sbatch.py"} "$@"')
    program(programs / "scontrol", 'echo "$@" >> requeued')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path))
    for name in [name for name in os.environ if name.startswith("SLURM_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(path, line):
    path.write_text(f"#!/bin/bash\n{line}\n")
    path.chmod(0o755)


def small_parts(folder):
    """The script for parts, with three parts of a small tournament."""
    text = re.sub(r"parts=\d+", "parts=3", text_of("slurm_parts.sh"))
    text = re.sub(
        r"tournament=\(.*?\)", "tournament=(nim --agent random --agent osla --blocks 4 --seed 1)", text, flags=re.DOTALL
    )
    (folder / "parts.sh").write_text(text)
    return "parts.sh"


@pytest.mark.system
def test_the_slurm_script_plays_parts_and_merges_them(login_node):
    subprocess.run(["bash", small_parts(login_node)], check=True)
    submitted = (login_node / "submitted").read_text().splitlines()
    assert submitted[0] == "--parsable --array=1-3"
    assert "--dependency=afterok:7 " in submitted[1]
    parts = [read_results(login_node / "runs" / "slurm" / f"part{number}") for number in (1, 2, 3)]
    assert [(part.part, part.games) for part in parts] == [("1/3", 4), ("2/3", 2), ("3/3", 2)]
    whole = read_results(login_node / "runs" / "slurm" / "whole")
    assert (whole.games, whole.complete, whole.part) == (8, True, "")


@pytest.mark.system
def test_a_part_that_is_out_of_time_goes_back_into_the_queue(login_node):
    tag = login_node / "home" / "tag" / ".venv" / "bin" / "tag"
    program(tag, 'trap "echo stopped; kill %1; exit 130" TERM; touch begun; sleep 60 & wait')
    own = {"SLURM_JOB_ID": "72", "SLURM_CPUS_PER_TASK": "1", "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "2"}
    words = ["bash", small_parts(login_node)]
    with subprocess.Popen(words, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True) as job:
        while not (login_node / "begun").exists():
            assert job.poll() is None
            time.sleep(0.02)
        job.send_signal(signal.SIGTERM)
        output, _errors = job.communicate(timeout=60)
    assert (job.returncode, output) == (130, "stopped\n")
    assert (login_node / "requeued").read_text() == "requeue 7_2\n"


@pytest.mark.parametrize("name", ["aws.yaml", "gcp.yaml", "on_premises.yaml", "raycluster.yaml", "rayjob.yaml", *SLURM])
def test_commands_that_are_shown_have_the_options_they_use(name):
    """Every ``tag …`` in a file names commands and options that there are."""
    text = text_of(name)
    common = re.search(r"tournament=\((.*?)\)", text, re.DOTALL)
    if common:
        text = text.replace('"${tournament[@]}"', " ".join(common[1].split()))
    lines = text.replace("\\\n", " ").splitlines()
    commands = [
        line.partition("tag ")[2].split() for line in lines if re.search(r"(^|\s)tag (cluster|tournament|merge) ", line)
    ]
    assert commands
    for words in commands:
        command = main.get_command(click.Context(main), words[0])
        if isinstance(command, click.Group):
            command = command.commands[words[1].strip("`,;")]
        known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        assert {word for word in words if word.startswith("--")} <= known
