package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A volume that fills up is warned of once, however many workers have it. */
class StorageWarningsTest {
  private static final long TIB = 1L << 40;
  private final ReconcileFixture b =
      new ReconcileFixture(ReconcileFixture.pool(2, 2, ReconcileFixture.ZONE));

  private void use(int... percents) {
    var workers = b.workers();
    for (var i = 0; i < percents.length; i++) {
      var use = new MountUse("/mnt/data", Optional.of("data"), TIB, TIB / 100 * percents[i]);
      var at = b.later();
      b.change(workers.get(i).name(), w -> w.withMounts(new MeasuredMounts(at, List.of(use))));
    }
    b.tick();
  }

  private void twoWorkers() {
    b.tick();
    b.workers().forEach(w -> b.makeReady(w.name()));
  }

  @Test
  void fullVolumeIsWarnedOfOnce() {
    twoWorkers();

    use(95, 95);
    use(96, 97);
    b.tick();

    assertThat(b.events("full"))
        .singleElement()
        .asString()
        .contains("storage data (/mnt/data) is 9")
        .contains("GiB of 1024 GiB are free");
    assertThat(b.cluster().fullStorage()).containsExactly("data");
  }

  @Test
  void relievedVolumeIsWarnedOfAgain() {
    twoWorkers();

    use(95, 95);
    use(88, 88);
    use(93, 93);
    assertThat(b.events("full")).hasSize(1);

    use(60, 60);
    assertThat(b.cluster().fullStorage()).isEmpty();
    use(91, 91);

    assertThat(b.events("full")).hasSize(2);
  }

  @Test
  void newestReportCounts() {
    twoWorkers();

    use(99, 50);

    assertThat(b.events("full")).isEmpty();
  }

  @Test
  void statusAndWorkersNameFullVolume() {
    twoWorkers();
    use(95, 95);

    assertThat(b.views().cluster("lab").problems())
        .contains("storage data (/mnt/data) is 94 % full: 51.2 GiB of 1024 GiB are free");
    assertThat(b.views().workers("lab", false))
        .allSatisfy(w ->
            assertThat(w.problem()).hasValueSatisfying(p -> assertThat(p).contains("storage data")))
        .allSatisfy(w -> assertThat(w.mounts()).hasSize(1));
  }
}
