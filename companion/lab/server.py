"""The lab's life: one server a kernel, on loopback, on a free port, in a background thread.

A daemon thread ends with its kernel, so nothing is left listening. `serve` is the same server in the foreground.
"""

import errno
import socket
import sys
import threading
from dataclasses import dataclass

import uvicorn

from companion.lab.app import create_app
from companion.lab.faults import faults
from companion.lab.journal import journal

NOT_OURS = "That is no address of this machine: 127.0.0.1 keeps the lab here, 0.0.0.0 opens it to others."
HINTS = {
    socket.EAI_NONAME: NOT_OURS,
    errno.EADDRNOTAVAIL: NOT_OURS,
    errno.EACCES: "Ports below 1024 are kept for administrators: choose a higher one, or 0 for any free one.",
}
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_lock = threading.Lock()
_running: "Lab | None" = None


@dataclass
class Lab:
    """A running lab. `url` is its root; models answer under `url + '/v1'`."""

    url: str
    server: uvicorn.Server
    thread: threading.Thread

    def stop(self) -> None:
        """End the server and free its port."""
        global _running
        self.server.should_exit = True
        self.thread.join(timeout=5)
        if _running is self:
            _running = None

    def __repr__(self) -> str:
        return "<the lab: an offline server with a rule-based stand-in for a model>"


def lab() -> Lab:
    """Return the kernel's lab; the first call starts it, later calls give the same one."""
    global _running
    with _lock:
        if _running is None or not _running.thread.is_alive():
            _running = start()
        return _running


def start(host: str = "127.0.0.1", port: int = 0) -> Lab:
    """Start a lab of its own in a background thread. Raises OSError when the port is taken."""
    listener = listen(host, port)
    server = uvicorn.Server(config())
    ready = threading.Event()
    thread = threading.Thread(target=run, args=(server, listener, ready), name="lab", daemon=True)
    thread.start()
    ready.wait(timeout=30)
    if not server.started:
        raise RuntimeError("The lab did not start within 30 seconds. Run `python -m companion doctor` to see why.")
    url = address(listener)
    journal.writers.add(url)
    return Lab(url, server, thread)


def run(server: uvicorn.Server, listener: socket.socket, ready: threading.Event) -> None:
    """Serve until told to stop, and say when requests are answered."""
    started = server.startup

    async def startup(sockets: list[socket.socket] | None = None) -> None:
        await started(sockets=sockets)
        ready.set()

    server.startup = startup  # type: ignore[method-assign]
    try:
        server.run(sockets=[listener])
    finally:
        ready.set()
        listener.close()


def serve(host: str = "127.0.0.1", port: int = 0, open_to_faults: bool = False) -> None:
    """Print the base URL, then serve until SIGINT or SIGTERM. Raises OSError when the port is taken.

    `open_to_faults` lets every client make the lab fail, for all of them.
    """
    listener = listen(host, port)
    host, port = listener.getsockname()[:2]
    root = address(listener)
    print(f"{root}\nLLM_BASE_URL={root}/v1", flush=True)
    if host in EVERYWHERE:
        print(f"On other machines, with this one's name: LLM_BASE_URL=http://NAME:{port}/v1", flush=True)
    uvicorn.Server(config(open_to_faults)).run(sockets=[listener])


def config(open_to_faults: bool = False) -> uvicorn.Config:
    """Quiet, and quick to end: open connections get a moment, not for ever."""
    app = create_app(faults=faults, open_to_faults=open_to_faults)
    return uvicorn.Config(app, log_level="critical", access_log=False, timeout_graceful_shutdown=0, ws="none")


def listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises OSError that names the port and the way out."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with the protocol named, asyncio turns Nagle's algorithm off: answers come 40 ms sooner
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there the option would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)  # whoever reads the address may connect at once, and waits until we are ready
    except OSError as error:
        listener.close()
        hint = HINTS.get(error.errno or 0, "Another program may use it: choose another port, or 0 for any free one.")
        raise OSError(error.errno, f"cannot listen on {host}:{port} ({error.strerror}). {hint}") from None
    return listener


def address(listener: socket.socket) -> str:
    """The root URL of a listening socket, as this machine reaches it."""
    host, port = listener.getsockname()[:2]
    host = EVERYWHERE.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
