package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.ExactImage;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The tag of a job's image may move: all of the job runs what it named first. */
class ImageTagsTest {
  private static final String TAG = "ghcr.io/lab/x:1";
  private static final ExactImage FIRST = new ExactImage(TAG, "sha256:" + "a".repeat(64));
  private static final ExactImage MOVED = new ExactImage(TAG, "sha256:" + "b".repeat(64));

  private final Lab lab = new Lab();
  private final Caller one = lab.machine("one");
  private final Caller two = lab.machine("two");

  /** Both have a lease of the job and know its image by its tag. */
  private void begin() {
    image(TAG);
    lab.submit(Lab.count("j", 100));
    assertThat(images(one.ask())).containsExactly(TAG);
    assertThat(images(two.ask())).containsExactly(TAG);
  }

  private void image(String image) {
    var s = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    lab.publish(
        new Command.ApplyCluster(
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
                s.rollout())));
    // As long as an instance may go by what it read before.
    lab.pass(5_001);
  }

  private static List<String> images(SyncOrders orders) {
    return orders.specs().stream().map(ImageTagsTest::image).toList();
  }

  private static String image(JobSheet sheet) {
    return sheet.spec().run().image().orElseThrow();
  }

  private SyncOrders pulled(Caller who, ExactImage image) {
    who.images = List.of(new SyncReport.Pulled(job().uid(), image));
    return who.ask();
  }

  private Job job() {
    return lab.job("j");
  }

  @Test
  void whatTheTagNamedFirstIsTheJobsImageWhereverItHasMovedTo() {
    begin();
    assertThat(images(pulled(one, FIRST))).containsExactly(FIRST.name());

    assertThat(images(pulled(two, MOVED))).as("it pulled later").containsExactly(FIRST.name());
    assertThat(job().image()).contains(FIRST);
    assertThat(images(lab.machine("three").ask())).containsExactly(FIRST.name());
    assertThat(lab.control.views().job("lab", "j").image()).contains(FIRST);
    assertThat(lab.control.views().explain("lab", "j").events())
        .anySatisfy(e -> assertThat(e.why()).contains(TAG, FIRST.digest(), "one"));
  }

  @Test
  void anotherInstanceThatHeardNothingYetDoesNotChangeIt() {
    begin();
    two.desk = lab.control("b");
    assertThat(two.ask().leases()).isNotEmpty();
    pulled(one, FIRST);

    assertThat(images(pulled(two, MOVED))).containsExactly(FIRST.name());
    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void aDoubledOrLateReportChangesNothing() {
    begin();
    one.images = List.of(new SyncReport.Pulled(job().uid(), MOVED));
    var late = one.report();
    pulled(one, FIRST);
    var version = lab.store.read(job().key()).orElseThrow().version();

    one.call(late);
    pulled(one, FIRST);
    pulled(one, MOVED);
    assertThat(lab.store.read(job().key()).orElseThrow().version()).isEqualTo(version);
    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void oneThatMayNotBeHeardIsIgnored() {
    begin();
    var stranger = lab.machine("three");
    stranger.room = stranger.room.minus(stranger.room);
    stranger.ask();
    assertThat(stranger.held()).isEmpty();
    stranger.wait = 0;
    pulled(stranger, MOVED);
    one.wait = 0;
    pulled(one, new ExactImage(TAG, "sha256:short"));
    pulled(one, new ExactImage("ghcr.io/lab/other:1", MOVED.digest()));
    pulled(one, new ExactImage("ghcr.io/lab/x@" + FIRST.digest(), MOVED.digest()));

    assertThat(job().image()).isEmpty();
  }

  @Test
  void aReportThatGivesTheLeaseBackIsHeard() {
    begin();
    one.release();
    pulled(one, FIRST);

    assertThat(job().image()).contains(FIRST);
  }

  @Test
  void aRetriedJobKeepsIt() {
    begin();
    pulled(one, FIRST);
    for (var each : List.of(one, two)) {
      each.release();
      each.room = Resources.ZERO;
      each.wait = 0;
      each.ask();
    }
    lab.stop("j");
    lab.deliver();
    assertThat(lab.end("j")).startsWith("STOPPED");

    lab.publish(new Command.RetryJob("lab", "j"));
    lab.deliver();
    assertThat(job().image()).contains(FIRST);
    assertThat(images(lab.machine("three").ask())).containsExactly(FIRST.name());
  }

  @Test
  void anotherImageOfTheClusterIsAnotherQuestion() {
    begin();
    pulled(one, FIRST);
    image("ghcr.io/lab/x:2");
    one.wait = 0;
    assertThat(images(one.ask())).containsExactly("ghcr.io/lab/x:2");

    var next = new ExactImage("ghcr.io/lab/x:2", MOVED.digest());
    assertThat(images(pulled(one, next))).containsExactly(next.name());
    assertThat(job().image()).contains(next);
  }

  @Test
  void anImageByItsDigestStaysAsItIsWritten() {
    image(FIRST.name());
    lab.submit(Lab.count("j", 100));
    assertThat(images(one.ask())).containsExactly(FIRST.name());
    one.wait = 0;
    pulled(one, FIRST);

    assertThat(job().image()).isEmpty();
  }
}
