"""The preload library from the driver's side: one command, loaded once, run with many faults."""

import os
import shlex
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The C library's own conditions: what a user's shell sets must not matter.
QUIET_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
                     "HOME": "/nonexistent"}


@dataclass
class Report:
    """What the library counted, and the first fault it handed out (fault_plan.h)."""
    allocations: int
    writes: int
    fired: int
    call: str
    target: str
    module: str
    places: str

    @classmethod
    def read(cls, path):
        data = Path(path).read_bytes()
        texts = [text.split(b"\0")[0].decode(errors="replace")
                 for text in struct.unpack("64s448s256s1024s", data[24:1816])]
        return cls(*struct.unpack("<qqq", data[:24]), *texts)


@dataclass
class Ended:
    """How a run ended: an exit code or a signal, and what it said."""
    code: int
    signal: int
    out: bytes
    err: str
    report: Report


class Server:
    """`words` run again and again in `folder`, each time with another plan ("write:3:on")."""

    def __init__(self, pegnn, words, folder, seconds=60, only_from=None, environment=None):
        self.words, self.folder, self.pegnn = words, folder, pegnn
        self.side = folder.parent / (folder.name + ".said")
        self.side.mkdir(exist_ok=True)
        self.variables = {"LD_PRELOAD": str(pegnn.library),
                          "PEGNN_TORTURE_REPORT": str(self.side / "report")}
        if only_from:
            self.variables["PEGNN_TORTURE_FROM"] = only_from
        (self.side / "report").unlink(missing_ok=True)
        ask, self.asked = os.pipe()
        self.answers, answer = os.pipe()
        variables = {**QUIET_ENVIRONMENT, **(environment or {}), **self.variables,
                     "PEGNN_TORTURE_STDOUT": str(self.side / "out"),
                     "PEGNN_TORTURE_STDERR": str(self.side / "err"),
                     "PEGNN_TORTURE_SECONDS": str(seconds), "PEGNN_TORTURE_SERVER": f"{ask},{answer}"}
        self.process = subprocess.Popen([pegnn.binary, *words], cwd=folder, env=variables,
                                        pass_fds=(ask, answer), stdin=subprocess.DEVNULL)
        os.close(ask)
        os.close(answer)
        self.lines = os.fdopen(self.answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.asked)
        self.lines.close()
        self.process.wait()

    def run(self, plan="none:0"):
        os.write(self.asked, f"{plan}\n".encode())
        status = int(self.lines.readline())
        stopped = os.WIFSIGNALED(status)
        return Ended(code=-1 if stopped else os.WEXITSTATUS(status),
                     signal=os.WTERMSIG(status) if stopped else 0,
                     out=(self.side / "out").read_bytes(),
                     err=(self.side / "err").read_text(errors="replace"),
                     report=Report.read(self.side / "report"))

    def command(self, plan):
        """The same by hand."""
        kept = {key: value for key, value in self.variables.items() if key != "PEGNN_TORTURE_REPORT"}
        variables = " ".join(f"{key}={shlex.quote(value)}" for key, value in kept.items())
        return f"PEGNN_TORTURE={plan} {variables} {shlex.join([self.pegnn.binary, *self.words])}"
