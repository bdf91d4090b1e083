"""The command line: `python -m companion doctor | serve | run | claims`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 all well, 1 something is wrong, 2 bad usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = dispatch(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever read has left: `python -m companion claims | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def dispatch(arguments: list[str]) -> int:
    """Run the command that the arguments name."""
    if arguments[:1] == ["claims"]:
        from companion import claims

        return claims.main(arguments[1:])
    options = parser().parse_args(arguments)
    command = {"doctor": doctor, "serve": serve, "run": run}[options.command]
    return command(options)


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="python -m companion", description="The tools behind the course.")
    commands = top.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="check this machine, and the configured server where there is one")
    serve_command = commands.add_parser("serve", help="run the lab as a server of its own")
    serve_command.add_argument("--host", default="127.0.0.1", help="127.0.0.1 keeps it on this machine")
    serve_command.add_argument("--port", type=port, default=0, help="0 takes any free port")
    serve_command.add_argument("--faults", action="store_true", help="let clients make it fail: POST /faults")
    run_command = commands.add_parser("run", help="execute lessons headless and print a table")
    run_command.add_argument("lessons", nargs="*", help="numbers or names; none: all")
    run_command.add_argument("--write", action="store_true", help="store the outputs in the notebooks")
    commands.add_parser("claims", help="print the ledger of claims", add_help=False)
    return top


def port(text: str) -> int:
    """A port number. Raises ArgumentTypeError for any other."""
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: choose 0 to 65535, 0 for any free one")
    return int(text)


def doctor(options: argparse.Namespace) -> int:
    """Print the findings; exit code 1 if one is bad."""
    from companion.doctor import examine

    well = True
    for finding in examine():
        print(finding, flush=True)
        well = well and finding.ok
    print("All is well: open lesson 0." if well else "Mend the lines marked FAIL, then run this again.")
    return 0 if well else 1


def serve(options: argparse.Namespace) -> int:
    """Serve the lab until a signal comes."""
    from companion.lab import server

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: sys.exit(0))
    try:
        server.serve(options.host, options.port, options.faults)
    except OSError as error:
        print(error.strerror or error, file=sys.stderr)
        return 1
    return 0


def run(options: argparse.Namespace) -> int:
    """Execute lessons; exit code 1 if one fails."""
    from companion import run as lessons

    try:
        paths = lessons.chosen(options.lessons)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    results = lessons.run(paths, write=options.write)
    print(lessons.table(results))
    return 1 if any(result.error for result in results) else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal that cannot show it
    sys.exit(main())
