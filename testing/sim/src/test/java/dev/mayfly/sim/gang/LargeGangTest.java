package dev.mayfly.sim.gang;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run is one document, so its hosts' reports must be batched. */
class LargeGangTest {
  /** Counts attempted writes of a gang's shard, and allows one a second. */
  private static final class OneASecond {
    private final ScriptedWorld scriptedWorld;
    private Instant last = Instant.EPOCH;
    private int tries;
    private int written;

    OneASecond(ScriptedWorld scriptedWorld) {
      this.scriptedWorld = scriptedWorld;
      scriptedWorld.world.ledger().crowded(this::crowded);
    }

    private boolean crowded(List<LedgerWrite> ledgerWrites) {
      var ofGang =
          ledgerWrites.stream()
              .anyMatch(w ->
                  w instanceof LedgerWrite.Update u
                      && u.document() instanceof Shard s
                      && s.gang().isPresent());
      if (!ofGang) return false;
      tries++;
      if (last.plus(ofSeconds(1)).isAfter(scriptedWorld.now())) return true;
      last = scriptedWorld.now();
      written++;
      return false;
    }
  }

  /** When change signals were written. */
  private static final class Signals {
    private final List<Instant> times = new ArrayList<>();

    Signals(ScriptedWorld scriptedWorld) {
      scriptedWorld
          .world
          .ledger()
          .observe(batch -> {
            if (batch.stream().anyMatch(c -> c.document() instanceof ChangeSignal))
              times.add(scriptedWorld.now());
          });
    }

    /** The largest number within a second. */
    int inASecond() {
      var most = 0;
      for (int first = 0, next = 0; next < times.size(); next++) {
        while (!times.get(next).isBefore(times.get(first).plus(ofSeconds(1)))) first++;
        most = Math.max(most, next - first + 1);
      }
      return most;
    }
  }

  private static ScriptedWorld stage(int hosts, int instances) {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-4",
            Resources.cpu(4, 16 * ScriptedWorld.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            0,
            hosts,
            ofMinutes(20),
            ofHours(24),
            MachineSpec.PLAIN);
    var job = ScriptedWorld.on("cpu", hosts, ScriptedWorld.job(0, 1, 2, ofMinutes(3), false));
    return ScriptedWorld.of(CoreControlPlane::new, hosts, instances, List.of(pool), job);
  }

  @ParameterizedTest
  @CsvSource({"64, 3", "256, 1", "256, 3"})
  void largeGangReportsNeedFewTries(int hosts, int instances) {
    var stage = stage(hosts, instances);
    var shard = new OneASecond(stage);
    var signals = new Signals(stage);

    stage.until(stage::ended, ofHours(1));

    var job = stage.world.truth().all(Job.class).getFirst();
    assertThat(job.state().end().orElseThrow().result()).isEqualTo(JobState.Result.SUCCEEDED);
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
  void largeSliceBecomesReadyWithFewWrites() {
    var pool =
        new PoolSpec(
            "pod",
            "v4-1024",
            Resources.cpu(4, 16 * ScriptedWorld.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            1,
            1,
            ofMinutes(20),
            ofHours(24),
            MachineSpec.PLAIN);
    var stage = ScriptedWorld.of(CoreControlPlane::new, 1, 3, List.of(pool));
    var tries = new int[1];
    stage
        .world
        .ledger()
        .crowded(ledgerWrites -> {
          if (ledgerWrites.stream()
              .anyMatch(w -> w instanceof LedgerWrite.Update u && u.document() instanceof Worker))
            tries[0]++;
          return false;
        });

    stage.until(() -> stage.ready() == 1, ofHours(1));

    assertThat(stage.world.hosts()).hasSize(128);
    assertThat(tries[0]).isLessThan(10);
  }
}
