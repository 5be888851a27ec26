"""What every command shares: errors in one line with their exit codes, Ctrl-C, and a sign that work goes on.

Not here: what the commands do.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import click
from tqdm import tqdm

NONE, UNKNOWN = 1, 3  # exit codes: there is no answer; it is not known within the budget
INTERRUPTED = 130  # by Ctrl-C, as shells have it
CODES = """\b
Exit codes:
  0  done
  1  the board has no answer, or the work failed
  2  wrong input: a board, a file or an option
  3  not known within the budget
  130  interrupted by Ctrl-C"""


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Bad input ends with exit code 2, work that fails with 1, both with one clear line. Other errors are bugs and show
    a trace.
    """
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except MemoryError as error:
        raise click.ClickException(f"not enough memory: {str(error) or 'this process can get no more'}") from None
    except OSError as error:
        told = error.strerror and f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        raise click.ClickException(told or str(error) or type(error).__name__) from None
    except (ImportError, ArithmeticError) as error:
        raise click.ClickException(str(error)) from None


class Interruptible(click.Group):
    """A group of commands, any of which ends with one line and exit code 130 after Ctrl-C, or 1 when its output cannot
    be written.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        code: str | int | None = 0
        try:
            try:
                return super().main(*args, **kwargs)
            except SystemExit as ended:
                code = ended.code
                raise
            finally:
                sys.stdout.flush()  # here, and not when Python ends, which could only show a trace
        except OSError as error:
            _drop_output()
            if not code:  # else its line has been told
                click.echo(f"Error: the output cannot be written: {error.strerror or error}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        with _heard_in_kernels():
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt as error:
                click.echo("; ".join(["interrupted", *getattr(error, "__notes__", [])]), err=True)
                ctx.exit(INTERRUPTED)


def _drop_output():
    """Send what is still to be written nowhere, as Python would try to write it once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def _heard_in_kernels(patience=1.0):
    """Ctrl-C ends the process even in a kernel that runs for minutes.

    Python raises KeyboardInterrupt when the kernel returns. Where that takes more than so many seconds a thread ends
    the process: nothing can be half written while the main thread is in a kernel.
    """
    if (
        signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        or threading.current_thread() is not threading.main_thread()
    ):
        yield  # Ctrl-C is somebody else's, or ignored
        return
    heard = threading.Event()
    end, wake = socket.socketpair()
    wake.setblocking(False)

    def hear(_number, _frame):
        heard.set()
        raise KeyboardInterrupt

    def watch():
        while number := end.recv(1):  # written by the system's handler at once; empty when all is over
            if number[0] == signal.SIGINT and not heard.wait(patience):
                click.echo("interrupted", err=True)
                os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, hear)
    before = signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        wake.close()
        watcher.join()
        end.close()


@contextlib.contextmanager
def going_on(what: str, after: float = 2.0) -> Iterator[None]:
    """On a terminal, show from the third second on that work goes on, and for how long."""
    done = threading.Event()

    def tick():
        if not done.wait(after):
            with tqdm(desc=what, bar_format="{desc}, {elapsed}", leave=False) as bar:
                while not done.wait(0.5):
                    bar.refresh()

    ticker = threading.Thread(target=tick, daemon=True)
    if sys.stderr.isatty():
        ticker.start()
    try:
        yield
    finally:
        done.set()
        if ticker.ident:
            ticker.join()
