package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.JobStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A count of what is done says until when it counts. */
class CountedEndsTest {
  private final LabCluster lab = new LabCluster(1);

  private JobStatus job() {
    return lab.controlPlane.statusQueries().job("lab", "j");
  }

  private ScriptedAgent worker(int tasks) {
    lab.submit(LabCluster.count("j", tasks));
    var worker = lab.machine("w");
    worker.syncAndWait();
    return worker;
  }

  @Test
  void endsThatAreNotWrittenYetAreMissing() {
    var worker = worker(12);
    lab.time.advance(Duration.ofMinutes(2));
    worker.complete(task -> task < 3);
    worker.syncAndWait();
    var written = lab.now();
    var done = job().totals().done();
    lab.time.advance(Duration.ofSeconds(30));
    worker.complete(task -> task < 4);
    worker.syncAndWait();

    assertThat(job().totals().done()).as("the count lags behind").isEqualTo(done);
    assertThat(job().countedAt().orElseThrow()).isBetween(written.minusSeconds(20), written);
  }

  @Test
  void lastEndIsAlwaysCounted() {
    worker(1);
    lab.time.advance(Duration.ofMinutes(2));

    assertThat(job().countedAt()).isEmpty();
  }
}
