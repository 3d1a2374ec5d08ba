package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job's image tag may move: the whole job runs the digest resolved first. */
class ImagePinsTest {
  private static final String TAG = "ghcr.io/lab/x:1";
  private static final PinnedImage FIRST = new PinnedImage(TAG, "sha256:" + "a".repeat(64));
  private static final PinnedImage MOVED = new PinnedImage(TAG, "sha256:" + "b".repeat(64));

  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent one = labCluster.machine("one");
  private final ScriptedAgent two = labCluster.machine("two");

  /** Gives both agents a lease of the job, with the image's tag. */
  private void begin() {
    image(TAG);
    labCluster.submit(LabCluster.count("j", 100));
    assertThat(images(one.syncAndWait())).containsExactly(TAG);
    assertThat(images(two.syncAndWait())).containsExactly(TAG);
  }

  private void image(String image) {
    image(image, Map.of());
  }

  private void image(String image, Map<String, String> mirrors) {
    var s =
        labCluster
            .store
            .read(new DocumentKey.OfCluster(labCluster.uid))
            .orElseThrow()
            .value()
            .spec();
    labCluster.publish(
        new UserCommand.ApplyCluster(
            new ClusterSpec(
                s.name(),
                s.bucket(),
                s.env(),
                s.pools(),
                s.owner(),
                s.secrets(),
                Optional.of(image),
                s.registries(),
                s.mounts(),
                s.rollout(),
                TaskRights.NONE,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                mirrors,
                Optional.empty(),
                Optional.empty()),
            Optional.empty(),
            false));
    // As long as an instance may use its cache.
    labCluster.advance(5_001);
  }

  private static List<String> images(SyncOrders orders) {
    return orders.specs().stream().map(ImagePinsTest::image).toList();
  }

  private static String image(JobInfo jobInfo) {
    return jobInfo.spec().run().image().orElseThrow();
  }

  private SyncOrders pulled(ScriptedAgent who, PinnedImage image) {
    who.images = List.of(new SyncReport.Pulled(job().uid(), image));
    return who.syncAndWait();
  }

  private Job job() {
    return labCluster.job("j");
  }

  @Test
  void firstResolvedTagHoldsForJob() {
    begin();
    assertThat(images(pulled(one, FIRST))).containsExactly(FIRST.name());

    assertThat(images(pulled(two, MOVED))).as("it pulled later").containsExactly(FIRST.name());
    assertThat(job().image()).contains(FIRST);
    assertThat(images(labCluster.machine("three").syncAndWait())).containsExactly(FIRST.name());
    assertThat(labCluster.controlPlane.statusQueries().job("lab", "j").image()).contains(FIRST);
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").events())
        .anySatisfy(e -> assertThat(e.why()).contains(TAG, FIRST.digest(), "one"));
  }

  @Test
  void regionsPullSameDigestFromTheirMirrors() {
    image(TAG, Map.of("europe-west1", "europe-west1-docker.pkg.dev/lab/mirror"));
    var far = labCluster.machine("far", "cpu", "europe-west1-b");
    labCluster.submit(LabCluster.count("j", 100));
    var mirrored = "europe-west1-docker.pkg.dev/lab/mirror/x:1";
    assertThat(images(far.syncAndWait())).containsExactly(mirrored);
    assertThat(images(one.syncAndWait())).containsExactly(TAG);

    assertThat(images(pulled(far, new PinnedImage(mirrored, FIRST.digest()))))
        .containsExactly("europe-west1-docker.pkg.dev/lab/mirror/x@" + FIRST.digest());
    assertThat(job().image()).as("as the cluster writes it").contains(FIRST);
    assertThat(images(one.syncAndWait())).containsExactly(FIRST.name());
  }

  @Test
  void reportFromAnotherRegionsMirrorIsIgnored() {
    image(TAG, Map.of("europe-west1", "europe-west1-docker.pkg.dev/lab/mirror"));
    labCluster.submit(LabCluster.count("j", 100));
    one.syncAndWait();
    one.wait = 0;
    pulled(one, new PinnedImage("europe-west1-docker.pkg.dev/lab/mirror/x:1", MOVED.digest()));

    assertThat(job().image()).isEmpty();
  }

  @Test
  void uninformedInstanceDoesNotChangeImage() {
    begin();
    two.desk = labCluster.control("b");
    assertThat(two.syncAndWait().leases()).isNotEmpty();
    pulled(one, FIRST);

    assertThat(images(pulled(two, MOVED))).containsExactly(FIRST.name());
    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void duplicateOrLateReportChangesNothing() {
    begin();
    one.images = List.of(new SyncReport.Pulled(job().uid(), MOVED));
    var late = one.report();
    pulled(one, FIRST);
    var version = labCluster.store.read(job().key()).orElseThrow().version();

    one.sync(late);
    pulled(one, FIRST);
    pulled(one, MOVED);
    assertThat(labCluster.store.read(job().key()).orElseThrow().version()).isEqualTo(version);
    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void unauthorizedReportIsIgnored() {
    begin();
    var stranger = labCluster.machine("three");
    stranger.room = stranger.room.minus(stranger.room);
    stranger.syncAndWait();
    assertThat(stranger.held()).isEmpty();
    stranger.wait = 0;
    pulled(stranger, MOVED);
    one.wait = 0;
    pulled(one, new PinnedImage(TAG, "sha256:short"));
    pulled(one, new PinnedImage("ghcr.io/lab/other:1", MOVED.digest()));
    pulled(one, new PinnedImage("ghcr.io/lab/x@" + FIRST.digest(), MOVED.digest()));

    assertThat(job().image()).isEmpty();
  }

  @Test
  void releasingReportPinsImage() {
    begin();
    one.release();
    pulled(one, FIRST);

    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void retriedJobKeepsDigest() {
    begin();
    pulled(one, FIRST);
    for (var each : List.of(one, two)) {
      each.release();
      each.room = Resources.ZERO;
      each.wait = 0;
      each.syncAndWait();
    }
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("STOPPED");

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    labCluster.deliver();
    assertThat(job().image()).contains(FIRST);
    assertThat(images(labCluster.machine("three").syncAndWait())).containsExactly(FIRST.name());
  }

  @Test
  void changedClusterImageIsResolvedAgain() {
    begin();
    pulled(one, FIRST);
    image("ghcr.io/lab/x:2");
    one.wait = 0;
    assertThat(images(one.syncAndWait())).containsExactly("ghcr.io/lab/x:2");

    var next = new PinnedImage("ghcr.io/lab/x:2", MOVED.digest());
    assertThat(images(pulled(one, next))).containsExactly(next.name());
    assertThat(job().image()).contains(next);
  }

  @Test
  void digestImageStaysAsWritten() {
    image(FIRST.name());
    labCluster.submit(LabCluster.count("j", 100));
    assertThat(images(one.syncAndWait())).containsExactly(FIRST.name());
    one.wait = 0;
    pulled(one, FIRST);

    assertThat(job().image()).isEmpty();
  }
}
