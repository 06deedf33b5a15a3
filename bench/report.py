#!/usr/bin/env python3
"""Measures the cases of a build and prints one table, then the goals: report.py BUILD quick|full [THREADS]

BUILD is a build folder with pegnn_bench in it. `quick` takes about two minutes and stops at 10^5 points,
`full` goes to 10^7. THREADS (all cores) is how many the table is made with; the step is also measured with
one, two and all. The last column but one is the share that the calls of a kernel have in a step of PE-GCN,
the last the time of a step over that of its matrix products alone, measured in the same run. Exit status 2:
an error.
"""

import argparse
import math
import os
import statistics
import sys

sys.dont_write_bytecode = True  # a source tree stays as it is
from measure import duration, measure, positive, program, rows_of_text  # noqa: E402

MODES = {"quick": {"repetitions": 5, "seconds": 0.05}, "full": {"repetitions": 9, "seconds": 0.2}}
LARGE_SIZES = "/(1000000|10000000)/"
STEP = "step/gcn/2048"
# What is measured with several numbers of threads: the step, and what has a goal for one thread.
SWEPT = "^(step|products)/(gat|gcn|sage)/|^knn/.*/(2048|434874|10000|100000)/|^csv/.*/100000/"
# Below this share of processor time in the time on the wall, one thread was kept waiting by others.
CALM = 0.9


def rate(case):
    for counter, scale, unit in (("flops", 1e9, "GFLOP/s"), ("rows", 1e6, "Mrows/s")):
        if counter in case.counters:
            return f"{case.counters[counter] / case.median / scale:.3g} {unit}"
    return ""


def over_products(case, cases, of=lambda case: case.median):
    """The time of a step over that of its products; None for other cases."""
    if not case.name.startswith("step/"):
        return None
    return of(case) / of(cases[case.name.replace("step/", "products/")])


def table(cases):
    step = cases.get(STEP)
    rows = []
    for case in cases.values():
        calls = case.counters.get("calls")
        ratio = over_products(case, cases)
        rows.append([case.name, duration(case.median), f"{100 * case.spread:.1f} %",
                     duration(case.least), rate(case),
                     f"{100 * calls * case.median / step.median:.1f} %" if calls and step else "",
                     f"{ratio:.2f}" if ratio else ""])
    return rows_of_text(["case", "median", "spread", "least", "rate", "of the step", "/ products"],
                        rows)


def sweep_table(swept):
    names = [name for name in swept[min(swept)] if name.startswith("step/")]
    rows = []
    for name in names:
        row = [name]
        for threads in sorted(swept):
            case = swept[threads][name]
            row += [duration(case.median), f"{100 * case.spread:.0f} %",
                    f"{over_products(case, swept[threads]):.2f}"]
        rows.append(row)
    header = ["case"]
    for threads in sorted(swept):
        header += [f"{threads} thread{'s' if threads > 1 else ''}", "spread", "/ products"]
    return rows_of_text(header, rows)


def growth(cases, kind):
    """How much more than n log n the time grows, from the smallest size to the largest."""
    sizes = sorted(int(name.rpartition("/")[2]) for name in cases if name.startswith(f"knn/{kind}/"))
    small, large = sizes[0], sizes[-1]
    times = [cases[f"knn/{kind}/{n}"].median for n in (small, large)]
    wanted = large * math.log(large) / (small * math.log(small))
    return small, large, times[1] / times[0] / wanted


def goals(cases, swept, calm):
    """Lines of the goal table: work, goal, measured, and whether it is met where that is told here.

    On a machine busy with other things nothing is known: the verdict gets a question mark.
    """
    one, two = swept[1], swept.get(2)
    lines = []
    if two:
        for name in ("gcn/2048", "gat/2048", "sage/2048", "gcn/16512", "gat/16512", "sage/16512"):
            case = two[f"step/{name}"]
            ratio, least = over_products(case, two), over_products(case, two, lambda c: c.least)
            goal = case.name == STEP
            lines.append((f"step of {name.replace('/', ', ')} rows over its products, 2 threads",
                          "at most 1.5" if goal else "", f"{ratio:.2f} (least: {least:.2f})",
                          ratio <= 1.5 if goal else None))
    lines.append(("steps over PyTorch Geometric's", "10 times faster", "bench/peers/run.py", None))
    for rows, most in ((2048, 1e-3), (434874, 0.4)):
        for kind in ("uniform", "clustered"):
            time = one[f"knn/{kind}/{rows}"].median
            lines.append((f"kNN graph of {rows:,} {kind} points, 1 thread",
                          f"under {duration(most)}", duration(time), time < most))
    for kind in ("uniform", "clustered"):
        small, large, factor = growth(cases, kind)
        # Half as much again is allowed for caches, which n log n knows nothing of.
        lines.append((f"  growth from {small:,} to {large:,} {kind} points", "n log n",
                      f"{factor:.2f} times that", factor <= 1.5))
    for kind in ("memory", "file"):
        case = one[f"csv/{kind}/100000"]
        speed = case.counters["rows"] / case.median
        lines.append((f"CSV of 4 columns from {kind}, 1 thread", "over 5 Mrows/s",
                      f"{speed / 1e6:.3g} Mrows/s", speed > 5e6))
    case = cases["predict/gcn/100000"]
    lines.append(("prediction by PE-GCN, 100,000 points", "(150,000/s: default model)",
                  f"{case.counters['rows'] / case.median:,.0f}/s", None))
    verdicts = {None: "", True: "met" if calm else "met?", False: "NOT MET" if calm else "not met?"}
    return [[work, goal, seen, verdicts[met]] for work, goal, seen, met in lines]


def undisturbed(cases):
    """The median share of the time on the wall in which a program of one thread ran."""
    return statistics.median(statistics.median(c.cpu) / c.median for c in cases.values())


def main():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("threads", nargs="?", type=positive(int), default=cores)
    options = parser.parse_args()
    command, mode, threads = program(options.build), MODES[options.mode], options.threads

    print(f"measuring: {mode['repetitions']} interleaved repetitions of at least "
          f"{mode['seconds']} s", file=sys.stderr)
    context, cases = measure(command, ".", **mode, threads=threads)
    if options.mode == "full":
        print("measuring 10^6 and 10^7 points: 3 repetitions", file=sys.stderr)
        cases.update(measure(command, LARGE_SIZES, 3, 0.01, threads, ["--large"])[1])
    swept = {}
    for count in sorted({1, min(2, cores), threads, cores}):
        print(f"measuring with {count} thread{'s' if count > 1 else ''}", file=sys.stderr)
        swept[count] = measure(command, SWEPT, **mode, threads=count)[1]

    print(f"pegnn {context['pegnn_version']}, backend {context['pegnn_backend']}, {threads} threads, "
          f"{context['num_cpus']} cores, {context['date']}")
    print(f"medians of {mode['repetitions']} interleaved repetitions (3 from 10^6 points on) of at "
          f"least {mode['seconds']} s;\nspread: median absolute deviation; of the step: share in "
          f"{STEP}; / products: over the matrix products alone\n")
    print(table(cases))
    print("\nThe step with several numbers of threads\n")
    print(sweep_table(swept))
    share = undisturbed(swept[1])
    print("\nGoals\n")
    print(rows_of_text(["work", "goal", "measured", ""], goals(cases, swept, share >= CALM)))
    if share < CALM:
        print(f"\nOther programs were busy: on one thread the cases ran only {100 * share:.0f} % of "
              "their time.\nMeasure again on a quiet machine.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
