package dev.mayfly.sim.clusters;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static dev.mayfly.sim.fixture.ReconcileFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.ReconcileFixture;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A down that is delivered before the file of its cluster (decision 67). */
class DownBeforeUpTest {
  private final ReconcileFixture b = new ReconcileFixture();

  private static ClusterSpec named(String name) {
    var spec = spec(pool(0, 10, ReconcileFixture.ZONE));
    return ClusterBuilder.named(name).bucket(spec.bucket()).pools(spec.pools()).build();
  }

  @Test
  void downBeforeItsFileKeepsClusterFromStarting() {
    var file = b.later();
    var down = b.later();
    assertThatThrownBy(() -> b.changes.down("pod", down))
        .isInstanceOf(UnknownNameException.class)
        .hasMessageContaining("there is no cluster pod; known clusters: lab");

    for (var at : List.of(file, down))
      assertThatThrownBy(() -> b.apply(named("pod"), at))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("a down of cluster pod that was published later arrived first");
    assertThat(clusters()).containsExactly("lab");
    assertThatThrownBy(() -> b.views().cluster("pod"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("there is no cluster pod");

    b.apply(named("pod"), b.later());
    assertThat(clusters()).containsExactlyInAnyOrder("lab", "pod");
    assertThat(name("pod").downBefore()).isEmpty();
  }

  @Test
  void downBeforeUpHoldsAfterClusterIsGone() {
    b.takeDown();
    var file = b.later();
    var down = b.later();

    b.changes.down("lab", down);

    assertThatThrownBy(() -> b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), file))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("arrived first");
    assertThat(clusters()).isEmpty();
    assertThat(b.views().cluster("lab").uid()).as("still found").isEqualTo(b.uid);
    b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), b.later());
    assertThat(clusters()).containsExactly("lab");
  }

  @Test
  void repeatedDownBeforeUpChangesNothing() {
    var old = b.later();
    var newest = b.later();
    var unknown = assertThatExceptionOfType(UnknownNameException.class);
    unknown.isThrownBy(() -> b.changes.down("pod", newest));
    var before = b.ledger.under("");

    for (var at : List.of(newest, old)) unknown.isThrownBy(() -> b.changes.down("pod", at));

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
  }

  @Test
  void repeatedDownOfGoneClusterChangesNothing() {
    var down = b.later();
    b.changes.down("lab", down);
    b.tick();
    var before = b.ledger.under("");

    b.changes.down("lab", down);

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
  }

  @Test
  void downBeforeRenameTakesRenamedClusterDown() {
    var rename = b.later();
    assertThatExceptionOfType(UnknownNameException.class)
        .isThrownBy(() -> b.changes.down("pod", b.later()));

    assertThatThrownBy(() ->
            b.changes.apply(
                new UserCommand.ApplyCluster(named("pod"), Optional.of("lab"), false),
                rename,
                "ada"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("takes cluster lab down");

    assertThat(b.cluster().phase()).isEqualTo(Cluster.Phase.GOING);
  }

  private List<String> clusters() {
    return b.ledger.query(new LedgerQuery.Clusters(false)).requireComplete().stream()
        .map(c -> c.value().spec().name())
        .toList();
  }

  private ClusterName name(String name) {
    return b.ledger.read(new DocumentKey.OfClusterName(name)).orElseThrow().value();
  }
}
