"""The command line as a user meets it: a process, its output, its exit code."""

import os
import signal
import subprocess
import sys

import httpx2
import pytest

ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1"}
COMMAND = [sys.executable, "-m", "companion"]


def companion(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, env=ENVIRONMENT, timeout=120, **options
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_serve_prints_its_address_answers_and_ends_soon(serve, name):
    process, url = serve()
    with httpx2.Client(trust_env=False, base_url=url, timeout=60) as client:
        assert client.get("/v1/models").json()["data"][0]["id"]
        assert client.get("/health").status_code == 200
        process.send_signal(getattr(signal, name))
        assert process.wait(timeout=5) == 0


def test_serve_listens_on_loopback_only(serve):
    assert serve()[1].startswith("http://127.0.0.1:")


def test_a_taken_port_is_named(lab_url):
    port = lab_url.rsplit(":", 1)[1]
    done = companion("serve", "--port", port)
    assert done.returncode == 1
    assert f"127.0.0.1:{port}" in done.stderr
    assert "0 for any free one" in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_finds_this_machine_well():
    done = companion("doctor")
    assert done.returncode == 0, done.stdout
    assert [line.split()[:2] for line in done.stdout.splitlines()[:-1]] == [
        ["ok", name] for name in ("python", "packages", "kernel", "lab", "search")
    ]


def test_doctor_works_from_any_folder(tmp_path):
    assert companion("doctor", cwd=tmp_path).returncode == 0


def test_run_elsewhere_says_where_to_run_it(tmp_path):
    done = companion("run", cwd=tmp_path)
    assert done.returncode == 2
    assert "root of the course" in done.stderr


def test_an_unknown_lesson_is_answered_with_those_there_are():
    done = companion("run", "77")
    assert done.returncode == 2
    assert "00_start_here" in done.stderr


def test_no_command_shows_the_commands():
    done = companion()
    assert done.returncode == 2
    assert all(name in done.stderr for name in ("doctor", "serve", "run", "claims"))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--port", "70000"], 2, "choose 0 to 65535"),
        (["--port", "-1"], 2, "choose 0 to 65535"),
        (["--host", "no.such.invalid"], 1, "no address of this machine"),
        (["--host", "192.0.2.1"], 1, "no address of this machine"),
    ],
)
def test_an_address_that_cannot_be_served_is_named(arguments, code, words):
    done = companion("serve", *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_serving_everybody_shows_an_address_that_works_here(serve):
    process, url = serve("--host", "0.0.0.0")
    _, others = (process.stdout.readline().strip() for _ in range(2))
    assert url.startswith("http://127.0.0.1:")
    assert others.endswith(f"LLM_BASE_URL=http://NAME:{url.rsplit(':', 1)[1]}/v1")


def test_a_reader_that_leaves_early_is_no_error():
    with subprocess.Popen(
        [*COMMAND, "claims"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
