#!/usr/bin/env python3
"""pegnn datasets --fetch over the network: fetch_test.py PEGNN_BINARY

A small server on this machine stands for the sources (PEGNN_DATA_MIRROR): whole files, redirects, 404,
a body cut short, one that stalls, another file than the one wanted; and nothing listens at all. Ends
with 77 where the build cannot fetch.
"""

import http.server
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

STATIONS = ("Lon,Lat,nObs,SG_rmsep,meanT,meanP\n"
            + "".join(f"{i % 90},{i % 60},9,1,{i % 25},{i % 500}\n" for i in range(40000)))
# As long as the real one, which is checked.
STATIONS = STATIONS[:383938 - 12].rsplit("\n", 1)[0] + "\n"
LAST = "1,2,3,4,5,"
STATIONS += LAST + "7" * (383938 - len(STATIONS) - len(LAST) - 1) + "\n"

ELECTION = {
    "education.csv": "FIPS,BachelorRate2016\n1001,27.7\n",
    "election.csv": "fips_code,dem_2016,gop_2016\n1001,5908,18110\n",
    "income.csv": 'FIPS,MedianIncome2016\n1001,"54,487"\n',
    "unemployment.csv": "FIPS,Unemployment_rate_2016\n1001,5.1\n",
    "population.csv": "FIPS,R_birth_2016,R_death_2016,R_NET_MIG_2016\n01001,12.2,10,5.3\n",
    "2019_Gaz_counties_national.txt": "AL,01001,1,Autauga,1,1,1,1,32.532237,-86.64644\n",
}


class Sources(http.server.BaseHTTPRequestHandler):
    """The first word of the path is what happens, the rest names data set and file."""

    def do_GET(self):
        what, dataset, name = self.path.strip("/").split("/")
        body = (STATIONS if dataset == "air-temperature" else ELECTION.get(name, "1,2,3\n")).encode()
        self.server.asked.append(name)
        if what == "gone" or (what == "half" and name == "income.csv"):
            return self.send_error(404)
        if what == "moved":
            self.send_response(302)
            self.send_header("Location", f"/whole/{dataset}/{name}")
            return self.end_headers()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if what == "cut":
            self.wfile.write(body[: len(body) // 2])
            return self.close_connection
        if what == "slow":
            self.wfile.write(body[:1000])
            self.wfile.flush()
            self.server.waiting.set()
            return self.server.over.wait(30)
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Tests:
    def __init__(self, pegnn, server):
        self.pegnn, self.server = pegnn, server
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.passed = self.failed = 0

    def command(self, folder, mirror, *words):
        environment = dict(os.environ, PEGNN_DATA_MIRROR=mirror)
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            environment.pop(name, None)
        return subprocess.Popen([self.pegnn, "datasets", "--fetch", "--data-dir", folder, *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment)

    def check(self, sentence, process, code, pieces, files, folder):
        """The command ends so, says so, and leaves these files."""
        out, err = process.communicate(timeout=60)
        left = sorted(p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file())
        wrong = [f"no {piece!r}" for piece in pieces if piece not in out + err]
        if process.returncode != code:
            wrong.append(f"exit {process.returncode} instead of {code}")
        if left != sorted(files):
            wrong.append(f"left {left} instead of {sorted(files)}")
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f"FAILED {sentence}: {'; '.join(wrong)}\n{out}{err}")

    def run(self):
        stations = "air-temperature/stationDataAll.csv"
        election = [f"election/{name}" for name in ELECTION]
        cases = [
            ("whole files arrive and are read", "whole", "air-temperature", 0,
             ["Air Temperature: stationDataAll.csv from http://", "other values"], [stations]),
            ("redirects are followed", "moved", "air-temperature", 0, ["other values"], [stations]),
            ("several files make one data set", "whole", "election", 0, ["other values (1 row)"],
             election),
            ("404 names address and status", "gone", "air-temperature", 5,
             ["/gone/air-temperature/stationDataAll.csv", "status 404", "by hand into"], []),
            ("a body cut short keeps nothing", "cut", "air-temperature", 5, ["cannot fetch"], []),
            ("another file than the one wanted keeps nothing", "whole", "california-housing", 3,
             ["SHA-256", "d3d8a1a722ae78f91134862727d27a70b1415e7d512a89140406248687f4b902"], []),
            ("files that came before a failure stay", "half", "election", 5, ["status 404"],
             election[:2]),
        ]
        for sentence, what, name, code, pieces, files in cases:
            with tempfile.TemporaryDirectory() as folder:
                process = self.command(folder, f"{self.url}/{what}", name)
                self.check(sentence, process, code, pieces, files, folder)
        self.run_special(stations, election)

    def run_special(self, stations, election):
        with tempfile.TemporaryDirectory() as folder:
            with socket.socket() as taken:  # bound, but nobody listens
                taken.bind(("127.0.0.1", 0))
                mirror = f"http://127.0.0.1:{taken.getsockname()[1]}"
                process = self.command(folder, mirror, "air-temperature")
                self.check("a refused connection is told with the address", process, 5,
                           [mirror, "onnect"], [], folder)
        with tempfile.TemporaryDirectory() as folder:
            process = self.command(folder, self.url + "/whole")
            self.check("of all, one that cannot be had does not keep the others away", process, 3,
                       ["1 of 4 data sets could not be fetched: california-housing"],
                       [stations, "3d-road/3D_spatial_network.txt", *election], folder)
            self.server.asked.clear()
            process = self.command(folder, self.url + "/whole", "election")
            self.check("what is there is not fetched again", process, 0, [],
                       [stations, "3d-road/3D_spatial_network.txt", *election], folder)
            self.passed += not self.server.asked
            if self.server.asked:
                self.failed += 1
                print(f"FAILED what is there is not fetched again: asked for {self.server.asked}")
        with tempfile.TemporaryDirectory() as folder:
            process = self.command(folder, self.url + "/slow", "air-temperature")
            self.server.waiting.wait(30)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            self.check("Ctrl-C in the middle leaves nothing", process, 130, ["stopped while fetching"],
                       [], folder)
            self.server.over.set()


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PEGNN_DATA_MIRROR="file:///nowhere")
        said = subprocess.run([arguments[0], "datasets", "election", "--fetch", "--data-dir", folder],
                              capture_output=True, text=True, env=environment).stderr
    if "for want of libcurl" in said or "without the reproduction" in said:
        print("this build cannot fetch")
        return 77
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sources) as server:
        server.asked, server.waiting, server.over = [], threading.Event(), threading.Event()
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tests = Tests(arguments[0], server)
        tests.run()
        server.shutdown()
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
