package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.logs.JobLogs;
import dev.mayfly.cli.logs.LogFollowKeepalive;
import dev.mayfly.cli.logs.LogSelection;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Logs as lines of JSON, until the job has ended or the page looks elsewhere: the same that {@code
 * mayfly logs -f} reads. An empty line is sent each second, so that a reader who left is noticed.
 */
final class LogRoute {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int TAIL = 2_000;

  /** Logs of which is said one by one that they are cut. */
  private static final int MOST_CUT = 10;

  private static final String MORE_CUT =
      "more attempts have logs with parts left out; each task's page names its own";
  private static final Pattern PATH =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)/([A-Za-z0-9][-A-Za-z0-9_.]*)(?:/(\\d{1,15}))?");

  private final CliContext cliContext;

  LogRoute(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /**
   * @param path {@code CLUSTER/UID} or {@code CLUSTER/UID/INDEX}
   */
  void answer(HttpExchange exchange, String path) throws IOException {
    var parts = PATH.matcher(path);
    if (!parts.matches())
      throw CommandException.notFound("a log is at CLUSTER/UID or CLUSTER/UID/INDEX");
    var named = parts.toMatchResult();
    var job = job(named);
    var logs = logs(job, named);
    var keepalive = new LogFollowKeepalive(cliContext, job.cluster(), job.uid());
    try (var out = PageReply.stream(exchange, "application/x-ndjson")) {
      follow(job, logs, keepalive, out);
    } catch (UncheckedIOException gone) {
      throw gone.getCause();
    }
  }

  private synchronized JobStatus job(MatchResult named) {
    return cliContext.api().job(named.group(1), named.group(2));
  }

  private synchronized JobLogs logs(JobStatus job, MatchResult named) {
    var task =
        named.group(3) == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(named.group(3)));
    var selection =
        new LogSelection(
            task,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(TAIL),
            Optional.empty(),
            true);
    return new JobLogs(
        cliContext.objects(), job.bucket(), job.uid(), job.spec().gang() > 1, selection);
  }

  private void follow(JobStatus job, JobLogs logs, LogFollowKeepalive keepalive, OutputStream out)
      throws IOException {
    var told = new HashSet<String>();
    while (isLive(job)) {
      keepalive.sendIfDue();
      logs.readNew(line -> write(out, line));
      note(logs, told, out);
      out.write('\n');
      out.flush();
      cliContext.poller().sleeper().sleep(EVERY);
    }
    logs.readLast(line -> write(out, line));
    note(logs, told, out);
  }

  /** What is to be known of the log beside its lines. */
  record Note(String note) {}

  private static void note(JobLogs logs, Set<String> told, OutputStream out) {
    var cut = logs.cut();
    var more = cut.size() > MOST_CUT ? Stream.of(MORE_CUT) : Stream.<String>empty();
    Stream.concat(cut.stream().limit(MOST_CUT).map(CutLog::text), more)
        .filter(told::add)
        .forEach(text -> write(out, new Note(text)));
  }

  private boolean isLive(JobStatus job) {
    return cliContext.api().job(job.cluster(), job.uid()).endedAt().isEmpty();
  }

  private static void write(OutputStream out, Record line) {
    try {
      out.write(Wire.shared().json(line));
      out.write("\n".getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
