package dev.mayfly.cli.screens;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.query.task.TaskStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tasks of two jobs of the scene: a sweep with metrics, and one that reads files. */
final class SceneTasks {
  private static final Instant NOW = ViewFixtures.NOW;

  private SceneTasks() {}

  /** Three rates, two batch sizes and three seeds; one trial failed and two run. */
  static TaskPage sweep() {
    var tasks = new ArrayList<TaskStatus>();
    var index = 0;
    for (var rate : List.of("0.1", "0.01", "0.001"))
      for (var batch : List.of("16", "32"))
        for (var seed = 0; seed < 3; seed++) {
          var state = index == 7 ? State.FAILED : index > 15 ? State.RUNNING : State.DONE;
          var acc = 0.62 + index * 37 % 29 / 100.0;
          var metrics =
              state == State.FAILED
                  ? Map.<String, Double>of()
                  : Map.of("acc", acc, "loss", 1.7 - acc, "step", state == State.DONE ? 1e4 : 4e3);
          var variables = Map.of("lr", rate, "batch", batch, "seed", "" + seed);
          tasks.add(task(index++, state, Optional.empty(), variables, metrics));
        }
    return new TaskPage(tasks, Optional.empty());
  }

  static TaskPage files() {
    var tasks = new ArrayList<TaskStatus>();
    for (var i = 0; i < 4; i++) {
      var input =
          "gs://lab-us-central2/reddit/2026/" + (i == 3 ? "日本語-003" : "posts-00" + i) + ".jsonl.gz";
      var state = List.of(State.DONE, State.FAILED, State.RUNNING, State.WAITING).get(i);
      tasks.add(task(i, state, Optional.of(input), Map.of(), Map.of()));
    }
    return new TaskPage(tasks, Optional.empty());
  }

  private static TaskStatus task(
      long index,
      State state,
      Optional<String> input,
      Map<String, String> variables,
      Map<String, Double> metrics) {
    var began = state == State.DONE || state == State.RUNNING;
    var failed = Optional.of(failure(index)).filter(_ -> state == State.FAILED);
    return new TaskStatus(
        "j1",
        index,
        state,
        input,
        Optional.empty(),
        Optional.empty(),
        variables,
        Optional.of(TaskAttempts.of(failed.isPresent() ? 3 : 0, 0, state == State.DONE)),
        state == State.WAITING
            ? List.of()
            : List.of("lab-cpu-" + (index % 2 == 0 ? "hqo7kp" : "i59qfm")),
        Optional.of(NOW.minusSeconds(900 + index)).filter(_ -> began),
        Optional.of(NOW.minusSeconds(100 + index * 3)).filter(_ -> state == State.DONE),
        failed,
        Optional.empty(),
        Optional.of(metrics).filter(m -> !m.isEmpty()),
        TaskProgress.of(metrics),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static AttemptFailure failure(long index) {
    var said =
        "Traceback (most recent call last):\nValueError: line 1204 has 3 fields instead of 4\n";
    return new AttemptFailure(
        index, "s0e3", FailureCause.USER, 1, said, "lab-cpu-i59qfm", NOW.minusSeconds(200));
  }
}
