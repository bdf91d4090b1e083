"""The command line: `python -m companion doctor | serve | run | claims`."""

import argparse
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 all well, 1 something is wrong, 2 bad usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
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
    serve_command.add_argument("--port", type=int, default=0, help="0 takes any free port")
    serve_command.add_argument("--faults", action="store_true", help="let clients make it fail: POST /faults")
    run_command = commands.add_parser("run", help="execute lessons headless and print a table")
    run_command.add_argument("lessons", nargs="*", help="numbers or names; none: all")
    run_command.add_argument("--write", action="store_true", help="store the outputs in the notebooks")
    commands.add_parser("claims", help="print the ledger of claims", add_help=False)
    return top


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
    from companion.run import chosen, table
    from companion.run import run as execute

    try:
        paths = chosen(options.lessons)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    results = execute(paths, write=options.write)
    print(table(results))
    return 1 if any(result.error for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
