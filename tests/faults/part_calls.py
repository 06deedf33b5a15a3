"""The n-th request for memory fails, the n-th call that writes fails, or the process dies there."""

import shutil
import signal
import subprocess
from collections import Counter

from cases import command_cases, geographic_cases
from preload import Server
from workplace import Place, Right, judge_files, judge_message, judge_success, mixed

# What is held to our promise: our code, and the libraries it asks for memory or lets ask. Others may end
# the process, or worse, when they get none; what they do is counted, not promised.
OURS = ("pegnn", "_native", "libfmt", "libnlopt", "libz.", "libhwy", "libxxhash")
# GDAL does not look whether it could open the file with the encoding of a shapefile, and crashes; nor
# whether the first lines of GeoJSON were written, or the marks before and after the records of a shapefile.
# Features and fields that are lost are found by reading them back.
NOT_LOOKED_AT = (".cpg", ".geojson", ".dbf")
# Of a command that goes through GDAL: memory asked for by our own code, or for it by the C++ library.
OUR_MODULES = "pegnn:libfmt:libstdc++"

PROMISED = {"allocation": 6, "write": 5}


def numbers(last, most, draw):
    """1 to `last`, or `most` of them: some at either end, the others anywhere."""
    if most is None or last <= most:
        return range(1, last + 1)
    ends = set(range(1, most // 8 + 1)) | set(range(last - most // 8, last + 1))
    inner = draw.sample(range(1, last + 1), most - len(ends))
    return sorted(ends | set(inner))


def function_at(file, address):
    """The name of the function that the address lies in; "" if it is not known."""
    if shutil.which("addr2line") is None:
        return ""
    # The address is where the call returns to, which may lie behind the function's end.
    said = subprocess.run(["addr2line", "-f", "-C", "-e", str(file), hex(int(address, 16) - 1)],
                          capture_output=True, text=True, check=False)
    return said.stdout.split("\n")[0]


def who_asked(pegnn, report):
    """Module and function that asked for the memory. Ours may hold functions of the C++ library that other
    libraries call: those are passed over."""
    for line in report.places.splitlines()[:-1]:
        module, address = line.split(" ")
        file = {"pegnn": pegnn.binary}.get(module) or next(pegnn.build.rglob(module), None)
        function = function_at(file, address) if file else ""
        if not function.startswith(("std::", "void std::")):
            return module, function
    return report.module, ""


class Calls:
    """All faults of one kind over all cases."""

    def __init__(self, run, kind, cases):
        self.run, self.kind, self.cases = run, kind, cases

    def __call__(self, name, plans, most=None, only_from=None):
        """`plans`: over old results or none, what follows the number, and how many numbers are one try."""
        for case in self.cases:
            if self.run.wants(case.name):
                self.over(name, case, plans, most, only_from)

    def over(self, name, case, plans, most, only_from):
        place = Place(self.run.folder / "place", self.run.inputs)
        outcomes, row = Counter(), self.run.row(name, case.name)
        with Server(self.run.pegnn, case.words, place.folder, case.seconds, only_from) as server:
            place.prepare({})
            whole = server.run()
            right = Right(place.look(), whole.out)
            if whole.code != 0:
                row.fail(f"does not work without faults: {whole.err}", server.command("none:0"))
                place.remove()
                return
            for old, ending, stride in plans:
                before = case.old() if old else {}
                before = {**{f"{name.split('/')[0]}/": b"" for name in before if "/" in name}, **before}
                place.prepare(before)
                counted = server.run().report
                place.look()
                last = counted.allocations if self.kind == "allocation" else counted.writes
                for n in self.run.chosen(numbers(last, most, self.run.draw)[::1 if most else stride]):
                    plan = f"{self.kind}:{n}{ending}"
                    place.prepare(before)
                    problems = self.try_once(server, plan, case, place, before, right, outcomes)
                    row.add(problems, server.command(plan), case.name, n)
        row.note = ", ".join(f"{count} {word}" for word, count in sorted(outcomes.items()))
        place.remove()

    def try_once(self, server, plan, case, place, before, right, outcomes):
        ended = server.run(plan)
        after = place.look()
        if self.kind in ("kill", "torn"):
            return self.judge_killed(server, ended, case, place, before, right, after, outcomes)
        fault = f"{ended.report.call} of {ended.report.target} in {ended.report.module}"
        others = not ended.report.module.startswith(OURS)
        if others and self.kind == "allocation":
            return self.judge_others(ended, case, before, right, after, outcomes)
        problems = self.judge(ended, case, before, right, after, outcomes)
        if problems and others and ended.report.fired == 1 and ended.report.target.endswith(NOT_LOOKED_AT):
            return self.judge_others(ended, case, before, right, after, outcomes)
        if problems and self.kind == "allocation":
            module, function = who_asked(self.run.pegnn, ended.report)
            fault += f" ({module}: {function})"
            if not module.startswith(OURS):
                return self.judge_others(ended, case, before, right, after, outcomes)
            if "json" in function:
                # Destructors of nlohmann's JSON ask for memory and end the process where they get none
                # (src/cli/memory_reserve.h).
                outcomes["JSON library: " + ("crash" if ended.signal else f"exit {ended.code} at once")] += 1
                return judge_files(case, before, right, after, killed=True)
        return [f"{fault}: {p}" for p in problems]

    def judge_others(self, ended, case, before, right, after, outcomes):
        """Another library got no memory: it may crash, or go on as if nothing were, but no file may be half
        written."""
        ends = {0: "did without or hid it", PROMISED[self.kind]: f"exit {PROMISED[self.kind]}"}
        outcomes["other libraries: " + ("crash" if ended.signal else ends.get(ended.code, "other exit code"))] += 1
        if ended.code == 0:
            return []
        return judge_files(case, before, right, after, killed=True)

    def judge(self, ended, case, before, right, after, outcomes):
        if ended.signal:
            return [f"ended by {signal.Signals(ended.signal).name}: {ended.err[-300:]}"]
        if ended.code == 0:
            outcomes["did without"] += 1
            return judge_success(right, ended, after) + self.judge_needed(ended)
        if ended.code != PROMISED.get(self.kind):
            return [f"exit code {ended.code}: {ended.err[-300:]}"]
        outcomes[f"exit {ended.code}"] += 1
        # Where no file can be renamed any more, the log that was put aside cannot come back.
        lost_log = self.kind == "write" and ended.report.fired > 1
        problems = judge_files(case, before, right, after, lost_log) + judge_message(ended)
        if mixed(case, before, right, after):
            outcomes["files of two runs"] += 1
            # Files take their names one by one; only that may fail between two of them.
            naming = ended.report.call == "rename" or (ended.report.call == "fsync" and lost_log)
            if self.kind == "allocation" or not naming:
                problems.append(f"some results are old and some new: {sorted(after)}")
        return problems

    def judge_needed(self, ended):
        """Standard output that cannot be written is no success, except where it is flushed once more."""
        report = ended.report
        if self.kind == "write" and report.target == "1" and report.module == "pegnn":
            return ["ends with 0 though standard output could not be written"]
        return []

    def judge_killed(self, server, ended, case, place, before, right, after, outcomes):
        if ended.code == 0 and not ended.report.fired:  # fewer lines of progress than the time before
            outcomes["over before"] += 1
            return judge_success(right, ended, after)
        if ended.signal != signal.SIGKILL:
            return [f"was to be killed, and ended with {ended.code}: {ended.err[-300:]}"]
        outcomes["killed"] += 1
        problems = judge_files(case, before, right, after, killed=True)
        again = server.run()
        if again.code != 0:
            return problems + [f"afterwards it ends with {again.code}: {again.err[-300:]}"]
        return problems + [f"afterwards: {p}" for p in judge_success(right, again, place.look())]


# Over old results and over none; once, and from then on.
ALL_PLANS = [(True, "", 1), (False, "", 1), (True, ":on", 1), (False, ":on", 1)]
OLD_AND_NEW = [(True, "", 1), (False, "", 1)]
# Every request is refused once; memory is exhausted at every fifth, which takes longer to end.
MEMORY_PLANS = [(True, "", 1), (False, ":on", 5)]


def allocations(run):
    Calls(run, "allocation", command_cases())("allocations", MEMORY_PLANS, run.most(40))


def writes(run):
    cases = command_cases()
    Calls(run, "write", cases)("writes", ALL_PLANS, run.most(20))
    Calls(run, "short", cases)("writes cut short", [(True, "", 1), (False, ":on", 1)], run.most(6))
    Calls(run, "signal", cases)("writes interrupted", [(True, "", 1)], run.most(6))


def kills_at_writes(run):
    cases = command_cases()
    Calls(run, "kill", cases)("killed at a write", OLD_AND_NEW, run.most(8))
    Calls(run, "torn", cases)("killed within a write", OLD_AND_NEW, run.most(8))


def geographic(run):
    if not run.pegnn.has_gdal:
        return run.skip("geographic", "this build has no GDAL module")
    cases = geographic_cases()
    # A run takes a tenth of a second: there are too many requests to try them all.
    Calls(run, "allocation", cases)("geographic: allocations of ours", MEMORY_PLANS, run.most(8, 1000), OUR_MODULES)
    Calls(run, "allocation", cases)("geographic: any allocation", [(True, "", 1)], run.most(8, 300))
    Calls(run, "write", cases)("geographic: writes", ALL_PLANS, run.most(4))
    Calls(run, "kill", cases)("geographic: killed at a write", OLD_AND_NEW, run.most(4))
    return None
