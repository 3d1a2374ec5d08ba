package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Hostile input is refused before it grows: surefire gives this module a small heap. */
class DocumentLimitsTest {
  @Test
  void heapIsSmallEnough() {
    assertThat(Runtime.getRuntime().maxMemory()).isLessThanOrEqualTo(80L << 20);
  }

  @Test
  void aLargeMessageIsRefusedWithTheRemedy() {
    refused(
        "a: " + "x".repeat(1 << 20),
        "is 1024 KB; at most 256 KB can be published: list the tasks' inputs");
  }

  @Test
  void aliasesThatMultiplyAreRefused() {
    var laughs =
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
            + IntStream.range(1, 12)
                .mapToObj(i ->
                    "a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(4) + "x"))
                .collect(Collectors.joining());

    refused(laughs, "more than 100000 values");
    refused("a: &a [x]\nb: [" + "*a, ".repeat(60) + "]", "more than 50 aliases");
  }

  @Test
  void anAliasOfItselfIsRefused() {
    refused("a: &a [*a]", "*a stands for nothing that ends before it");
  }

  @Test
  void deepNestingIsRefused() {
    refused("[".repeat(100_000), "more than 50 levels inside each other");
    refused("{\"a\":" + "[".repeat(100_000), "more than 50 levels inside each other");
    refused("{\"a\":".repeat(40_000), "more than 50 levels inside each other");
    refused("- ".repeat(10_000) + "x", "more than 50 levels inside each other");
    refused(
        "a: &a "
            + "[".repeat(45)
            + "]".repeat(45)
            + "\nb: "
            + "[".repeat(20)
            + "*a"
            + "]".repeat(20),
        "more than 50 levels inside each other");
  }

  @Test
  void manyDocumentsAreRefused() {
    refused("a: 1\n---\n".repeat(101), "more than 100 documents");
    refused("{\"a\":1}".repeat(101), "more than 100 documents");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() {
    refused("{\"a\": 1, \"a\": 2}", "'a' is there twice in one object");
    refused("a: {b: 1, b: 2}", "'b' is there twice in one object");
  }

  @Test
  void tagsOfOtherLanguagesAreRefused() {
    refused(
        "a: !!javax.script.ScriptEngineManager [!!java.net.URL ['http://localhost']]",
        "is not read");
    refused("a: !<tag:x> b", "the tag 'tag:x' is not read");
    refused("a: !!binary aGk=", "is not read");
  }

  @Test
  void mergesAndKeysThatAreNoTextAreRefused() {
    refused("a: &a {b: 1}\nc: {<<: *a}", "'<<' merges are not read");
    refused("? [a]\n: b", "a field's name must be a text");
    refused("&k a: 1\n*k : 2", "a field's name must be a text");
  }

  @Test
  void numbersThatDoNotFitAreRefused() {
    var job =
        "{\"apiVersion\":\"mayfly.dev/v1\",\"kind\":\"Job\",\"name\":\"a\",\"cluster\":\"l\",\"command\":[\"ls\"],\"tasks\":{\"count\":%s}}";

    refused(
        job.formatted("1e99999999"),
        "1e99999999 is not a whole number as one is read here, of 18 digits at most and without an exponent; write it like 1000");
    refused(job.formatted("1000000000"), "1000000000 is too much; write 10000000 or less");
    refused(job.formatted("-1"), "-1 is too little; write 1 or more");
    refused(job.formatted("0.5"), "0.5, a number, stands where a whole number is needed");
    refused(job.formatted("9".repeat(5000)), "9… is not a whole number as one is read here");
  }

  @Test
  void whatIsNoTextIsRefused() {
    refused(new byte[] {(byte) 0xff, (byte) 0xfe, 0}, "is not UTF-8 text; save it as UTF-8");
    refused(new byte[] {'a', ':', '\n', (byte) 0xff}, "(byte 0xFF of line 2 is none)");
    refused("{\"a\"", "is not JSON");
    refused("a: \u0001", "is not YAML");
    refused("", "has no document");
  }

  /** UTF-8 cannot write it: the task would see a question mark. */
  @Test
  void halfACharacterIsRefusedWhereverItIs() {
    var job =
        "{\"apiVersion\":\"mayfly.dev/v1\",\"kind\":\"Job\",\"name\":\"a\",\"cluster\":\"l\",\"command\":[\"ls\",%s],\"env\":{\"A\":%s},\"tasks\":{\"items\":[{\"x\":%s}]}}";
    var half = "\"ab\\ud800c\"";

    refused(
        job.formatted("\"\"", half, "\"\""), "env.A: has an unpaired surrogate in 'ab\\ud800…'");
    refused(
        job.formatted(half, "\"\"", "\"\""),
        "command[1]: has an unpaired surrogate in 'ab\\ud800…'");
    refused(job.formatted("\"\"", "\"\"", half), "tasks.items[0].x: has an unpaired surrogate");
    refused(
        job.formatted("\"\"", "\"\\udc00\\ud800\"", "\"\""), "an unpaired surrogate in '\\udc00…'");
    refused(
        "{apiVersion: mayfly.dev/v1, kind: Job, name: a, cluster: l, tasks: {count: 1}, command: ["
            + half
            + "]}",
        "command[0]: has an unpaired surrogate");
    var whole = job.formatted("\"\"", "\"\\ud83d\\ude00\"", "\"\"");
    assertThat(Wire.codec().commands(whole.getBytes(UTF_8))).hasSize(1);
  }

  @Test
  void namesThatAreCodeAreRefused() {
    for (var name :
        Arrays.asList(
            "$(reboot)",
            "a\nb",
            "'\"",
            "a\0b",
            "-oProxyCommand",
            "../a",
            "a".repeat(43),
            "A",
            "a-",
            "é"))
      refused(
          "{\"apiVersion\":\"mayfly.dev/v1\",\"kind\":\"DownCluster\",\"cluster\":%s}"
              .formatted(tools.jackson.databind.json.JsonMapper.shared().writeValueAsString(name)),
          "a name has lower-case letters");
  }

  @Test
  void reportedProblemsAreLimited() {
    var items =
        IntStream.range(0, 9_000).mapToObj(i -> "{index: x}").collect(Collectors.joining(","));

    refused(job("items: [" + items + "]"), "and 8950 more problems like these");
  }

  @Test
  void quotedInputIsShortAndSingleLine() {
    var name = "k".repeat(190) + "\\u0007\\n";
    var told =
        told(
            "{\"%s\":1,\"cluster\":\"%s\",\"kind\":\"DownCluster\"}"
                .formatted(name, "v".repeat(40_000)));

    assertThat(told).hasSizeLessThan(3_000);
    assertThat(told.lines()).hasSize(3);
    assertThat(told).doesNotContain("\u0007");
  }

  @Test
  void outputsOutsideAPlaceAreRefused() {
    for (var output :
        Arrays.asList(
            "gs://lab/../{index}",
            "gs://lab/a/../../{index}",
            "file:///../{index}",
            "gs://lab/./{index}",
            "gs:///{index}",
            "gs://LAB/{index}",
            "/etc/{index}",
            "file://etc/{index}",
            "gs://lab//{index}",
            "gs://lab/{index}/",
            "gs://lab/{index}.COMPLETE",
            "http://lab/{index}",
            "gs://lab/{index}\\n",
            "gs://lab/\\0{index}",
            "gs://a b/{index}",
            "gs://lab"))
      assertThat(told(job("{count: 2, output: \"" + output + "\"}")))
          .as(output)
          .startsWith("tasks.output: ");
  }

  private static String job(String tasks) {
    return "{apiVersion: mayfly.dev/v1, kind: Job, name: a, cluster: l, command: [ls], tasks: %s}"
        .formatted(tasks.startsWith("{") ? tasks : "{" + tasks + "}");
  }

  private static String told(String text) {
    try {
      return "is read as " + Wire.codec().commands(text.getBytes(UTF_8));
    } catch (InvalidInputException e) {
      return e.getMessage();
    }
  }

  private static void refused(String text, String why) {
    refused(text.getBytes(UTF_8), why);
  }

  private static void refused(byte[] text, String why) {
    assertThatThrownBy(() -> Wire.codec().commands(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(why);
  }
}
