package dev.mayfly.arch.ends;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.mayfly.arch.ProductionClasses;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who is ended gets the grace of their job, and the end its name (decision 109). */
class EndingRulesTest {
  private static final String CORE = "dev.mayfly.core.";

  /** The simulation plants mistakes of this kind. */
  private static final String MUTANTS = "dev.mayfly.sim.mutant.";

  /** Who may kill without a grace: for a lease of another worker, or once the grace is over. */
  private static final Set<String> WITHOUT_GRACE =
      Set.of(
          "agent.lease.LeaseTable",
          "agent.sync.GracefulShutdown",
          "agent.sync.PartitionHandler",
          "agent.sync.PlannedEnd",
          "agent.task.KillRequests");

  /** Who may order a worker's drain, for which it sets the deadline. */
  private static final Set<String> DRAINS =
      Set.of(
          // Leaves each job its grace, and ends before the machine's life does.
          "state.worker.DrainRequests",
          // Of a machine that was never ordered.
          "reconcile.MachineLauncher");

  private static JavaClass core(String name) {
    return ProductionClasses.CLASSES.get(CORE + name);
  }

  private static Set<String> users(Set<? extends JavaAccess<?>> accesses, JavaClass of) {
    return accesses.stream()
        .map(access -> access.getOriginOwner().getName())
        .filter(origin -> !origin.startsWith(of.getName()) && !origin.startsWith(MUTANTS))
        .map(origin -> origin.replace(CORE, ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void onlyTheseKillWithoutAGrace() {
    var grace = core("agent.loop.Grace");

    assertThat(users(grace.getMethod("none", grace.getName() + "$Without").getCallsOfSelf(), grace))
        .isEqualTo(new TreeSet<>(WITHOUT_GRACE));
    assertThat(users(grace.getConstructorCallsToSelf(), grace)).isEmpty();
  }

  @Test
  void killsAreOrderedInOnePlace() {
    var kill = core("agent.loop.AgentEffect$Kill");

    assertThat(users(kill.getConstructorCallsToSelf(), kill))
        .containsExactly("agent.task.KillRequests");
  }

  @Test
  void drainsAreRequestedWhereTheirDeadlineIsSet() {
    var drain = core("lifecycle.WorkerEvent$DrainRequested");

    assertThat(users(drain.getConstructorCallsToSelf(), drain)).isEqualTo(new TreeSet<>(DRAINS));
  }
}
