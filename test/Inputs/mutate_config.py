"""Change a config.json in one place at a time and show what a program says of each.

  mutate_config.py <config.json> <work folder> <test file> <program> [argument]...

Every line `MUTATE: <pointer> = <expression>` of the test file is one run: the value at the JSON pointer
(`old` in the expression) is replaced; several assignments are separated by `;`. `<pointer> = delete` removes
it; pointer `/` is the whole document. The program gets the arguments and the changed file, and one line is
printed: what the program said if that is one line, else `ok`; or `exit N: <message without the file's name>`.
"""

import copy
import json
import os
import re
import subprocess
import sys

null, true, false, delete = None, True, False, object()


def holder(document, pointer):
    parts = pointer.strip("/").split("/")
    for part in parts[:-1]:
        document = document[int(part) if isinstance(document, list) else part]
    return document, int(parts[-1]) if isinstance(document, list) else parts[-1]


def assign(document, text):
    pointer, expression = (part.strip() for part in text.split(" = ", 1))
    if pointer == "/":
        return eval(expression, globals(), {"old": document})
    place, key = holder(document, pointer)
    old = place.get(key) if isinstance(place, dict) else place[key]
    value = eval(expression, globals(), {"old": old, "document": document})
    if value is delete:
        del place[key]
    else:
        place[key] = value
    return document


def main():
    base, work, test, *command = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, "config.json")
    with open(base) as file:
        original = json.load(file)
    for line in open(test):
        if " MUTATE: " not in line:
            continue
        document = copy.deepcopy(original)
        for change in line.split(" MUTATE: ", 1)[1].split(" ; "):
            document = assign(document, change.strip())
        with open(path, "w") as file:
            json.dump(document, file)
        run = subprocess.run(command + [path], capture_output=True, text=True)
        if run.returncode == 0:
            said = run.stdout.strip()
            print("ok" if "\n" in said or not said else said)
        else:
            message = re.sub(r"^error: CED\d{4}: ", "", run.stderr).replace(path + ": ", "", 1).strip()
            print("exit %d: %s" % (run.returncode, message))


main()
