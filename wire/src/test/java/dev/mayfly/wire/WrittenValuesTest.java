package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A value reaches its task as it was written, by every way there is. */
class WrittenValuesTest {
  private static final int NUMBERS = 400;

  /** Numbers as programs write them. */
  private static Stream<String> numbers() {
    var random = new SplittableRandom(20);
    var odd =
        Stream.of("0.0001", "1e-05", "1e-5", "1.5e-7", "1E3", "1e300", "-0.0", "-0", "0.0000001");
    var long1 = Stream.of("12345678901234567890", "0.1234567890123456789", "1" + "0".repeat(4000));
    return Stream.of(odd, long1, Stream.generate(() -> number(random)).limit(NUMBERS))
        .flatMap(each -> each);
  }

  /** By the grammar of JSON. */
  private static String number(SplittableRandom random) {
    var text = new StringBuilder(random.nextBoolean() ? "-" : "");
    text.append(random.nextInt(3) == 0 ? "0" : digits(random).replaceFirst("^0+", "9"));
    if (random.nextBoolean()) text.append('.').append(digits(random));
    if (random.nextInt(3) == 0)
      text.append(random.nextBoolean() ? "e" : "E")
          .append(List.of("", "+", "-").get(random.nextInt(3)))
          .append(digits(random));
    return text.toString();
  }

  private static String digits(SplittableRandom random) {
    var digits = new StringBuilder();
    for (var left = random.nextInt(1, 25); left > 0; left--)
      digits.append(random.nextInt(4) == 0 ? random.nextInt(10) : 0);
    return digits.toString();
  }

  @Test
  void aNumberOfJsonArrivesAsItIs() {
    numbers().forEach(number -> arrives(number, number));
  }

  @Test
  void anUnquotedValueOfYamlArrivesAsItIs() {
    var words = Stream.of("no", "off", "007", "0x1F", "1_000", "1:30", ".5", "+1", ".inf", "true");
    Stream.concat(words, numbers())
        .forEach(
            value -> published(yaml(value), Map.of()).forEach(spec -> hasEverywhere(spec, value)));
  }

  @Test
  void aTextOfJsonArrivesAsItIs() {
    var random = new SplittableRandom(21);
    for (var i = 0; i < NUMBERS; i++) {
      var text = text(random);
      arrives(quoted(text), text);
    }
  }

  private static void arrives(String written, String value) {
    for (var spec : published(json(written), Map.of())) hasEverywhere(spec, value);
    var line = UserDocuments.fields(("{\"lr\": " + written + "}").getBytes(UTF_8));
    assertThat(added(List.of(Map.of("variables", line)))).containsEntry("lr", value);
  }

  @Test
  void aVariableOfTheCommandArrivesAsItIs() {
    var job = HEAD + "tasks: {count: 1}\ncommand: [run, \"{lr}\", \"a{lr}b\"]\n";
    var words = Stream.of("", "~", "null", "no", "007", "a b", "1:30", "true");

    Stream.concat(words, numbers())
        .forEach(value -> {
          for (var spec : published(job, Map.of("lr", value)))
            assertThat(spec.run().command()).containsExactly("run", value, "a" + value + "b");
          var added = added(List.of(Map.of("variables", Map.of("lr", value))));
          assertThat(added).containsEntry("lr", value);
        });
  }

  private static String text(SplittableRandom random) {
    var text = new StringBuilder();
    for (var left = random.nextInt(1, 20); left > 0; left--)
      text.appendCodePoint(
          random.nextBoolean() ? random.nextInt(' ', 'z') : random.nextInt(0x4e00, 0x9fff));
    return text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static final String HEAD =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: a
      cluster: lab
      """;

  private static String yaml(String value) {
    return HEAD
        + """
        command: [run, %1$s]
        env: {LR: %1$s}
        tasks: {matrix: {lr: [%1$s], x: [1]}}
        ---
        """
            .formatted(value)
        + HEAD.replace("name: a", "name: b")
        + """
        command: [run, "{v}"]
        variables: {v: %1$s}
        env: {LR: "{v}"}
        tasks: {items: [{lr: %1$s}]}
        """
            .formatted(value);
  }

  private static String json(String value) {
    return """
    {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "a", "cluster": "lab",
     "command": ["run", %1$s], "env": {"LR": %1$s}, "tasks": {"matrix": {"lr": [%1$s], "x": [1]}}}
    {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "b", "cluster": "lab",
     "command": ["run", "{v}"], "variables": {"v": %1$s}, "env": {"LR": "{v}"},
     "tasks": {"items": [{"lr": %1$s}]}}
    """
        .formatted(value);
  }

  /** The jobs as the control plane reads them, of the file itself where it can be a message. */
  private static List<JobSpec> published(String text, Map<String, String> variables) {
    var specs =
        UserDocuments.parse(text.getBytes(UTF_8), "job", variables).stream()
            .flatMap(
                document -> Wire.codec().commands(document.with("owner", "ann").bytes()).stream())
            .map(WrittenValuesTest::spec)
            .toList();
    if (!variables.isEmpty()) return specs;
    var direct = Wire.codec().commands(text.getBytes(UTF_8)).stream().map(WrittenValuesTest::spec);
    return Stream.concat(specs.stream(), direct).toList();
  }

  private static JobSpec spec(UserCommand command) {
    return ((UserCommand.SubmitJob) command).spec();
  }

  private static void hasEverywhere(JobSpec spec, String value) {
    assertThat(spec.run().command()).containsExactly("run", value);
    assertThat(spec.run().env()).containsEntry("LR", value);
    assertThat(((TaskSource.Items) spec.tasks()).items().getFirst()).containsEntry("lr", value);
  }

  private static Map<String, String> added(List<Map<String, Object>> tasks) {
    var fields = Map.of("cluster", "lab", "job", "a", "addition", "x", "tasks", tasks);
    var sent = Wire.codec().commands(UserDocuments.of("AddTasks", fields).bytes()).getFirst();
    return ((UserCommand.AddTasks) sent).tasks().getFirst().variables();
  }
}
