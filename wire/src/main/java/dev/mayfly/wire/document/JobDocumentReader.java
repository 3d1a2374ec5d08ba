package dev.mayfly.wire.document;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskPrivileges;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a Job document as a command. */
final class JobDocumentReader {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Resources ONE_CPU = Resources.cpu(1, 0);

  private final FieldReader fieldReader;
  private final FieldReader tasks;
  private final boolean folders;

  /**
   * @param folders whether {@code code} may be a local folder
   */
  JobDocumentReader(FieldReader fieldReader, boolean folders) {
    this.fieldReader = fieldReader;
    this.tasks = fieldReader.child("tasks");
    this.folders = folders;
  }

  UserCommand command() {
    var source = new TasksReader(tasks).source();
    var output = tasks.template("output");
    var command = argv();
    var placeholderValidator = new PlaceholderValidator(fieldReader, source);
    placeholderValidator.command(command);
    output.ifPresent(placeholderValidator::output);
    var spec =
        new JobSpec(
            fieldReader.name("name"),
            fieldReader.name("cluster"),
            fieldReader.text("owner"),
            source,
            data(output),
            run(command),
            resources(),
            retries(),
            (int) fieldReader.integer("priority", 50),
            new Placement(
                fieldReader.texts("pools"),
                fieldReader.texts("zones"),
                fieldReader.texts("workers")),
            fieldReader.flag("exclusive"),
            (int) fieldReader.integer("gang", 0),
            fieldReader.flag("anyRegion"),
            settle());
    return new UserCommand.SubmitJob(spec, fieldReader.text("submission"));
  }

  private Resources resources() {
    var asked = fieldReader.child("resources").resources(ONE_CPU);
    if (asked.equals(Resources.ZERO))
      fieldReader.addProblem(
          "resources",
          "asks for nothing, so that all tasks would run at once on one machine; write cpu: 0.1, for example");
    return asked;
  }

  private JobSpec.Data data(Optional<String> output) {
    return new JobSpec.Data(output, tasks.flag("downloaded"), outputs(), tasks.flag("overwrite"));
  }

  /** The schema has reported any other value. */
  private JobSpec.Outputs outputs() {
    return switch (tasks.text("outputs").orElse("uploaded")) {
      case "written" -> JobSpec.Outputs.WRITTEN;
      case "none" -> JobSpec.Outputs.NONE;
      default -> JobSpec.Outputs.UPLOADED;
    };
  }

  private JobSpec.Run run(List<String> command) {
    return new JobSpec.Run(
        command,
        code(),
        fieldReader.env("env"),
        fieldReader.duration("timeout", Duration.ofHours(24), SECOND, Duration.ofDays(30)),
        fieldReader.duration("grace", Duration.ofSeconds(30), Duration.ZERO, Duration.ofHours(1)),
        fieldReader.duration("cutOff", Duration.ofMinutes(15), SECOND, Duration.ofDays(1)),
        fieldReader.secrets("secrets"),
        fieldReader.text("image"),
        fieldReader.registries("registries"),
        new TaskPrivileges(
            fieldReader.text("user").filter("root"::equals).isPresent(),
            fieldReader.flag("metadata")));
  }

  private Optional<Duration> settle() {
    var told = fieldReader.duration("settle", SECOND, SECOND, Duration.ofDays(30));
    return fieldReader.mapping().get("settle").map(_ -> told);
  }

  /** Arguments with their {placeholders}; numbers as written. */
  private List<String> argv() {
    var argv = new ArrayList<String>();
    for (var syntaxNode : fieldReader.list("command")) {
      if (syntaxNode instanceof SyntaxNode.Text text) argv.add(text.value());
      else FieldReader.scalar(syntaxNode).ifPresent(argv::add);
    }
    var size = argv.stream().mapToInt(a -> a.length() + 1).sum();
    if (size > 64 * 1024)
      fieldReader.addProblem(
          "command",
          "is " + size / 1024 + " KB; at most 64 KB can be started: put the rest in a file");
    for (var i = 0; i < argv.size(); i++)
      if (argv.get(i).indexOf('\0') >= 0)
        fieldReader.addProblem(
            "command[" + i + "]", "has a NUL character in it, which no process can be given");
    if (!argv.isEmpty() && argv.getFirst().isBlank())
      fieldReader.addProblem("command[0]", "is empty; write the program to start");
    return argv;
  }

  private Optional<String> code() {
    var code = fieldReader.text("code");
    if (folders && !code.orElse("").contains("://")) return code;
    fieldReader.read("code", JobDocumentReader::zip);
    return code;
  }

  private static ObjectUrl zip(String text) {
    if (!text.contains("://"))
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is a folder of the submitter's machine; submit with the CLI, or write the URL of a zip");
    if (!text.endsWith(".zip"))
      throw new IllegalArgumentException(
          "'" + text + "' does not end in .zip; pack the folder first");
    return ObjectUrl.of(text);
  }

  private JobSpec.Retries retries() {
    var retries = fieldReader.child("retries");
    return new JobSpec.Retries(
        (int) retries.integer("failures", 3),
        (int) retries.integer("infrastructure", 100),
        onDemand());
  }

  private JobSpec.OnDemand onDemand() {
    if (fieldReader.mapping().get("onDemand").isEmpty()) return JobSpec.OnDemand.NEVER;
    if (fieldReader.integer("gang", 0) > 1)
      fieldReader.addProblem(
          "onDemand", "is not for gangs, whose workers come together; leave one of both out");
    var wish = fieldReader.child("onDemand");
    var longest = Duration.ofDays(365);
    var told = wish.duration("deadline", SECOND, SECOND, longest);
    var deadline = wish.mapping().get("deadline").map(_ -> told);
    var before = wish.duration("before", Duration.ZERO, Duration.ZERO, longest);
    var n = (int) wish.integer("preemptions", 0);
    if (n == 0 && deadline.isEmpty())
      fieldReader.addProblem(
          "onDemand", "says not when: write preemptions: 3, or deadline: 8h, or both");
    if (deadline.isEmpty() && !before.isZero())
      wish.addProblem("before", "needs a deadline; write one, or leave it out");
    if (deadline.filter(d -> before.compareTo(d) > 0).isPresent())
      wish.addProblem("before", "is longer than the deadline; write less");
    return new JobSpec.OnDemand(n, deadline, before);
  }
}
