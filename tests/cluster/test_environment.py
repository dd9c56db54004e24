"""What Ray is told through the environment."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tag.cluster.machine.settings import ALWAYS, NODE, set_defaults

pytestmark = pytest.mark.flow

REPORT_URL = "RAY_USAGE_STATS_REPORT_URL"


def test_users_come_first() -> None:
    environment = {"RAY_worker_niceness": "7"}
    set_defaults(environment, ALWAYS, NODE)
    assert environment["RAY_worker_niceness"] == "7"
    assert {**ALWAYS, **NODE}.items() - environment.items() == {("RAY_worker_niceness", "0")}


def test_usage_statistics_are_off_and_not_even_that_is_reported() -> None:
    environment: dict[str, str] = {}
    set_defaults(environment, ALWAYS)
    program = (
        "from ray._common.usage import usage_lib as usage; "
        "print(usage.usage_stats_enabled(), usage._usage_stats_report_url())"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}

    def asked(more: dict[str, str]) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program], env={**clean, **more}, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    assert asked(environment) == "False http://127.0.0.1:9/"
    assert "ray.io" in asked({})  # otherwise the above would show nothing


def test_who_wants_to_report_does() -> None:
    environment = {"RAY_USAGE_STATS_ENABLED": "1"}
    set_defaults(environment, ALWAYS)
    assert environment["RAY_USAGE_STATS_ENABLED"] == "1"
    assert REPORT_URL not in environment
