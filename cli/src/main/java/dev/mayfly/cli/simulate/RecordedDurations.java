package dev.mayfly.cli.simulate;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.sim.scenario.DurationModel;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How long things took before, from the files that {@code -o json} of a command writes. */
final class RecordedDurations {
  /** 100,000 tasks have 40 MB. */
  private static final long LARGEST = 64L << 20;

  private static final int BYTES_PER_MB = 1 << 20;

  /** Of a machine that runs, until its agent reports: the mean of what a simulation adds. */
  private static final Duration AGENT_START = Duration.ofSeconds(5);

  private final Path folder;
  private final List<String> notes;

  /**
   * @param folder to which the files are relative
   * @param notes to which a sentence is added of what is left out of a file
   */
  RecordedDurations(Path folder, List<String> notes) {
    this.folder = folder;
    this.notes = notes;
  }

  /**
   * A file of a command.
   *
   * @param field that names it
   * @param noun of one thing in it
   * @param command that writes it
   * @param lacking why some things in it do not count
   */
  private record Kind<T>(
      String field,
      String noun,
      String command,
      String lacking,
      Class<T> type,
      Function<T, Optional<Duration>> duration) {}

  private static final Kind<TaskStatus> TASKS =
      new Kind<>(
          "tasks",
          "task",
          "mayfly tasks JOB -n 100000 -o json",
          "are not done, or did not run as a whole: a checkpoint or an earlier job had their work",
          TaskStatus.class,
          RecordedDurations::of);

  private static final Kind<WorkerStatus> WORKERS =
      new Kind<>(
          "workers",
          "worker",
          "mayfly workers --all -o json",
          "never reported",
          WorkerStatus.class,
          RecordedDurations::of);

  /** Of tasks that are done, how long the attempt ran that did it. */
  Optional<DurationModel> ofTasks(ScenarioFields fields) {
    return read(fields, TASKS);
  }

  /** Of workers that reported, the time from their order until their machine ran. */
  Optional<DurationModel> ofWorkers(ScenarioFields fields) {
    return read(fields, WORKERS);
  }

  private static Optional<Duration> of(TaskStatus task) {
    return task.state() == TaskStatus.State.DONE
            && !task.doneBefore()
            && task.adoptedBy().isEmpty()
            && task.continued().isEmpty()
        ? between(task.startedAt(), task.endedAt())
        : Optional.empty();
  }

  private static Optional<Duration> of(WorkerStatus worker) {
    return between(Optional.of(worker.createdAt()), worker.firstSyncAt())
        .map(it -> it.compareTo(AGENT_START) < 0 ? Duration.ZERO : it.minus(AGENT_START));
  }

  private static Optional<Duration> between(Optional<Instant> from, Optional<Instant> to) {
    return from.flatMap(it -> to.map(then -> Duration.between(it, then)))
        .filter(it -> !it.isNegative());
  }

  private <T> Optional<DurationModel> read(ScenarioFields fields, Kind<T> kind) {
    var name = fields.text(kind.field()).orElse("");
    if (name.isEmpty()) return Optional.empty();
    try {
      return durations(fields, kind, name, things(kind, name));
    } catch (CommandException unreadable) {
      fields.add(
          kind.field(),
          "%s; it is written so: %s > %s".formatted(unreadable.getMessage(), kind.command(), name));
      return Optional.empty();
    }
  }

  private <T> List<T> things(Kind<T> kind, String name) {
    var path = folder.resolve(name).normalize();
    if (Files.exists(path) && !Files.isRegularFile(path))
      throw CommandException.input("names %s, which is not a file".formatted(name));
    try {
      var size = Files.exists(path) ? Files.size(path) : 0;
      if (size > LARGEST)
        throw CommandException.input(
            "names %s of %,d MB, and at most %d MB are read; a smaller -n writes fewer"
                .formatted(name, size / BYTES_PER_MB, LARGEST / BYTES_PER_MB));
      return Wire.shared().list(kind.type(), DocumentFile.bytes(path.toString()));
    } catch (IOException unreadable) {
      throw CommandException.input("names %s: %s".formatted(name, unreadable), unreadable);
    } catch (InvalidInputException other) {
      throw CommandException.input(
          "names %s, which is no list of %ss as JSON".formatted(name, kind.noun()), other);
    }
  }

  private <T> Optional<DurationModel> durations(
      ScenarioFields fields, Kind<T> kind, String name, List<T> things) {
    var durations = things.stream().flatMap(it -> kind.duration().apply(it).stream()).toList();
    var all = HumanAmounts.count(things.size(), kind.noun());
    if (durations.isEmpty()) {
      fields.add(
          kind.field(),
          "names %s, of whose %s all %s; name a file with others"
              .formatted(name, all, kind.lacking()));
      return Optional.empty();
    }
    if (durations.size() < things.size())
      notes.add(
          "of %s in %s %,d count; the others %s"
              .formatted(all, name, durations.size(), kind.lacking()));
    return Optional.of(new DurationModel.Seen(durations));
  }
}
