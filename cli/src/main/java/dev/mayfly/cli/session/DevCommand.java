package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.job.FolderJob;
import dev.mayfly.cli.job.RunOptions;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly dev}: a worker kept for its user for some hours, with a shell on it. */
@Command(
    name = "dev",
    description = {
      "Keeps a worker for you, with a copy of this folder, and opens a shell there.",
      "The session warns before it ends, and ends by itself. Leaving the shell leaves it running."
    },
    footer = {
      "",
      "A second mayfly dev returns to the session. What must outlast it belongs on a mount or in a"
          + " bucket; its folder is deleted with it. It is a job: mayfly jobs shows it, and a"
          + " machine that is taken away ends it.",
      "",
      "Examples:",
      "  mayfly dev --gpu 1 --for 8h",
      "  mayfly dev --tpu 4 --pool v4 --name tuning",
      "  mayfly dev --end"
    })
public final class DevCommand extends TargetCommand {
  /** Time for the start and the end, which do not count as the session's. */
  private static final Duration SPARE = Duration.ofHours(1);

  /** An image may have to be pulled first. */
  private static final Duration START = Duration.ofMinutes(30);

  @Mixin RunOptions options = new RunOptions();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long the session lasts, for example 90m (8h).")
  String span = "8h";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Names one of several sessions (your user name).")
  @Nullable String name;

  @Option(names = "--end", description = "Ends the session.")
  boolean end;

  @Option(
      names = "--no-code",
      description = "Begins in an empty folder, without the files of this folder.")
  boolean noCode;

  @Option(names = "--no-attach", description = "Opens no shell.")
  boolean noAttach;

  public DevCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var session = DevSession.of(cliContext, cluster.name(), Optional.ofNullable(name));
    if (end) {
      session.end();
      return 0;
    }
    var before = session.live();
    var job = before.map(this::again).orElseGet(() -> start(session));
    var detached =
        new Thread(() -> cliContext.screen().note("\n" + session.standing(job)), "detach");
    Runtime.getRuntime().addShutdownHook(detached);
    session.awaitWorker(job, lookup());
    Runtime.getRuntime().removeShutdownHook(detached);
    cliContext.screen().note(session.standing(job));
    if (noAttach) return 0;
    var code = session(target(session.address() + "/0"), List.of(), START);
    session.live().ifPresent(still -> cliContext.screen().note(session.standing(still)));
    return code;
  }

  private JobStatus again(JobStatus job) {
    cliContext
        .screen()
        .note("session " + job.name() + " runs already, with the options it began with");
    return job;
  }

  private JobStatus start(DevSession session) {
    // The first document only tells how long the text says.
    var spec = ((UserCommand.SubmitJob) document(session, Duration.ZERO).command()).spec();
    var length = spec.run().timeout();
    if (!length.isPositive())
      throw CommandException.input("--for " + span + " must be longer than 0");
    var result =
        FolderJob.submit(cliContext, cliContext.withOwner(document(session, length)), !noCode);
    return result.fresh() ? result.job() : again(result.job());
  }

  private ParsedDocument document(DevSession session, Duration length) {
    var seconds = Math.max(1, length.toSeconds());
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", session.name());
    fields.put("cluster", session.cluster());
    fields.put("tasks", Map.of("count", 1));
    fields.put("command", List.of("sleep", Long.toString(seconds)));
    // A second attempt would begin in an empty folder, for as long again.
    fields.put("retries", Map.of("failures", 1, "infrastructure", 1));
    fields.put("timeout", length.isZero() ? span : length.plus(SPARE).toSeconds() + "s");
    if (!noCode) fields.put("code", ".");
    fields.putAll(options.fields());
    var env = new HashMap<String, Object>();
    if (fields.get("env") instanceof Map<?, ?> given)
      given.forEach((variable, value) -> env.put(String.valueOf(variable), value));
    env.put(DevSession.SECONDS, Long.toString(seconds));
    fields.put("env", env);
    return UserDocuments.of("Job", fields);
  }
}
