"""Makes each mistake of mutants.json beside the built classes, and has a scenario of its rule break by it.

The table has an entry for each row of the tables of docs/scheduling.md, by the beginning of the rule's text:
{"rule": …, "mutants": [{"mistake": …, "file": …, "old": …, "new": …, "scenario": …}]}. A mistake replaces `old`, which is
in the file once, by `new`. Its scenario is one that the row links; it holds without the mistake.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PAGE = Path("docs/scheduling.md")
TABLE = Path(".ci/mutants-checks/mutants.json")
SOURCES = "core/src/main/java/"
BUILT = "cli/target/mayfly-cli.jar:cli/target/lib/*"
AT_ONCE = 2
COMPILES = 60  # seconds, on a computer that does other things too
ENDS = 90  # seconds: a mistake by which the simulation takes longer than this shows nothing
JAVA = Path(os.environ["JAVA_HOME"]) / "bin"
# As ./mayfly has them.
OPTIONS = [
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
]


class Wrong(Exception):
    """A mistake that shows nothing, or an entry that is not right."""


def fail(words):
    sys.exit("mutants: " + words)


def rows():
    """The rules of the page, each with the scenarios that its row links."""
    found = {}
    within = False
    for line in PAGE.read_text().splitlines():
        if not line.startswith("|"):
            within = False
        elif line.startswith("| rule |"):
            within = True
        elif within and not line.startswith("|---"):
            rule, seen = (cell.strip() for cell in line.strip("|").split("|")[:2])
            found[rule] = re.findall(r"\(\.\./(scenarios/[^)]*\.yaml)\)", seen)
    return found


def entries():
    """The table's entries by the rules of the page: each rule has one, and each entry a rule."""
    links = rows()
    if not links:
        fail(f"{PAGE} has no table of rules")
    found = {}
    problems = []
    for entry in json.loads(TABLE.read_text()):
        of = [rule for rule in links if rule.startswith(entry["rule"])]
        if len(of) != 1:
            problems.append(f"{TABLE}: {len(of)} rules of {PAGE} begin with '{entry['rule']}', and not one")
        elif of[0] in found:
            problems.append(f"{TABLE}: the rule '{entry['rule']}' is there twice; put both mistakes into one entry")
        elif not entry["mutants"]:
            problems.append(f"{TABLE}: the rule '{entry['rule']}' has no mutant")
        else:
            found[of[0]] = entry["mutants"]
            problems += [
                f"{TABLE}: {each['scenario']} is not linked by the row of the rule '{entry['rule']}' in {PAGE}"
                for each in entry["mutants"]
                if each["scenario"] not in links[of[0]]
            ]
    problems += [f"{TABLE}: no entry for the rule '{rule}' of {PAGE}" for rule in links if rule not in found]
    if problems:
        fail("\n".join(problems))
    return found


def version():
    """The release for which the build compiles."""
    return re.search(r"<maven.compiler.release>(\d+)<", Path("pom.xml").read_text()).group(1)


def run(command, seconds):
    # subprocess ends what runs for longer than that.
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{Path(command[0]).name} took longer than {seconds} s") from None


def mutate(mutant, folder):
    """Compiles the file with the mistake into the folder's overlay."""
    source = Path(mutant["file"])
    if not source.is_file() or not mutant["file"].startswith(SOURCES):
        raise Wrong(f"{source} is no file of the product; write a path below {SOURCES}")
    text = source.read_text()
    times = text.count(mutant["old"])
    if times != 1:
        raise Wrong(f"'{mutant['old']}' is {times} times in {source}, and not once; write the text that is there now")
    copy = folder / mutant["file"][len(SOURCES) :]
    copy.parent.mkdir(parents=True)
    copy.write_text(text.replace(mutant["old"], mutant["new"]))
    overlay = folder / "classes"
    javac = [JAVA / "javac", "--release", version(), "-parameters", "-proc:none", "-nowarn", "-XDignore.symbol.file"]
    compiled = run([*javac, "-cp", BUILT, "-d", overlay, copy], COMPILES)
    if compiled.returncode != 0:
        raise Wrong(f"does not compile:\n{compiled.stdout}{compiled.stderr}")
    return f"{overlay}:{BUILT}"


def broken(scenario, path):
    """What the scenario expects and does not see."""
    command = [JAVA / "java", *OPTIONS, "-cp", path, "dev.mayfly.cli.Main", "simulate", scenario, "-o", "json"]
    ended = run(command, ENDS)
    try:
        expected = json.loads(ended.stdout)["expected"]
    except (ValueError, KeyError):
        raise Wrong(f"{scenario} ends with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-600:]}") from None
    if not expected:
        raise Wrong(f"{scenario} expects nothing")
    found = [f"{each['expected']}; it was: {each['seen']}" for each in expected if each["held"] < each["runs"]]
    if ended.returncode != (1 if found else 0):
        raise Wrong(f"{scenario} ends with {ended.returncode}, and {len(found)} of what it expects are broken")
    return found


def unchanged(scenario):
    """Why the scenario does not hold as it should, or nothing."""
    try:
        found = broken(scenario, BUILT)
    except Wrong as wrong:
        return str(wrong)
    return f"{scenario} is broken without a mistake: {found[0]}" if found else None


def found(mutant):
    """What the scenario says of the mistake; whatever is not the break of an expectation is an error."""
    with tempfile.TemporaryDirectory(prefix="mayfly-mutant-") as folder:
        try:
            breaks = broken(mutant["scenario"], mutate(mutant, Path(folder)))
        except Wrong as wrong:
            return False, str(wrong)
    if not breaks:
        return False, f"{mutant['scenario']} holds with it: write another scenario, or one that expects more"
    return True, f"{mutant['scenario']}: {breaks[0]}"


def main(words):
    if len(words) > 1 or any(word.startswith("-") for word in words):
        fail("takes one word, by which it chooses")
    word = words[0].lower() if words else ""
    chosen = {}
    for rule, mutants in entries().items():
        some = [each for each in mutants if word in " ".join([rule, *each.values()]).lower()]
        if some:
            chosen[rule] = some
    if not chosen:
        fail(f"nothing has '{word}' in its rule, mistake, file or scenario")
    failed = 0
    with ThreadPoolExecutor(AT_ONCE) as threads:
        scenarios = sorted({each["scenario"] for mutants in chosen.values() for each in mutants})
        without = dict(zip(scenarios, threads.map(unchanged, scenarios)))
        pending = {rule: [threads.submit(found, each) for each in mutants] for rule, mutants in chosen.items()}
        for rule, mutants in chosen.items():
            lines = []
            good = True
            for each, result in zip(mutants, pending[rule]):
                caught, what = result.result()
                before = without[each["scenario"]]
                good = good and caught and before is None
                lines.append(f"          {each['mistake']}: {before or what}")
            failed += not good
            print("passed " if good else "FAILED ", rule, flush=True)
            print("\n".join(lines), flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
