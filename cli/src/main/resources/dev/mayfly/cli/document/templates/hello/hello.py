# One task of job.yaml. Its environment says what it is to do; docs/tasks.md lists the variables.
import os

name = os.environ["MAYFLY_VAR_ITEM"]

# What is printed is in the task's log: mayfly logs hello
print(f"task {os.environ['MAYFLY_INDEX']} of {os.environ['MAYFLY_TASKS']} says hello to the {name}")

# What is left here is the task's result. Exit code 0 without it is a failure: the job names an output.
with open(os.environ["MAYFLY_OUTPUT"], "w") as result:
    result.write(f"hello, {name}\n")

# Numbers that mayfly tasks shows, one JSON object a line.
with open(os.environ["MAYFLY_METRICS"], "a") as metrics:
    metrics.write('{"letters": %d}\n' % len(name))
