package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.plan.share.OwnerShare;
import dev.mayfly.core.plan.share.Sharing;
import dev.mayfly.core.query.ClusterStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnersLineTest {
  private static ClusterStatus shared(Optional<Sharing> sharing) {
    var c = ViewFixtures.cluster();
    return new ClusterStatus(
        c.name(),
        c.uid(),
        c.phase(),
        c.generation(),
        c.createdAt(),
        c.spec(),
        c.workers(),
        c.pools(),
        c.used(),
        c.total(),
        c.accelerators(),
        c.jobs(),
        c.problems(),
        c.idle(),
        c.schedules(),
        sharing);
  }

  private static List<String> page(Optional<Sharing> sharing) {
    var screen = TestScreen.plain(System.out, System.err, 300);
    return StatusPage.lines(
        shared(sharing), List.of(), List.of(), Optional.empty(), false, ViewFixtures.NOW, screen);
  }

  @Test
  void ownersHaveTheirSharesAndTheirPast() {
    var machines = new OwnerShare.Machines(1.25, 0.5);
    var ann = new OwnerShare("ann", 3, 5, Optional.of(machines));
    var sharing = Sharing.of(Optional.of(Duration.ofHours(24)), List.of(ann));

    assertThat(page(Optional.of(sharing)))
        .contains(
            "  owners     ann: 3 of 3 shares, 5 running tasks, used 0.5 machines on average lately (100 % of their share); after 24h half of what was used is forgotten");
    assertThat(page(Optional.empty())).noneMatch(line -> line.contains("owners"));
  }
}
