package dev.mayfly.core.model.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Public keys and ports travel from each host's report to the order of all. */
final class GangKeysTest {
  private static final Instant T0 = Instant.parse("2026-11-01T12:00:00Z");
  private static final LeaseRef LEASE = new LeaseRef("j1", 0, 1);
  private static final List<HostId> HOSTS = List.of(new HostId("w-1", 0), new HostId("w-2", 0));

  @Test
  void orderHasEachHostsKeyByRank() {
    var run = reported(reported(run(), 1, Optional.of("ssh-ed25519 b")), 0, key("a"));

    for (var host : HOSTS)
      assertThat(run.order(host).orElseThrow().publicKeys())
          .containsExactly("ssh-ed25519 a", "ssh-ed25519 b");
  }

  @Test
  void orderHasNoKeysWhileOneIsMissing() {
    assertThat(reported(run(), 1, key("b")).order(HOSTS.getFirst()).orElseThrow().publicKeys())
        .isEmpty();
  }

  @Test
  void laterReportWithoutKeyKeepsIt() {
    var run = reported(reported(run(), 0, key("a")), 0, Optional.empty());

    assertThat(run.members().getFirst().publicKey()).isEqualTo(key("a"));
  }

  @Test
  void orderHasPortOnceEveryHostReportedOne() {
    var one = withPort(run(), 0, 23_456);

    assertThat(one.order(HOSTS.get(1)).orElseThrow().port()).as("an older agent").isEmpty();
    var both = withPort(one, 1, 21_000);
    for (var host : HOSTS) assertThat(both.order(host).orElseThrow().port()).hasValue(23_456);
    assertThat(withPort(one, 1, 80).order(HOSTS.get(1)).orElseThrow().port()).isEmpty();
  }

  private static GangRun withPort(GangRun run, int rank, int port) {
    return reported(run, rank, Optional.empty(), Optional.of(port));
  }

  @Test
  void sshVariablesAreThoseOfItsMode() {
    var hosts = List.of("10.0.0.1", "10.0.0.2");
    var keys = List.of("ssh-ed25519 a", "ssh-ed25519 b");
    var order =
        new GangOrder(
            LEASE, 1, GangOrder.Step.RUN, 1, hosts, keys, Optional.empty(), Optional.empty());

    var variables = GangEnvironment.of(order, false, Optional.of(GangMode.SSH), 0);

    assertThat(variables).containsEntry("MAYFLY_SSH_KEYS", "ssh-ed25519 a\nssh-ed25519 b");
    assertThat(Integer.parseInt(variables.get("MAYFLY_SSH_PORT"))).isBetween(10_000, 21_999);
    assertThat(variables.get("MAYFLY_SSH_PORT"))
        .isNotEqualTo(variables.get("MAYFLY_COORDINATOR_PORT"));
    assertThat(GangEnvironment.of(order, false)).doesNotContainKey("MAYFLY_SSH_KEYS");
  }

  private static Optional<String> key(String name) {
    return Optional.of("ssh-ed25519 " + name);
  }

  private static GangRun run() {
    var limits = GangTimeouts.of(Duration.ofHours(1), Optional.empty(), Duration.ofSeconds(30));
    var members = HOSTS.stream().map(host -> GangMember.of(host, "")).toList();
    return GangRun.first(LEASE, limits, members, GangPhaseTimeouts.DEFAULT, T0);
  }

  private static GangRun reported(GangRun run, int rank, Optional<String> key) {
    return reported(run, rank, key, Optional.empty());
  }

  private static GangRun reported(
      GangRun run, int rank, Optional<String> key, Optional<Integer> port) {
    var host = HOSTS.get(rank);
    var report =
        new GangReport(
            LEASE,
            host,
            new Incarnation("i", "b", T0),
            "10.0.0." + rank,
            key,
            port,
            1,
            GangOrder.Step.PREPARE,
            GangMemberStage.PREPARED,
            0,
            Optional.empty(),
            0,
            Optional.empty());
    return run.mapMembers(m -> m.host().equals(host), m -> m.withReport(report));
  }
}
