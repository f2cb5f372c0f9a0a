"""How time grows with the topics and falls with the threads: whole processes of precall."""

from __future__ import annotations

import collection
import record
from files import precall
from timing import Job, interleaved

COPIES = (1, 2, 4)


def main() -> None:
    options = record.arguments(__doc__ or "")
    name = (options.only or ["msmarco"])[0]
    inputs = {1: collection.ensure(options.data, name)}
    for count in COPIES[1:]:
        inputs[count] = collection.ensure(options.data, f"{name}-{count}")
    jobs = [Job(f"{count} x {name}", precall(*paths)) for count, paths in inputs.items()]
    jobs += [
        Job(f"{threads} thread{'s' * (threads > 1)}", precall(*inputs[1]), {"PRECALL_THREADS": str(threads)})
        for threads in (1, 2)
    ]
    times = interleaved(jobs, options.repeat)
    single_copy = times[f"1 x {name}"].seconds
    grown = []
    for count in COPIES:
        copied = times[f"{count} x {name}"]
        ratio = copied.seconds / single_copy
        row = [f"{copied.seconds:.3f}", f"{ratio:.2f}", f"{ratio / count:.2f}", f"{copied.megabytes:.0f}"]
        grown.append([f"{count} x {name}", *row])
    header = ["", "wall s", "x one copy", "x linear", "peak MB"]
    print(record.table(f"scaling: copies of {name}'s topics, median of {options.repeat}", header, grown))
    single = times["1 thread"]
    threads = [
        [key, f"{times[key].seconds:.3f}", f"{single.seconds / times[key].seconds:.2f}"]
        for key in ("1 thread", "2 threads")
    ]
    print(
        record.table(
            f"scaling: threads on {name}, median of {options.repeat}", ["", "wall s", "x one"], threads
        )
    )
    measured = {key: one.record() for key, one in times.items()}
    print("record:", record.write(options.records, "scaling", {name: measured}))


if __name__ == "__main__":
    main()
