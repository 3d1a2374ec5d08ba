package dev.mayfly.agent.boot;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.MachineReadiness;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a machine's preparation steps until all have succeeded, and reports the readiness. An unfit
 * machine takes no tasks and reports the cause. Failed steps are retried, because an NFS server or
 * a permission may come later.
 */
public final class MachinePreparation implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(MachinePreparation.class);

  private final List<BootStep> before;
  private final List<PreparationStep> preparationSteps;
  private final Supplier<Resources> offered;
  private final Duration again;
  private final Consumer<AgentEvent> events;
  private final Map<String, BootStep> done = new LinkedHashMap<>();

  /**
   * @param before the steps done before the first report
   * @param offered what tasks may use; called once all steps have succeeded
   * @param again the pause before a failed step is retried
   */
  public MachinePreparation(
      List<BootStep> before,
      List<PreparationStep> preparationSteps,
      Supplier<Resources> offered,
      Duration again,
      Consumer<AgentEvent> events) {
    this.before = List.copyOf(before);
    this.preparationSteps = List.copyOf(preparationSteps);
    this.offered = offered;
    this.again = again;
    this.events = events;
  }

  /**
   * Reports that the machine is preparing. Call it before the first report, or tasks come too
   * early.
   */
  public void announce() {
    var what =
        preparationSteps.stream().map(PreparationStep::name).collect(Collectors.joining(", "));
    events.accept(new AgentEvent.ReadinessChanged(all(), new MachineReadiness.Preparing(what)));
  }

  @Override
  public void run() {
    try {
      while (!pass()) {
        Thread.sleep(again);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs all steps that have not succeeded yet; returns whether all have now. */
  private boolean pass() throws InterruptedException {
    Optional<String> failed = Optional.empty();
    for (var preparationStep : preparationSteps) {
      if (worked(preparationStep)) continue;
      var cause = attempt(preparationStep);
      if (failed.isEmpty()) failed = cause.map(c -> preparationStep.name() + ": " + c);
    }
    var machineReadiness =
        failed
            .<MachineReadiness>map(MachineReadiness.Unfit::new)
            .orElseGet(() -> new MachineReadiness.Ready(offered.get()));
    events.accept(new AgentEvent.ReadinessChanged(all(), machineReadiness));
    return failed.isEmpty();
  }

  private Optional<String> attempt(PreparationStep preparationStep) throws InterruptedException {
    long begin = System.nanoTime();
    Optional<String> cause = Optional.empty();
    try {
      preparationStep.run();
    } catch (PreparationStep.Failed e) {
      cause = Optional.of(String.valueOf(e.getMessage()));
      LOG.warn("boot step failed step={} cause={}", preparationStep.name(), cause.get());
    }
    var took = Duration.ofNanos(System.nanoTime() - begin);
    done.put(preparationStep.name(), new BootStep(preparationStep.name(), took, cause));
    return cause;
  }

  private boolean worked(PreparationStep preparationStep) {
    var last = done.get(preparationStep.name());
    return last != null && last.error().isEmpty();
  }

  private List<BootStep> all() {
    var all = new ArrayList<>(before);
    all.addAll(done.values());
    return all;
  }
}
