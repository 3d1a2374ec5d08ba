package dev.mayfly.core.plan.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShareTextTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofHours(24);

  private static OwnerShare now(String owner, double weight, long running) {
    return new OwnerShare(owner, weight, running, Optional.empty());
  }

  private static OwnerShare lately(String owner, double weight, long running, double lately) {
    var machines = new OwnerShare.Machines(running * 0.5, lately);
    return new OwnerShare(owner, weight, running, Optional.of(machines));
  }

  private static String turns(OwnerShare... owners) {
    return ShareText.turns(50, List.of(owners), Optional.empty(), T0);
  }

  @Test
  void sharesAreTold() {
    assertThat(turns(now("", 1, 0), now("ada", 1, 3)))
        .isEqualTo(
            "owners of priority 50 take turns, the one with the fewest running tasks first: jobs without an owner 0, ada 3");
    assertThat(turns(now("ada", 3, 5), now("bob", 0.5, 2)))
        .isEqualTo(
            "owners of priority 50 take turns, the one with the fewest running tasks for each share first: ada 5 with 3 of 3.5 shares, bob 2 with 0.5 of 3.5 shares");
  }

  @Test
  void whatWasUsedLatelyIsTold() {
    assertThat(turns(lately("ada", 3, 5, 0.36), lately("bob", 1, 2, 3.64)))
        .isEqualTo(
            "owners of priority 50 take turns, the one with the least use, now and lately, for each share first: ada 5 with 3 of 4 shares (used 12 % of their share lately), bob 2 with 1 of 4 shares (used 364 % of their share lately)");
  }

  @Test
  void whoWaitsForTheirPastIsToldUntilWhen() {
    var ada = lately("ada", 1, 0, 2);
    var bob = lately("bob", 1, 4, 0);
    var later = new LaterTurn(ada, bob, T0.plus(Duration.ofMinutes(40)), DAY);

    assertThat(ShareText.turns(50, List.of(ada, bob), Optional.of(later), T0))
        .endsWith(
            "; ada used more lately: the next task of bob that ends in 40m or later leaves its room to ada, if both run what they run now; half of what was used is forgotten after 24h");
  }

  @Test
  void aClusterTellsOfAllWithTheirHalfLife() {
    var owners = List.of(lately("ada", 3, 5, 0.36), lately("bob", 1, 1, 3.641));

    assertThat(Sharing.of(Optional.of(DAY), owners).text())
        .isEqualTo(
            "ada: 3 of 4 shares, 5 running tasks, used 0.36 machines on average lately (12 % of their share); bob: 1 of 4 shares, 1 running task, used 3.64 machines on average lately (364 % of their share); after 24h half of what was used is forgotten");
    assertThat(Sharing.of(Optional.empty(), List.of(now("ada", 3, 5), now("", 1, 0))).text())
        .isEqualTo(
            "ada: 3 of 4 shares, 5 running tasks; jobs without an owner: 1 of 4 shares, 0 running tasks; past use does not count");
  }

  @Test
  void manyOwnersAreCounted() {
    var many = new ArrayList<OwnerShare>();
    for (var i = 10; i < 24; i++) many.add(now("o" + i, 1, 1));

    assertThat(Sharing.of(Optional.empty(), many).text())
        .contains("o21: 1 of 14 shares, 1 running task; and 2 more owners; past use");
  }
}
