package dev.mayfly.sim.clusters;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static dev.mayfly.sim.fixture.ReconcileFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.ReconcileFixture;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster's file that names a former name which no cluster has. */
class FormerNameTest {
  private final ReconcileFixture b = new ReconcileFixture();

  @Test
  void formerNameOfNoClusterIsInTheEvent() {
    var before = spec(pool(0, 10, ReconcileFixture.ZONE));
    var lab9 = ClusterBuilder.named("lab9").bucket(before.bucket()).pools(before.pools()).build();
    var asked = new UserCommand.ApplyCluster(lab9, Optional.of("nolab"), false);
    b.changes.apply(asked, b.later(), "ada");
    b.changes.apply(asked, b.later(), "ada");

    assertThat(b.views().events("lab9", Optional.empty(), 10))
        .singleElement()
        .asString()
        .contains("brought up by ada", "formerly: nolab, and no cluster has that name");
  }
}
