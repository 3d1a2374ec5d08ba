package dev.mayfly.wire.document;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.ExitCodeRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.GitReference;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.QuantityFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a Job document as a command. */
final class JobDocumentReader {
  private static final long LEAST_LOG = 64L << 10;
  private static final long MOST_LOG = 10L << 30;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Resources ONE_CPU = Resources.cpu(1, 0);

  /** The fields that {@link AdmissionReader} reads. */
  private static final List<String> ADMISSION =
      List.of("after", "concurrency", "queueTimeout", "confirm", "maxUsd", "maxRunTime");

  private final FieldReader fieldReader;
  private final FieldReader tasks;
  private final Optional<GangReader> gang;
  private final Optional<RunnerReader> runner;
  private final boolean folders;

  /**
   * @param folders whether {@code code} may be a local folder
   */
  JobDocumentReader(FieldReader fieldReader, boolean folders) {
    this.fieldReader = fieldReader;
    this.tasks = fieldReader.child("tasks");
    this.gang =
        Stream.of("gang", "settle").anyMatch(f -> fieldReader.mapping().get(f).isPresent())
            ? Optional.of(new GangReader(fieldReader))
            : Optional.empty();
    this.runner = fieldReader.mapping().get("runner").map(_ -> new RunnerReader(fieldReader));
    this.folders = folders;
  }

