package dev.mayfly.cli.open;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly add}: adds tasks to an open job. */
@Command(
    name = "add",
    description = {
      "Adds tasks to an open job (tasks: {open: true}), and prints their numbers.",
      "mayfly close ends the job when its tasks have ended."
    },
    footer = {
      "",
      "A file has a task a line, as JSON: its variables, and its input if it has one.",
      "",
      "Examples:",
      "  mayfly add tune --var lr=0.1 --var depth=3",
      "  mayfly add convert --input gs://lab/in/a.txt",
      "  mayfly add tune --file tasks.jsonl"
    })
public final class AddCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "JOB", description = "Its name, OWNER/NAME or uid.")
  String job = "";

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "A variable of the task, which its command names as {NAME}.")
  List<String> variables = new ArrayList<>();

  @Option(names = "--input", paramLabel = "URL", description = "The object that the task reads.")
  @Nullable String input;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Tasks as lines of JSON; - is standard input.")
  @Nullable String file;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Names this addition: a repeat adds nothing, and other tasks with its id are refused.")
  @Nullable String id;

  public AddCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = tasks();
    var found = cluster.jobToChange(job);
    var name = id == null ? cliContext.newId() : id;
    var additions = new ArrayList<TaskAdditionStatus>();
    for (var from = 0; from < tasks.size(); from += UserCommand.AddTasks.MOST) {
      var to = Math.min(tasks.size(), from + UserCommand.AddTasks.MOST);
      var part = tasks.size() <= UserCommand.AddTasks.MOST ? name : name + "-" + from;
      additions.add(add(found, part, tasks.subList(from, to)));
    }
    var last = additions.getLast();
    humanScreen()
        .line(
            "%s added to job %s: %s"
                .formatted(
                    HumanFormat.count(tasks.size(), "task"),
                    found.name(),
                    numbers(additions.getFirst().first(), last.first() + last.count() - 1)));
    showJson(additions);
    return 0;
  }

  private static String numbers(long first, long last) {
    return first == last ? "number " + first : "numbers " + first + " to " + last;
  }

  private List<Map<String, Object>> tasks() {
    if (file != null && (input != null || !variables.isEmpty()))
      throw CommandException.input("--file names all tasks; leave --input and --var out");
    if (file != null) return TaskLinesFile.read(file);
    var task = new LinkedHashMap<String, Object>();
    if (input != null) task.put("input", input);
    var values = DocumentFile.variables(variables, "--var ");
    if (!values.isEmpty()) task.put("variables", TaskLinesFile.literals(values));
    return List.of(task);
  }

  private TaskAdditionStatus add(JobStatus to, String name, List<Map<String, Object>> tasks) {
    var fields =
        Map.of("cluster", to.cluster(), "job", to.address(), "addition", name, "tasks", tasks);
    return cliContext.publish(
        UserDocuments.of("AddTasks", fields),
        "the addition to " + to.name(),
        () -> cliContext.api().addition(to.cluster(), to.uid(), name));
  }
}
