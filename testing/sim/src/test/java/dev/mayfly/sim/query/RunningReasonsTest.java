package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.StaticPoolFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Work that has begun and does not go on says why, in every view with the same words. */
class RunningReasonsTest extends StaticPoolFixture {
  private static final TaskSource.Open OPEN =
      new TaskSource.Open(List.of(), List.of("lr"), Duration.ofHours(24), Duration.ofHours(1));

  private StatusQueries queries() {
    return labCluster.controlPlane.statusQueries();
  }

  private String explained(String job, String kind) {
    return queries().explain("lab", job).reasons().stream()
        .filter(reason -> reason.kind().equals(kind))
        .findFirst()
        .orElseThrow()
        .text();
  }

  private String listed(String job) {
    return queries().jobs("lab", 20).stream()
        .filter(view -> view.name().equals(job))
        .findFirst()
        .orElseThrow()
        .reason()
        .orElse("");
  }

  @Test
  void missingLimitsAreToldWithTheirWorkers() {
    labCluster.submit(LabCluster.count("j", 2));
    labCluster.submit(LabCluster.count("other", 2));
    labCluster.machine("w").syncAndWait();
    labCluster.change(
        "w",
        false,
        it -> it.withProblem(Optional.of(MachineProblem.Kind.UNLIMITED.of("limits of memory"))));

    assertThat(explained("j", "limits"))
        .isEqualTo("worker w, which has tasks of it: not enforced: limits of memory");
    assertThat(listed("j")).as("it holds up nothing").isEmpty();
    assertThat(queries().explain("lab", "other").reasons())
        .extracting(reason -> reason.kind())
        .doesNotContain("limits");
  }

  @Test
  void whatStallsATaskIsToldInAllViews() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    var until = labCluster.now().plusSeconds(200);
    worker.running(labCluster.now(), 0L, 1L);
    worker.stalled(0, "storage.objects.delete is denied on gs://lab/out/j/0", until);
    worker.syncAndWait();

    assertThat(queries().task("lab", "j", 0).stalled().orElseThrow().why())
        .isEqualTo("storage.objects.delete is denied on gs://lab/out/j/0");
    assertThat(queries().task("lab", "j", 1).stalled()).isEmpty();
    assertThat(explained("j", "stalled"))
        .startsWith("1 task does not go on: storage.objects.delete is denied on gs://lab")
        .contains("; tried again until ");
    assertThat(listed("j")).isEqualTo("stalled: " + explained("j", "stalled"));
  }

  @Test
  void stallsAreGroupedAndThoseNotToldAreCounted() {
    labCluster.submit(LabCluster.count("j", 7));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    var until = labCluster.now().plusSeconds(200);
    worker.running(labCluster.now(), 0L, 1L, 2L, 3L, 4L, 5L, 6L);
    var stalled = new ArrayList<StalledTask>();
    for (var task = 0; task < 3; task++)
      stalled.add(new StalledTask(task, "delete is denied on gs://lab/out/j/" + task, until));
    for (var what : List.of("disk", "port", "lock", "key"))
      stalled.add(new StalledTask(stalled.size(), "no " + what, until));
    worker.stalled(stalled);
    worker.syncAndWait();

    var told =
        queries().explain("lab", "j").reasons().stream()
            .filter(reason -> reason.kind().equals("stalled"))
            .map(JobExplanation.Reason::text)
            .toList();
    assertThat(told).hasSize(4);
    assertThat(told.getFirst())
        .startsWith("3 tasks do not go on: delete is denied on gs://lab/out/j/0, and alike with");
    assertThat(told.getLast()).isEqualTo("and 2 other causes: mayfly tasks j --state running");
  }

  @Test
  void exclusiveWorkOfALostWorkerIsTold() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", true));
    labCluster.deliver();
    desk.syncAndWait();
    desk.running(labCluster.now(), 0L);
    desk.syncAndWait();
    lose("desk");

    var until = state("desk").since().plusSeconds(16 * 60).truncatedTo(ChronoUnit.SECONDS);
    var text = explained("j", "lost");
    assertThat(text)
        .startsWith("worker desk is lost (")
        .contains(") and may still run its tasks; the job is exclusive, so that others get them")
        .endsWith(" only at " + until + ", or once desk has joined again");
    assertThat(listed("j")).isEqualTo("lost: " + text);
    assertThat(queries().task("lab", "j", 0).waits()).contains(text);
    assertThat(explained("j", "running")).contains("desk (", ", lost)");
  }

  @Test
  void lostCloudWorkerWaitsForItsCloud() {
    var uses = LabCluster.count("j", 1);
    labCluster.submit(LabCluster.spec("j", uses.tasks(), uses.data().output(), true));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    lose("w");

    assertThat(explained("j", "lost"))
        .endsWith("only when the cloud says that the machine is gone");
    assertThat(listed("j")).isEqualTo("lost: " + explained("j", "lost"));
  }

  @Test
  void silentWorkerIsToldBeforeItIsLost() {
    labCluster.submit(LabCluster.count("j", 1));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    worker.running(labCluster.now(), 0L);
    worker.syncAndWait();
    assertThat(listed("j")).isEmpty();
    for (var i = 0; i < 5; i++) {
      labCluster.advance(10_000);
      labCluster.controlPlane.handle(new Trigger.Tick());
    }

    var text = explained("j", "silent");
    assertThat(text)
        .startsWith("worker w, which has tasks of it, is unheard: its report was due ")
        .contains("; it is lost at ", ", or at once when half of the other machines report; ")
        .endsWith(
            "its tasks run again elsewhere, and the attempt counts in retries.infrastructure");
    assertThat(listed("j")).isEqualTo("silent: " + text);
    assertThat(queries().task("lab", "j", 0).waits()).contains(text);
    var by = Instant.parse(text.replaceAll(".*it is lost at ([^,]*), or.*", "$1"));
    lose("w");
    assertThat(state("w").since()).isBetween(by, by.plusSeconds(11));
    assertThat(listed("j")).doesNotContain("silent");
  }

  @Test
  void otherWorkOfLostWorkerIsNotHeld() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", false));
    labCluster.deliver();
    desk.syncAndWait();
    lose("desk");

    assertThat(queries().explain("lab", "j").reasons())
        .noneMatch(reason -> reason.kind().equals("lost"));
    assertThat(listed("j")).doesNotStartWith("lost");
  }

  @Test
  void closedJobSaysWhichAdditionsItAwaits() {
    labCluster.submit(LabCluster.spec("j", OPEN, "gs://lab/out/{index}"));
    labCluster.publish(new UserCommand.CloseJob("lab", "j", Optional.of(7L)));

    assertThat(explained("j", "additions"))
        .startsWith("it was closed with 7 additions, of which 0 arrived; the others are awaited");
    assertThat(listed("j")).isEqualTo("additions: " + explained("j", "additions"));
  }

  private void lose(String worker) {
    for (var i = 0; i < 200 && !(state(worker) instanceof WorkerState.Lost); i += 10) {
      labCluster.controlPlane.handle(new Trigger.Tick());
      labCluster.advance(10_000);
    }
    assertThat(state(worker)).isInstanceOf(WorkerState.Lost.class);
  }
}
