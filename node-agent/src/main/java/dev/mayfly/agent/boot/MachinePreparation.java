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
 * Runs the steps of a machine's preparation until each has worked, and tells what comes of it. A
 * machine that lacks something takes no task and says what; it is tried again, for an NFS server or
 * a right may come later.
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
   * @param before what was done before the agent spoke first
   * @param offered what tasks may use; asked when every step has worked
   * @param again the pause before what failed is tried again
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

  /** To be told before the first report, so that nobody is sent here too early. */
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

  /** One try of all that has not worked yet; whether everything has now. */
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
