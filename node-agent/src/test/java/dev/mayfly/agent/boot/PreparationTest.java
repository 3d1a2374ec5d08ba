package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.os.Devices.Gpu;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Fitness;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport.BootStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreparationTest {
  private static final Resources ALL = new Resources(8_000, 1, 4_000, 0);
  private static final BootStep EARLIER =
      new BootStep("runtime", Duration.ofSeconds(3), Optional.empty());
  private final List<AgentEvent> events = new ArrayList<>();

  private record Flaky(String name, List<String> failures) implements Step {
    @Override
    public void run() throws Failed {
      if (!failures.isEmpty()) throw new Failed(failures.removeFirst());
    }
  }

  @Test
  void whatFailsMakesItUnfitWithTheCauseUntilItWorks() {
    var mount = new Flaky("mount /data", new ArrayList<>(List.of("port 2049 does not answer")));
    var image = new Flaky("image x", new ArrayList<>());
    var preparation =
        new Preparation(
            List.of(EARLIER), List.of(mount, image), () -> ALL, Duration.ofMillis(1), events::add);

    preparation.announce();
    preparation.run();

    assertThat(events)
        .extracting(event -> ((AgentEvent.Equipped) event).fitness())
        .containsExactly(
            new Fitness.Preparing("mount /data, image x"),
            new Fitness.Unfit("mount /data: port 2049 does not answer"),
            new Fitness.Fit(ALL));
    var last = ((AgentEvent.Equipped) events.getLast()).boot();
    assertThat(last)
        .extracting(BootStep::name)
        .containsExactly("runtime", "mount /data", "image x");
    assertThat(last).allMatch(step -> step.error().isEmpty());
  }

  @Test
  void aDriverThatShowsNoGpuIsACause() {
    var step = new GpuStep(2, List::of, text -> {});

    assertThat(failure(step)).contains("no GPU of 2").contains("nvidia-smi");
  }

  @Test
  void fewerGpusThanOrderedAreUsedAndTold() {
    var told = new ArrayList<String>();
    var step = new GpuStep(4, () -> List.of(new Gpu(0, "GPU-1", "T4", 15_360)), told::add);

    assertThat(failure(step)).isEmpty();
    assertThat(step.found()).isEqualTo(1);
    assertThat(told).containsExactly("degraded: the driver shows 1 GPUs of 4");
  }

  private static String failure(Step step) {
    try {
      step.run();
      return "";
    } catch (Step.Failed e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
