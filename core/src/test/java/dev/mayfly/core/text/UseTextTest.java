package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskUse;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class UseTextTest {
  private static final long GIB = 1L << 30;
  private static final Resources ASKED = Resources.cpu(4, 8 * GIB);
  private static final TaskUse USE = new TaskUse(90, 0.9, GIB * 21 / 10);

  private static List<TaskUse> three(TaskUse use) {
    return Collections.nCopies(3, use);
  }

  @Test
  void useIsToldBesideWhatWasAsked() {
    assertThat(UseText.of(USE, ASKED))
        .isEqualTo("at most 2.1 GiB of 8 GiB asked for; 0.9 of 4 CPU on the mean, 23%");
    assertThat(UseText.of(new TaskUse(1, 0.25, 40 << 20), Resources.ZERO))
        .isEqualTo("at most 40 MiB, no memory asked for; 0.25 CPU on the mean, none asked for");
  }

  @Test
  void mostOfAllTasksIsTold() {
    var uses = List.of(USE, new TaskUse(10, 2, GIB / 2));

    assertThat(UseText.of(uses, ASKED))
        .isEqualTo(
            "at most 2.1 GiB of 8 GiB asked for; 2 of 4 CPU on the mean, 50%"
                + " (the most of 2 measured tasks)");
  }

  @Test
  void adviceNamesWhatFitsThen() {
    assertThat(UseText.advice(three(USE), ASKED, Resources.cpu(8, 32 * GIB), "n2-standard-8"))
        .contains(
            "with cpu: 1.25, memory: 2.75Gi in its resources, a quarter more than the most that was"
                + " used, 4 tasks more would fit on a machine like n2-standard-8, beside 2");
  }

  /** A task of half a second is looked at once, when its processes have done nothing yet. */
  @Test
  void whatWasNotMeasuredIsNotZero() {
    var unseen = new TaskUse(0, 0, GIB / 10);
    var machine = Resources.cpu(4, 64 * GIB);

    assertThat(UseText.of(three(unseen), ASKED))
        .isEqualTo(
            "at most 102 MiB of 8 GiB asked for; CPU not measured: it ended before a second look at"
                + " its processes, one is made every second (the most of 3 measured tasks)");
    assertThat(UseText.advice(three(unseen), ASKED, machine, "t")).isEmpty();
    assertThat(UseText.advice(three(unseen), ASKED, Resources.cpu(64, 16 * GIB), "t").orElseThrow())
        .startsWith("with memory: 256Mi in its resources");
    assertThat(UseText.of(new TaskUse(0.02, 0, GIB), ASKED))
        .endsWith("; less than 0.01 of 4 CPU on the mean, 0%");
  }

  @Test
  void thereIsNoAdviceThatWouldNotHelp() {
    var machine = Resources.cpu(8, 32 * GIB);
    assertThat(UseText.advice(List.of(USE, USE), ASKED, machine, "t")).as("two tasks").isEmpty();
    assertThat(UseText.advice(three(new TaskUse(1, 3.5, 7 * GIB)), ASKED, machine, "t"))
        .as("it uses what it asks for")
        .isEmpty();
    assertThat(UseText.advice(three(USE), ASKED, Resources.cpu(4, 2 * GIB), "t"))
        .as("another machine")
        .isEmpty();
    var gpu = ASKED.withGpuMillis(1000);
    assertThat(UseText.advice(three(USE), gpu, machine.withGpuMillis(2000), "t"))
        .as("its GPUs bound it")
        .isEmpty();
  }
}
