package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.machine.MachineHardware.Gpu;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.MachineReadiness;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachinePreparationTest {
  private static final Resources ALL = new Resources(8_000, 1, 4_000, 0);
  private static final BootStep EARLIER =
      new BootStep("runtime", Duration.ofSeconds(3), Optional.empty());
  private final List<AgentEvent> events = new ArrayList<>();

  private record Flaky(String name, List<String> failures) implements PreparationStep {
    @Override
    public void run() throws Failed {
      if (!failures.isEmpty()) throw new Failed(failures.removeFirst());
    }
  }

  @Test
  void failedStepMakesUnfitUntilItWorks() {
    var mount = new Flaky("mount /data", new ArrayList<>(List.of("port 2049 does not answer")));
    var image = new Flaky("image x", new ArrayList<>());
    var machinePreparation =
        new MachinePreparation(
            List.of(EARLIER), List.of(mount, image), () -> ALL, Duration.ofMillis(1), events::add);

    machinePreparation.announce();
    machinePreparation.run();

    assertThat(events)
        .extracting(event -> ((AgentEvent.ReadinessChanged) event).fitness())
        .containsExactly(
            new MachineReadiness.Preparing("mount /data, image x"),
            new MachineReadiness.Unfit("mount /data: port 2049 does not answer"),
            new MachineReadiness.Ready(ALL));
    var last = ((AgentEvent.ReadinessChanged) events.getLast()).boot();
    assertThat(last)
        .extracting(BootStep::name)
        .containsExactly("runtime", "mount /data", "image x");
    assertThat(last).allMatch(step -> step.error().isEmpty());
  }

  @Test
  void driverWithoutGpusFails() {
    var step = new GpuStep(2, 0, List::of, text -> {});

    assertThat(failure(step)).contains("no GPU of 2").contains("nvidia-smi");
  }

  @Test
  void lessMemoryOfGpusIsUsedAndReported() throws Exception {
    var problems = new ArrayList<MachineProblem>();
    var gpus = List.of(new Gpu(0, "GPU-1", "T4", 15_360), new Gpu(1, "GPU-2", "T4", 15_109));
    var step = new GpuStep(2, 15_360L << 20, () -> gpus, problems::add);

    step.run();

    assertThat(step.foundMemory()).isEqualTo(15_109L << 20);
    assertThat(problems)
        .containsExactly(
            MachineProblem.Kind.DEGRADED.of(
                "the driver shows 15109 MiB of a GPU's memory, and the pool goes by 15360;"
                    + " write visible: {gpuMemory: 15109Mi} there"));
  }

  @Test
  void fewerGpusAreUsedAndReported() {
    var problems = new ArrayList<MachineProblem>();
    var step = new GpuStep(4, 0, () -> List.of(new Gpu(0, "GPU-1", "T4", 15_360)), problems::add);

    assertThat(failure(step)).isEmpty();
    assertThat(step.found()).isEqualTo(1);
    assertThat(problems)
        .containsExactly(MachineProblem.Kind.DEGRADED.of("the driver shows 1 GPUs of 4"));
  }

  private static String failure(PreparationStep preparationStep) {
    try {
      preparationStep.run();
      return "";
    } catch (PreparationStep.Failed e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
