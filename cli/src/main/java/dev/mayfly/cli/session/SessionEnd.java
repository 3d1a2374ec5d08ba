package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Why a session was ended from outside, as far as it can be told. */
record SessionEnd(CliContext cliContext, MachineShell shell) {
  /** SIGHUP, SIGKILL and SIGTERM, and a broken connection as ssh and gcloud report it. */
  private static final Set<Integer> FROM_OUTSIDE = Set.of(129, 137, 143, 255);

  /** What {@code enter-task} says of a task that is not there, and perhaps a command by itself. */
  private static final int NOT_THERE = 93;

  private static final Set<String> ENDED = Set.of("lost", "gone", "drained");

  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration EVERY = Duration.ofMillis(300);

  /** Empty if the command ended by itself, or nothing is known. */
  Optional<String> explain(SessionTarget target, int code) {
    if (code == NOT_THERE)
      return target.task().filter(task -> isOver(target, task)).map(SessionEnd::over);
    if (!FROM_OUTSIDE.contains(code)) return Optional.empty();
    if (shell.isOff(target.machine())) return Optional.of(machineEnded(target.machine()));
    // A lease is returned a moment before its job has ended.
    return cliContext
        .poller()
        .until(PATIENCE, EVERY, () -> ended(target))
        .or(() -> target.task().filter(task -> !holds(target, task)).map(task -> moved(target)));
  }

  private boolean isOver(SessionTarget target, TaskAddress task) {
    return ended(target).isPresent() || !holds(target, task);
  }

  private static String over(TaskAddress task) {
    return "task %s does not run there any more; mayfly tasks %s tells how it ended"
        .formatted(task, task.name());
  }

  private static String moved(SessionTarget target) {
    return "task %s does not run on %s any more, and so this session has ended"
        .formatted(target.task().orElseThrow(), target.machine());
  }

  private static String machineEnded(Machine machine) {
    return "machine %1$s has ended, and with it this session; mayfly events worker/%1$s tells why"
        .formatted(machine.worker());
  }

  private Optional<String> ended(SessionTarget target) {
    try {
      var cluster = target.machine().cluster();
      var job = target.task().flatMap(task -> cliContext.api().findJob(cluster, task.job()));
      if (job.filter(j -> j.endedAt().isPresent()).isPresent())
        return job.map(j ->
            "job %s has %s, and with it this session"
                .formatted(j.name(), j.state().equals("stopped") ? "been stopped" : j.state()));
      return worker(target)
          .filter(w -> ENDED.contains(w.state()))
          .map(w -> machineEnded(target.machine()));
    } catch (MayflyException | CommandException unknown) {
      // The session's own end is what counts.
      return Optional.empty();
    }
  }

  private Optional<WorkerStatus> worker(SessionTarget target) {
    return cliContext.api().workers(target.machine().cluster(), true).stream()
        .filter(w -> w.name().equals(target.machine().worker()))
        .findFirst();
  }

  private boolean holds(SessionTarget target, TaskAddress task) {
    try {
      return worker(target).stream()
          .flatMap(w -> w.leases().stream())
          .anyMatch(l ->
              l.job().equals(task.job()) && l.start() <= task.index() && task.index() < l.end());
    } catch (MayflyException | CommandException unknown) {
      return true;
    }
  }
}
