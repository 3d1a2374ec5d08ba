package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;

/** Reads the fields of a job that say when it may start, how much of it, at what cost, how long. */
record AdmissionReader(FieldReader job) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A job comes after the one whose outputs it reads, whether it says so or not. */
  AdmissionRules rules(TaskSource source) {
    var after = new ArrayList<Predecessor>();
    var names = new HashSet<String>();
    var written = job.list("after");
    for (var i = 0; i < written.size(); i++) {
      var read = predecessor(written.get(i), job.at("after") + "[" + i + "]");
      if (read.isEmpty()) continue;
      if (!names.add(read.get().job()))
        job.addProblem("after[" + i + "]", "names job " + read.get().job() + " again; remove one");
      after.add(read.get());
    }
    source
        .predecessor()
        .filter(names::add)
        .ifPresent(
            name -> after.add(new Predecessor(name, Optional.empty(), Predecessor.On.SUCCESS)));
    var confirmed = Optional.of(job.flag("confirm")).filter(said -> said);
    return new AdmissionRules(
        after,
        (int) job.integer("concurrency", 0),
        queueTimeout(),
        confirmed,
        maxUsd(job),
        maxRunTime(job));
  }

  /** The schema has reported what is not above zero. */
  static Optional<Double> maxUsd(FieldReader fields) {
    return fields.mapping().get("maxUsd").map(_ -> fields.number("maxUsd", 0)).filter(n -> n > 0);
  }

  /** How long a job may take in all. */
  static Optional<Duration> maxRunTime(FieldReader fields) {
    var told = fields.duration("maxRunTime", SECOND, SECOND, RunTimeLimit.LONGEST);
    return fields.mapping().get("maxRunTime").map(_ -> told);
  }

  private Optional<Duration> queueTimeout() {
    var told = job.duration("queueTimeout", SECOND, SECOND, Duration.ofDays(30));
    return job.mapping().get("queueTimeout").map(_ -> told);
  }

  /** A job may be named by its uid. */
  private static Optional<String> uid(String address) {
    return Optional.of(address).filter(UserCommand.SubmitJob::isUid);
  }

  private Optional<Predecessor> predecessor(SyntaxNode written, String path) {
    return switch (written) {
      case SyntaxNode.Text name ->
          Optional.of(new Predecessor(name.value(), uid(name.value()), Predecessor.On.SUCCESS));
      case SyntaxNode.Mapping mapping -> {
        var row = new FieldReader(mapping, path, job.problems());
        var on = row.text("on").filter("end"::equals).isPresent();
        yield Optional.of(
            new Predecessor(
                row.name("job"),
                row.text("submission")
                    .map(UserCommand.SubmitJob::uid)
                    .or(() -> uid(row.name("job"))),
                on ? Predecessor.On.END : Predecessor.On.SUCCESS));
      }
      default -> Optional.empty();
    };
  }
}
