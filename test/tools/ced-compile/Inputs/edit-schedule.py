"""Edits the text of a schedule as a hand would: edit-schedule.py <in> <out> <program> <edit> ..

  swap A B        the first dispatch of A and the first of B change places
  later A         the first dispatch of A and the one behind it change places, workspace to be planned anew
  drop A          the first dispatch of A goes
  twice A         the first dispatch of A is done again at once
  wire A N M      operands N and M of the first dispatch of A change places
  merge A B       the first dispatch of A and the first of B behind it that reads the same first operand, each of one op, become one
                  kernel with both ops in its body, where A was, workspace to be planned anew
  join A B        the first dispatch of A and the next of B become phases of one kernel, workspace to be planned anew

A and B are what a dispatch computes, or "what@layer".
"""
import re
import sys

source, target, program, edit, *arguments = sys.argv[1:]
lines = open(source).read().split("\n")
begin = next(i for i, line in enumerate(lines) if f"sched.program @{program} " in line)
pattern = re.compile(r'^(\s*sched\.dispatch )@(\w+) \[(.*?)\] : "(.*?)" (\d+)(.*)$')


def find(name, start=begin + 1):
    what, _, layer = name.partition("@")
    for i in range(start, len(lines)):
        if lines[i].startswith("  }"):
            sys.exit(f"no dispatch of '{name}'")
        found = pattern.match(lines[i])
        if found and found.group(4) == what and (not layer or found.group(5) == layer):
            return i, found
    sys.exit(f"no dispatch of '{name}'")


def kernel(name):
    """Head, body without its result, types of the arguments and of the result of a kernel of one op."""
    at = next(i for i, line in enumerate(lines) if f"sched.kernel @{name} " in line)
    types = re.findall(r"%arg\d+: (.*?)(?=, %arg|\):)", lines[at + 1])
    return lines[at], lines[at + 2], types, lines[at + 3].split(" : ")[1]


def unplanned(lines):
    return [re.sub(r"(sched\.buffer @\w+ workspace : .*) \{offset = \d+ : i64\}", r"\1", line) for line in lines]


i, first = find(arguments[0])
if edit == "swap":
    j, _ = find(arguments[1])
    lines[i], lines[j] = lines[j], lines[i]
elif edit == "later":
    j = next(j for j in range(i + 1, len(lines)) if pattern.match(lines[j]))
    lines[i], lines[j] = lines[j], lines[i]
    lines = unplanned(lines)
elif edit == "drop":
    del lines[i]
elif edit == "twice":
    lines.insert(i, lines[i])
elif edit == "wire":
    buffers = first.group(3).split(", ")
    a, b = int(arguments[1]), int(arguments[2])
    buffers[a], buffers[b] = buffers[b], buffers[a]
    lines[i] = f'{first.group(1)}@{first.group(2)} [{", ".join(buffers)}] : "{first.group(4)}" {first.group(5)}{first.group(6)}'
elif edit == "merge":
    reads = lambda found: found.group(3).split(", ")[0]
    j, second = find(arguments[1], i + 1)
    while reads(second) != reads(first):
        j, second = find(arguments[1], j + 1)
    head, op, types, result = kernel(first.group(2))
    _, other, more, last = kernel(second.group(2))
    other = re.sub(r"%arg(\d+)", lambda arg: f"%arg{int(arg.group(1)) + len(types)}", other).replace("%0 =", "%1 =")
    names = ", ".join(f"%arg{n}: {each}" for n, each in enumerate(types + more))
    a, b = first.group(3).split(", "), second.group(3).split(", ")
    lines[i] = f'    sched.dispatch @by_hand [{", ".join(a[:-1] + b[:-1] + a[-1:] + b[-1:])}] : "{first.group(4)}, {second.group(4)}" {first.group(5)}'
    del lines[j]
    top = next(n for n, line in enumerate(lines) if "sched.program @prefill " in line)
    lines[top:top] = [head.replace("@" + first.group(2), "@by_hand"), f"  ^bb0({names}):", op, other, f"    sched.result %0, %1 : {result}, {last}", "  }"]
    lines = unplanned(lines)
elif edit == "join":
    j, second = find(arguments[1], i + 1)
    buffers = []
    numbers = []
    for found in (first, second):
        names = found.group(3).split(", ")
        buffers += [name for name in names if name not in buffers]
        numbers.append(", ".join(str(buffers.index(name)) for name in names))
    lines[j] = f'    sched.dispatch @by_hand [{", ".join(buffers)}] : "{first.group(4)}; {second.group(4)}" {first.group(5)}'
    del lines[i]
    lists = ", ".join(f"array<i64: {each}>" for each in numbers)
    lines.insert(begin, f"  sched.phases @by_hand [@{first.group(2)}, @{second.group(2)}] on [{lists}]")
    lines = unplanned(lines)
open(target, "w").write("\n".join(lines))
