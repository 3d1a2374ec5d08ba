package dev.mayfly.wire.document;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Rights;
import dev.mayfly.core.port.Url;
import dev.mayfly.wire.source.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Job document as a command. */
final class JobForm {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Resources ONE_CPU = Resources.cpu(1, 0);

  private final Form form;
  private final Form tasks;
  private final boolean folders;

  /**
   * @param folders whether {@code code} may be a folder of this machine
   */
  JobForm(Form form, boolean folders) {
    this.form = form;
    this.tasks = form.inner("tasks");
    this.folders = folders;
  }

  Command command() {
    var source = new TasksForm(tasks).source();
    var output = tasks.template("output");
    var command = argv();
    var placeholders = new Placeholders(form, source);
    placeholders.command(command);
    output.ifPresent(placeholders::output);
    var spec =
        new JobSpec(
            form.name("name"),
            form.name("cluster"),
            form.text("owner"),
            source,
            data(output),
            run(command),
            resources(),
            retries(),
            (int) form.whole("priority", 50),
            new Place(form.texts("pools"), form.texts("zones"), form.texts("workers")),
            form.flag("exclusive"),
            (int) form.whole("gang", 0),
            form.flag("anyRegion"),
            settle());
    return new Command.SubmitJob(spec, form.text("submission"));
  }

  private Resources resources() {
    var asked = Amounted.read(form.inner("resources"), ONE_CPU);
    if (asked.equals(Resources.ZERO))
      form.complain(
          "resources",
          "asks for nothing, so that all tasks would run at once on one machine; write cpu: 0.1, for example");
    return asked;
  }

  private JobSpec.Data data(Optional<String> output) {
    return new JobSpec.Data(output, tasks.flag("downloaded"), outputs(), tasks.flag("overwrite"));
  }

  /** What is none of these, the schema has found. */
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
        form.env("env"),
        form.duration("timeout", Duration.ofHours(24), SECOND, Duration.ofDays(30)),
        form.duration("grace", Duration.ofSeconds(30), Duration.ZERO, Duration.ofHours(1)),
        form.duration("cutOff", Duration.ofMinutes(15), SECOND, Duration.ofDays(1)),
        form.secrets("secrets"),
        form.text("image"),
        new RegistriesForm(form).logins(),
        new Rights(form.text("user").filter("root"::equals).isPresent(), form.flag("metadata")));
  }

  private Optional<Duration> settle() {
    var told = form.duration("settle", SECOND, SECOND, Duration.ofDays(30));
    return form.table().get("settle").map(_ -> told);
  }

  /** Arguments with their {placeholders}, numbers as they were written. */
  private List<String> argv() {
    var argv = new ArrayList<String>();
    for (var node : form.row("command")) {
      if (node instanceof Node.Text text) argv.add(text.value());
      else Form.scalar(node).ifPresent(argv::add);
    }
    var size = argv.stream().mapToInt(a -> a.length() + 1).sum();
    if (size > 64 * 1024)
      form.complain(
          "command",
          "is " + size / 1024 + " KB; at most 64 KB can be started: put the rest in a file");
    for (var i = 0; i < argv.size(); i++)
      if (argv.get(i).indexOf('\0') >= 0)
        form.complain(
            "command[" + i + "]", "has a NUL character in it, which no process can be given");
    if (!argv.isEmpty() && argv.getFirst().isBlank())
      form.complain("command[0]", "is empty; write the program to start");
    return argv;
  }

  private Optional<String> code() {
    var code = form.text("code");
    if (folders && !code.orElse("").contains("://")) return code;
    form.read("code", JobForm::zip);
    return code;
  }

  private static Url zip(String text) {
    if (!text.contains("://"))
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is a folder of the submitter's machine; submit with the CLI, or write the URL of a zip");
    if (!text.endsWith(".zip"))
      throw new IllegalArgumentException(
          "'" + text + "' does not end in .zip; pack the folder first");
    return Url.of(text);
  }

  private JobSpec.Retries retries() {
    var retries = form.inner("retries");
    return new JobSpec.Retries(
        (int) retries.whole("failures", 3), (int) retries.whole("infrastructure", 100), onDemand());
  }

  private JobSpec.OnDemand onDemand() {
    if (form.table().get("onDemand").isEmpty()) return JobSpec.OnDemand.NEVER;
    if (form.whole("gang", 0) > 1)
      form.complain(
          "onDemand", "is not for gangs, whose workers come together; leave one of both out");
    var wish = form.inner("onDemand");
    var longest = Duration.ofDays(365);
    var told = wish.duration("deadline", SECOND, SECOND, longest);
    var deadline = wish.table().get("deadline").map(_ -> told);
    var before = wish.duration("before", Duration.ZERO, Duration.ZERO, longest);
    var n = (int) wish.whole("preemptions", 0);
    if (n == 0 && deadline.isEmpty())
      form.complain("onDemand", "says not when: write preemptions: 3, or deadline: 8h, or both");
    if (deadline.isEmpty() && !before.isZero())
      wish.complain("before", "needs a deadline; write one, or leave it out");
    if (deadline.filter(d -> before.compareTo(d) > 0).isPresent())
      wish.complain("before", "is longer than the deadline; write less");
    return new JobSpec.OnDemand(n, deadline, before);
  }
}