  UserCommand command() {
    var problems = fieldReader.problems().size();
    var source = new TasksReader(tasks).source();
    if (source instanceof TaskSource.ItemsFile file) checkFile(file);
    var isRead = problems == fieldReader.problems().size();
    var output = tasks.template("output");
    var command = argv();
    if (source instanceof TaskSource.Open && fieldReader.mapping().get("after").isPresent())
      fieldReader.addProblem(
          "after", "is not for open jobs, which take tasks at once; submit it after the others");
    // A source that is refused has no values, which would be told of each placeholder.
    if (isRead) checkPlaceholders(source, command, output);
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
                    fieldReader.texts("workers"))
                .withLabels(fieldReader.child("labels").scalars()),
            fieldReader.flag("exclusive"),
            hosts(),
            fieldReader.flag("anyRegion"),
            gang.flatMap(GangReader::settle),
            Optional.empty());
    var admitted =
        source.predecessor().isPresent()
                || ADMISSION.stream()
                    .anyMatch(field -> fieldReader.mapping().get(field).isPresent())
            ? spec.withAdmission(new AdmissionReader(fieldReader).rules(source))
            : spec;
    var submission = fieldReader.text("submission");
    return fieldReader.mapping().get("schedule").isEmpty()
        ? new UserCommand.SubmitJob(admitted, submission)
        : new UserCommand.SubmitJob(
            admitted, submission, new ScheduleReader(fieldReader).rule(source));
  }

  private void checkPlaceholders(TaskSource source, List<String> command, Optional<String> output) {
    var placeholderValidator = new PlaceholderValidator(fieldReader, source);
    placeholderValidator.command(command);
    runner.ifPresent(it -> it.checkCommand(command));
    output.ifPresent(placeholderValidator::output);
    fieldReader.template("checkpoint").ifPresent(placeholderValidator::checkpoint);
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
    var each =
        new JobSpec.Data(
            output, tasks.flag("downloaded"), outputs(), tasks.flag("overwrite"), done());
    return areTogether(output) ? each.together() : each;
  }

  /** Only what no other job looks for, and what may wait a moment, is together. */
  private boolean areTogether(Optional<String> output) {
    if (tasks.text("sentinels").filter("together"::equals).isEmpty()) return false;
    if (output.filter(template -> !template.contains("{job}")).isPresent())
      togetherIsNot("without {job} in output: later jobs look for a sentinel beside each output");
    if (outputs() == OutputMode.WRITTEN)
      togetherIsNot("for outputs: written, where a sentinel tells what is whole from what is not");
    if (fieldReader.flag("exclusive") || gang.isPresent())
      togetherIsNot("for exclusive jobs and gangs, which publish each result at once");
    return true;
  }

  private void togetherIsNot(String why) {
    tasks.addProblem("sentinels", "together is not " + why + "; leave it out");
  }

  private Optional<DoneRule> done() {
    var words = tasks.texts("done");
    var again = tasks.mapping().get("again").map(_ -> tasks.taskRanges("again"));
    if (words.isEmpty() && again.isEmpty()) return Optional.empty();
    if (again.isPresent() && tasks.flag("open"))
      tasks.addProblem("again", "is not for open jobs, which know no task yet; leave it out");
    if (words.contains("code") && fieldReader.mapping().get("code").isEmpty())
      tasks.addProblem("done", "names the code, but the job has none; write code: ., or leave it");
    if (words.contains("input")
        && Stream.of("inputs", "inputsOf").allMatch(f -> tasks.mapping().get(f).isEmpty()))
      tasks.addProblem("done", "names the input, but the tasks have no inputs; leave it out");
    return Optional.of(
        new DoneRule(
            words.contains("input"), words.contains("code"), words.contains("job"), again));
  }

  /** The schema has reported any other value. */
  private OutputMode outputs() {
    return switch (tasks.text("outputs").orElse("uploaded")) {
      case "written" -> OutputMode.WRITTEN;
      case "none" -> OutputMode.NONE;
      default -> OutputMode.UPLOADED;
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
        new TaskRights(
            fieldReader.text("user").filter("root"::equals).isPresent(),
            fieldReader.flag("metadata"),
            fieldReader.flag("submitter")),
        Optional.of(environment()));
  }

  private int hosts() {
    return gang.map(GangReader::hosts).orElse(0);
  }

  private TaskEnvironment environment() {
    var isSetUp =
        Stream.of("setup", "python").anyMatch(f -> fieldReader.mapping().get(f).isPresent());
    var setup =
        isSetUp ? new SetupReader(fieldReader).setupWithCode() : Optional.<SetupSpec>empty();
    return new TaskEnvironment(
        setup,
        fieldReader.template("checkpoint"),
        gang.flatMap(GangReader::mode),
        logLimit(),
        codeFrom(),
        keepFailed(),
        runner.flatMap(RunnerReader::rules));
  }

  private Optional<Duration> keepFailed() {
    var told =
        fieldReader.duration(
            "keepFailed",
            TaskEnvironment.SHORTEST_KEEP,
            TaskEnvironment.SHORTEST_KEEP,
            TaskEnvironment.LONGEST_KEEP);
    return fieldReader.mapping().get("keepFailed").map(_ -> told);
  }

  private Optional<Long> logLimit() {
    var limit = fieldReader.read("logLimit", QuantityFormat::bytes);
    if (limit.filter(bytes -> bytes < LEAST_LOG || bytes > MOST_LOG).isPresent())
      fieldReader.addProblem("logLimit", "is not between 64Ki and 10Gi; write one that is");
    return limit;
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

  /** A client reads the submitter's file, and names a task list that it has stored. */
  private void checkFile(TaskSource.ItemsFile file) {
    var isStored = file.file().startsWith("gs://") && file.file().endsWith(".jsonl");
    if (file.names().isEmpty() ? folders : isStored) return;
    fieldReader.addProblem(
        "tasks.items.file",
        "'%s' is a file that the submitter's client reads; submit with mayfly submit or the Python client"
            .formatted(file.file()));
  }

  private Optional<String> code() {
    var code = fieldReader.text("code");
    if (folders && code.filter(GitReference::isMeant).isPresent())
      return fieldReader.read("code", GitReference::of).map(GitReference::toString);
    if (folders && !code.orElse("").contains("://")) return code;
    fieldReader.read("code", JobDocumentReader::zip);
    return code;
  }

  private Optional<String> codeFrom() {
    var from = fieldReader.read("codeFrom", GitReference::of);
    if (from.filter(it -> it.commit().isEmpty()).isPresent())
      fieldReader.addProblem("codeFrom", "names no commit; write one with all of its digits");
    return from.map(GitReference::toString);
  }

  private static ObjectUrl zip(String text) {
    if (GitReference.isMeant(text))
      throw new IllegalArgumentException(
          "'%s' is packed where the job is submitted; submit with mayfly submit or the Python client, or write the URL of a zip"
              .formatted(text));
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

  private static List<ExitCodeRule> exitCodes(FieldReader retries) {
    return retries.mapping().get("exitCodes").isEmpty()
        ? List.of()
        : new ExitCodesReader(retries.child("exitCodes")).rules();
  }

  private RetryRules retries() {
    var retries = fieldReader.child("retries");
    return new RetryRules(
        (int) retries.integer("failures", 3),
        (int) retries.integer("infrastructure", 100),
        onDemand(),
        exitCodes(retries));
  }

  private OnDemandRules onDemand() {
    if (fieldReader.mapping().get("onDemand").isEmpty()) return OnDemandRules.NEVER;
    if (hosts() > 1)
      fieldReader.addProblem(
          "onDemand", "is not for gangs, whose workers come together; leave one of both out");
    var wish = fieldReader.child("onDemand");
    var longest = Duration.ofDays(365);
    var written = wish.duration("deadline", SECOND, SECOND, longest);
    var deadline = wish.mapping().get("deadline").map(_ -> written);
    var usual = deadline.map(OnDemandRules::usuallyBefore).orElse(Duration.ZERO);
    var before = wish.duration("before", usual, Duration.ZERO, longest);
    var n = (int) wish.integer("preemptions", 0);
    if (n == 0 && deadline.isEmpty())
      fieldReader.addProblem(
          "onDemand", "says not when: write preemptions: 3, or deadline: 8h, or both");
    if (deadline.isEmpty() && !before.isZero())
      wish.addProblem("before", "needs a deadline; write one, or leave it out");
    if (deadline.filter(d -> before.compareTo(d) > 0).isPresent())
      wish.addProblem("before", "is longer than the deadline; write less");
    return new OnDemandRules(n, deadline, before);
  }
}
