package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.InputError;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One mistake in a valid document is one error at its place: what follows from it is left out. No
 * text in any field makes an exception of a reader visible.
 */
class OneMistakeTest {
  private static final List<SyntaxNode> ODD =
      List.of(
          text("src/src/a.txt"),
          text("a:1:1@a"),
          text("../.."),
          text(""),
          text("a\0b"),
          text("\u001b[31m\u202e"),
          text("x".repeat(3_000)),
          text("{a}{a}"),
          text("${a}"),
          text("1e99"),
          text("-1"),
          text("gs://a//b"),
          text("a=b,a=b"));
  private static final List<SyntaxNode> WRONG =
      List.of(
          new SyntaxNode.Null(1),
          new SyntaxNode.Sequence(List.of(new SyntaxNode.Sequence(List.of(), 1)), 1));

  static List<Path> valid() throws IOException {
    return SamplesTest.valid();
  }

  @ParameterizedTest
  @MethodSource("valid")
  void aMisspelledFieldIsOneError(Path file) throws IOException {
    for (var document : documents(file)) keys(document, OneMistakeTest::isOneError);
  }

  @ParameterizedTest
  @MethodSource("valid")
  void aWrongValueIsOneError(Path file) throws IOException {
    for (var document : documents(file))
      for (var wrong : WRONG) values(document, wrong, OneMistakeTest::isOneError);
  }

  /** One thing may be missing at two places. */
  private static void isOneError(SyntaxNode document) {
    assertThat(told(document).stream().map(InputError::message).distinct())
        .as(() -> document.json() + told(document))
        .hasSizeLessThan(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matrix: {a: [1, 2], b: [1, 2]}, seeds: 9999, output: 'gs://b/{a}'}",
        "{samples: {count: 3, values: {a: {int: [3, 2]}}}, output: 'gs://b/{a}/{index}'}",
        "{samples: {count: 3, values: {a: {log: [0, 2]}}}}",
        "{items: [{a: 1, index: 2}]}",
        "{items: [{a: 1, A: 2}]}",
        "{count: 2, items: [{a: 1}, {a: 2}]}",
        "{matrix: {a: [], b: [1]}}",
        "{iems: [{a: 1}, {a: 2}], output: 'gs://b/{a}'}",
        "{items: [{a: 1}, {b: 2}]}"
      })
  void aRefusedSourceOfTasksIsOneError(String tasks) {
    var job =
        """
        apiVersion: mayfly.dev/v1
        kind: Job
        name: x
        cluster: lab
        command: [run, "{a}"]
        tasks: %s
        """;
    var problems =
        UserDocuments.check(job.formatted(tasks).getBytes(UTF_8), "", Map.of()).problems();

    assertThat(problems).as(tasks).hasSize(1);
  }

  @Test
  void aDocumentWithoutKindIsToldAllAtOnce() {
    var job = "name: x\ntasks: {count: 2, outputs: none}\ncommand: [run]\n";

    assertThat(UserDocuments.check(job.getBytes(UTF_8), "", Map.of()).problems())
        .extracting(InputError::toString)
        .contains(
            "apiVersion: is missing; write mayfly.dev/v1",
            "kind: is missing; write Job",
            "cluster: is missing; write it like lab");
    assertThat(UserDocuments.check("name: x".getBytes(UTF_8), "", Map.of()).problems())
        .singleElement()
        .asString()
        .startsWith("kind: is missing; write one of Cluster, Job,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"job", "cluster", "slice", "add-tasks", "retry-tasks", "join-worker"})
  void anOddTextMakesNoExceptionVisible(String schema) {
    var document = new SchemaExample(schema).everything();
    for (var odd : ODD)
      values(
          document,
          odd,
          changed ->
              assertThat(told(changed))
                  .as(() -> changed.json())
                  .noneMatch(error -> error.message().matches("(?s).*(Exception|mistake of).*")));
  }

  private static List<SyntaxNode> documents(Path file) throws IOException {
    var all = new ArrayList<SyntaxNode>();
    for (var parsed : UserDocuments.parse(Files.readAllBytes(file), "", Map.of()))
      all.addAll(DocumentParser.documents(parsed.bytes(), ""));
    return all;
  }

  private static List<InputError> told(SyntaxNode document) {
    return UserDocuments.check(document.json().getBytes(UTF_8), "", Map.of()).problems();
  }

  /** The document once for each field's name, with that misspelled. */
  private static void keys(SyntaxNode node, Consumer<SyntaxNode> use) {
    if (node instanceof SyntaxNode.Mapping mapping)
      for (var name : mapping.fields().keySet())
        if (name.length() > 3) {
          var fields = new LinkedHashMap<String, SyntaxNode>();
          mapping
              .fields()
              .forEach(
                  (n, v) -> fields.put(n.equals(name) ? n.substring(0, 1) + n.substring(2) : n, v));
          use.accept(new SyntaxNode.Mapping(fields, 1));
        }
    inner(node, (child, put) -> keys(child, changed -> use.accept(put.apply(changed))));
  }

  /** The document once for each value, with that replaced. */
  private static void values(SyntaxNode node, SyntaxNode by, Consumer<SyntaxNode> use) {
    inner(
        node,
        (child, put) -> {
          use.accept(put.apply(by));
          values(child, by, changed -> use.accept(put.apply(changed)));
        });
  }

  private static void inner(
      SyntaxNode node, BiConsumer<SyntaxNode, UnaryOperator<SyntaxNode>> use) {
    switch (node) {
      case SyntaxNode.Mapping mapping ->
          mapping
              .fields()
              .forEach((name, child) -> use.accept(child, it -> mapping.with(name, it)));
      case SyntaxNode.Sequence sequence -> {
        for (var i = 0; i < Math.min(3, sequence.items().size()); i++) {
          var at = i;
          use.accept(
              sequence.items().get(i),
              it -> {
                var items = new ArrayList<>(sequence.items());
                items.set(at, it);
                return new SyntaxNode.Sequence(items, 1);
              });
        }
      }
      default -> {}
    }
  }

  private static SyntaxNode text(String value) {
    return new SyntaxNode.Text(value, 1);
  }
}
