"""A program that plays by the protocol of `process`, or goes wrong in the way that its argument names."""

import json
import os
import signal
import sys
import threading
import time


def plays(question):
    """Answer as every program should."""
    answer = {"id": question["id"]}
    if question["type"] == "hello":
        return answer | {"protocol": 1, "name": "fair"}
    if question["type"] == "act":
        if "actions" in question:
            return answer | {"index": question["random"] % len(question["actions"])}
        return answer | {"action": sys.argv[2]}
    return answer


def writes(content):
    sys.stdout.write(content if isinstance(content, str) else json.dumps(content))
    sys.stdout.write("\n")
    sys.stdout.flush()


def hangs():
    while True:
        time.sleep(100)


def eats():
    eaten = []
    while True:
        eaten.append(bytearray(10_000_000))


def floods(stream):
    while True:
        stream.write("x" * 10_000)


def leaves_another():
    if os.fork():
        os._exit(4)
    hangs()


def falls():
    os.kill(os.getpid(), signal.SIGSEGV)
    hangs()


def stops_reading():
    """Answer before the question was read to its end."""
    os.close(0)
    hangs()


#: Set after each beat.
beat = threading.Event()


def beats():
    """Write the time into a file again and again, in a thread."""
    with open(sys.argv[2], "a", encoding="ascii") as file:  # noqa: PTH123  to start fast
        while True:
            file.write(f"{time.monotonic()}\n")
            file.flush()
            beat.set()
            time.sleep(0.001)


def tells_pids():
    """Write the numbers of this process and of another that it leaves."""
    child = os.fork()
    if child == 0:
        hangs()
    with open(sys.argv[2], "a", encoding="ascii") as file:  # noqa: PTH123
        file.write(f"{os.getpid()}\n{child}\n")


#: What is done instead of answering, by argument.
DEEDS = {
    "exits": lambda: os._exit(3),
    "falls": falls,
    "hangs": hangs,
    "eats": eats,
    "floods": lambda: floods(sys.stdout),
    "floods_errors": lambda: floods(sys.stderr),
    "leaves_another": leaves_another,
    "stops_reading": stops_reading,
    "closes_output": lambda: (os.close(1), hangs()),
    "raises": lambda: 1 // int(False),
}
#: What is answered instead, by argument.
ANSWERS = {
    "rubbish": lambda fair: "hello",
    "nothing": lambda fair: "",
    "list": lambda fair: [fair],
    "deep": lambda fair: "[" * 100_000,
    "no_text": lambda fair: '{"id": 3, "index": "\udcff"}',
    "other_id": lambda fair: fair | {"id": fair["id"] + 1},
    "no_id": lambda fair: {"index": 0},
    "id_true": lambda fair: fair | {"id": True},
    "huge": lambda fair: fair | {"note": "x" * 2_000_000},
    "two": lambda fair: json.dumps(fair) + "\n" + json.dumps(fair),
    "index_missing": lambda fair: {"id": fair["id"]},
    "index_high": lambda fair: fair | {"index": 1000},
    "index_negative": lambda fair: fair | {"index": -1},
    "index_true": lambda fair: fair | {"index": True},
    "index_float": lambda fair: fair | {"index": 0.0},
    "index_text": lambda fair: fair | {"index": "0"},
    "index_list": lambda fair: fair | {"index": [0]},
    "error": lambda fair: {"id": fair["id"], "error": "I am\nconfused"},
}


def main():
    mode = sys.argv[1]
    sys.stdout.reconfigure(errors="surrogateescape")
    if mode == "beats":
        threading.Thread(target=beats, daemon=True).start()
    if mode == "tells_pids":
        tells_pids()
    if mode == "tells_pid":
        with open(sys.argv[2], "a", encoding="ascii") as file:  # noqa: PTH123  to start fast
            file.write(f"{os.getpid()}\n")
    if mode == "speaks_first":
        writes({"id": 1, "protocol": 1})
    for line in sys.stdin:
        question = json.loads(line)
        fair = plays(question)
        if question["type"] == "hello" and mode == "protocol":
            writes(fair | {"protocol": 2})
        elif mode == "beats":  # each question has a beat, however seldom the thread gets its turn
            beat.clear()
            beat.wait()
            writes(fair)
        elif question["type"] != "act" or mode not in (*DEEDS, *ANSWERS):
            writes(fair)
        elif mode in DEEDS:
            DEEDS[mode]()
        else:
            writes(ANSWERS[mode](fair))


if __name__ == "__main__":
    main()
