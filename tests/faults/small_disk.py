"""Runs a command on disks of many sizes: small_disk.py, told by JSON on standard input.

To be run where it may mount (unshare -m, or unshare -rm for an ordinary user): the disks are gone with
the process. Answers with a line of JSON for every size.
"""

import base64
import json
import signal
import subprocess
import sys
from pathlib import Path

from workplace import plant, tree


def main():
    task = json.load(sys.stdin)
    folder = Path(task["folder"])
    before = {name: base64.b64decode(data) for name, data in task["before"].items()}
    for size in task["sizes"]:
        out = folder / "out"
        out.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(out)], check=True)
        try:
            plant(out, before)
            try:
                ended = subprocess.run(task["words"], cwd=folder, env=task["environment"],
                                       capture_output=True, timeout=task["seconds"], check=False)
                code, said = ended.returncode, ended.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                code, said = -signal.SIGALRM, "no end"
            after = {name: base64.b64encode(data).decode() for name, data in tree(out).items()}
        except OSError as error:  # not even the old files fit
            code, said, after = None, str(error), {}
        finally:
            subprocess.run(["umount", str(out)], check=True)
        print(json.dumps({"size": size, "code": code, "said": said, "after": after}), flush=True)


if __name__ == "__main__":
    main()
