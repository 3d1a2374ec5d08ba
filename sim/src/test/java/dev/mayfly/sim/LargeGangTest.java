package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run is one document, which its hosts cannot each change for themselves. */
class LargeGangTest {
  /** Counts what is tried with the shard of a gang, and lets it be written once a second. */
  private static final class OneASecond {
    private final Stage stage;
    private Instant last = Instant.EPOCH;
    private int tries;
    private int written;

    OneASecond(Stage stage) {
      this.stage = stage;
      stage.world.ledger().crowded(this::crowded);
    }

    private boolean crowded(List<Write> writes) {
      var ofGang =
          writes.stream()
              .anyMatch(w ->
                  w instanceof Write.Update u
                      && u.document() instanceof Shard s
                      && s.gang().isPresent());
      if (!ofGang) return false;
      tries++;
      if (last.plus(ofSeconds(1)).isAfter(stage.now())) return true;
      last = stage.now();
      written++;
      return false;
    }
  }

  /** When change signals were written. */
  private static final class Signals {
    private final List<Instant> times = new ArrayList<>();

    Signals(Stage stage) {
      stage
          .world
          .ledger()
          .observe(batch -> {
            if (batch.stream().anyMatch(c -> c.document() instanceof Pulse)) times.add(stage.now());
          });
    }

    /** The most of them within a second. */
    int inASecond() {
      var most = 0;
      for (int first = 0, next = 0; next < times.size(); next++) {
        while (!times.get(next).isBefore(times.get(first).plus(ofSeconds(1)))) first++;
        most = Math.max(most, next - first + 1);
      }
      return most;
    }
  }

  private static Stage stage(int hosts, int instances) {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-4",
            Resources.cpu(4, 16 * Stage.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            0,
            hosts,
            ofMinutes(20),
            ofHours(24));
    var job = Stage.on("cpu", hosts, Stage.job(0, 1, 2, ofMinutes(3), false));
    return Stage.of(CorePlane::new, hosts, instances, List.of(pool), job);
  }

  @ParameterizedTest
  @CsvSource({"64, 3", "256, 1", "256, 3"})
  void reportsOfManyHostsCostAsManyTriesAsThereAreHosts(int hosts, int instances) {
    var stage = stage(hosts, instances);
    var shard = new OneASecond(stage);
    var signals = new Signals(stage);

    stage.until(stage::ended, ofHours(1));

    var job = stage.world.truth().all(Job.class).getFirst();
    assertThat(((JobState.Ended) job.state()).result()).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(1)).as("no deadline was missed").isEqualTo(hosts);
    assertThat(stage.workers())
        .hasSize(hosts)
        .allMatch(w -> w.state() instanceof WorkerState.Ready);
    assertThat(shard.tries).isLessThan(2 * hosts);
    assertThat(shard.written).isLessThan(hosts / 2);
    assertThat(signals.times).isNotEmpty();
    assertThat(signals.inASecond()).isLessThanOrEqualTo(instances);
  }

  @Test
  void sliceOfManyHostsIsReadyByFewChangesOfItsWorker() {
    var pool =
        new PoolSpec(
            "pod",
            "v4-1024",
            Resources.cpu(4, 16 * Stage.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            1,
            1,
            ofMinutes(20),
            ofHours(24));
    var stage = Stage.of(CorePlane::new, 1, 3, List.of(pool));
    var tries = new int[1];
    stage
        .world
        .ledger()
        .crowded(writes -> {
          if (writes.stream()
              .anyMatch(w -> w instanceof Write.Update u && u.document() instanceof Worker))
            tries[0]++;
          return false;
        });

    stage.until(() -> stage.ready() == 1, ofHours(1));

    assertThat(stage.world.hosts()).hasSize(128);
    assertThat(tries[0]).isLessThan(10);
  }
}
