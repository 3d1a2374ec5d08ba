package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.porttests.WorstCaseInputs;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cost of a message is proportional to its size. Surefire gives this module a heap of 64 MB,
 * and the time that each test may take is a hundred times what it takes; {@code testing/bench/run
 * worst} has the times.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParsingCostTest {
  private static final String JOB =
      "{apiVersion: mayfly.dev/v1, kind: Job, name: a, cluster: l, command: [ls%s], tasks: {%s}}";

  /** Bytes for each character of a message, and for the shortest. */
  private static final int ALLOCATED = 1_000;

  private static final int ALLOCATED_BASE = 20_000_000;

  private static int commands(String text) {
    return Wire.codec().commands(text.getBytes(UTF_8)).size();
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> commands(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(why)
        .hasMessageNotContaining("a bug in Mayfly");
  }

  private static String many(int count, java.util.function.IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(","));
  }

  /** Time depends on the machine; what a thread allocates depends on what it does. */
  @Test
  void readingAllocatesInProportionToTheMessage() {
    commands(WorstCaseInputs.JOB);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    WorstCaseInputs.messages()
        .forEach((name, text) -> {
          var before = threads.getCurrentThreadAllocatedBytes();
          try {
            commands(text);
          } catch (InvalidInputException refused) {
            assertThat(refused).as(name).hasMessageNotContaining("a bug in Mayfly");
          }
          assertThat(threads.getCurrentThreadAllocatedBytes() - before)
              .as("%s, %,d characters", name, text.length())
              .isLessThan(ALLOCATED_BASE + (long) ALLOCATED * text.length());
        });
  }

  @Test
  void numberBeyondIntIsRefused() {
    refused(WorstCaseInputs.wideNumber(), "onDemand.max: 123456789012345678 is too much");
  }

  @Test
  void characterAcrossABufferIsRead() {
    assertThat(commands(WorstCaseInputs.acrossBuffer())).isEqualTo(1);
    for (var length = 1_015; length < 1_030; length++) {
      var text = "x".repeat(length) + "😀".repeat(3_000);
      var job = JOB.formatted("", "count: 1").replace("name: a", "name: a, env: {A: " + text + "}");

      var command = (UserCommand.SubmitJob) Wire.codec().commands(job.getBytes(UTF_8)).getFirst();

      assertThat(command.spec().run().env()).isEqualTo(Map.of("A", text));
    }
  }

  @Test
  void unknownFieldsBeyondACapAreNotRead() {
    refused(WorstCaseInputs.unknownFields(26_000), "more than 1000 fields in one object");
    refused(WorstCaseInputs.unknownFields(990), "and 940 more problems like these");
  }

  @Test
  void variablesAreCountedWhileTheyArePutIn() {
    refused(WorstCaseInputs.longVariable(100_000, 40_000), "more than 1024 KB of text");
    refused(WorstCaseInputs.longVariable(50_000, 5_000), "more than 1024 KB of text");
    assertThat(commands(WorstCaseInputs.longVariable(100, 300))).isEqualTo(1);
    var list = "variables: {x: [" + many(900, i -> "1") + "]}\ncommand: [";
    refused(
        "apiVersion: mayfly.dev/v1\nkind: Job\n" + list + many(20_000, i -> "\"{x}\"") + "]",
        "more than 100,000 values");
  }

  @Test
  void defaultsAreCountedInEachDocument() {
    var defaults = "defaults: {env: {" + many(900, i -> "A" + i + ": " + "v".repeat(200)) + "}}\n";

    refused(defaults + "---\nkind: Job\n".repeat(90), "more than 1024 KB of text");
  }

  @Test
  void problemsOfOneDocumentAreCountedNotListed() {
    refused(
        JOB.formatted(
            "", "items: [" + many(30, i -> "{" + many(900, j -> "f" + j + ": 1") + "}") + "]"),
        "tasks.items[0]");
    refused(
        "{apiVersion: mayfly.dev/v1, kind: Cluster, name: a, pools: ["
            + many(20_000, i -> "{}")
            + "]}",
        "more problems like these");
    refused(JOB.formatted("", "count: 1, zones: [" + many(20_000, i -> "z" + i) + "]"), "zones");
  }

  @Test
  void wordsAreLookedForOnceInAllItems() {
    var items = "items: [" + many(9_998, i -> "{a: 1}") + ",{b: 2}]";

    refused(
        JOB.formatted(", \"" + "{a}".repeat(20_000) + "\"", items),
        "command[1]: {a} has no value in tasks.items[9998]");
  }

  @Test
  void outputsAreShortAndOfFewWords() {
    var items = "items: [" + many(9_000, i -> "{a: " + "v".repeat(12) + "}") + "], output: ";

    refused(
        JOB.formatted("", items + "\"gs://lab/{index}" + "{a}".repeat(300) + "\""),
        "has more than 50 {words}");
    refused(
        JOB.formatted("", "items: [{a: " + "v".repeat(1_100) + "}], output: \"gs://lab/{a}\""),
        "makes names of 1100 bytes; at most 1015");
  }

  @Test
  void matrixDoesNotMultiplyLongValues() {
    var axes =
        "a: ["
            + many(10_000, i -> "" + i)
            + "],"
            + many(40, i -> "m" + i + ": [" + "v".repeat(2_000) + "]");

    refused(JOB.formatted("", "matrix: {" + axes + "}"), "has values of more than 4 MB");
  }

  @Test
  void matrixHasEveryCombinationInOrder() {
    var job = JOB.formatted("", "matrix: {a: [x, y], b: [1, 2, 3]}");

    var command = (UserCommand.SubmitJob) Wire.codec().commands(job.getBytes(UTF_8)).getFirst();

    assertThat(((TaskSource.Items) command.spec().tasks()).items())
        .extracting(item -> item.get("a") + item.get("b"))
        .containsExactly("x1", "x2", "x3", "y1", "y2", "y3");
  }

  @Test
  void textTooLongForAPatternIsOneProblem() {
    assertThatThrownBy(() ->
            commands(
                JOB.formatted("", "count: 1")
                    .replace("name: a", "name: a, image: a" + "/a".repeat(100_000))))
        .isInstanceOf(InvalidInputException.class);
  }
}
