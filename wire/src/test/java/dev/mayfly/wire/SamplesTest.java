package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The samples of {@code schemas/samples}: valid documents, and the messages for invalid ones. With
 * {@code -Dsamples=write} the expected messages are rewritten, to be reviewed before they are
 * committed.
 */
class SamplesTest {
  private static final Path SAMPLES = Path.of("../schemas/samples");

  static List<Path> valid() throws IOException {
    return files("valid", "user-*.yaml");
  }

  static List<Path> invalid() throws IOException {
    return files("invalid", "*.yaml");
  }

  private static List<Path> files(String folder, String glob) throws IOException {
    try (var found = Files.newDirectoryStream(SAMPLES.resolve(folder), glob)) {
      var list = new java.util.ArrayList<Path>();
      found.forEach(list::add);
      assertThat(list).isNotEmpty();
      return list.stream().sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("valid")
  void aValidDocumentMeansTheSameOncePublished(Path file) throws IOException {
    var parsedDocument =
        UserDocuments.parse(Files.readAllBytes(file), file.getFileName().toString(), Map.of());

    for (var each : parsedDocument)
      assertThat(Wire.codec().commands(each.bytes()))
          .as(each.json())
          .containsExactly(each.command());
    var all = parsedDocument.stream().map(ParsedDocument::json).collect(Collectors.joining("\n"));
    assertThat(Wire.codec().commands(all.getBytes(UTF_8)))
        .isEqualTo(parsedDocument.stream().map(ParsedDocument::command).toList());
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void invalidDocumentGetsAllErrorsAtOnce(Path file) throws IOException {
    var expected = file.resolveSibling(file.getFileName().toString().replace(".yaml", ".txt"));
    var told = told(file) + "\n";
    if ("write".equals(System.getProperty("samples"))) Files.writeString(expected, told);

    assertThat(told).isEqualTo(Files.readString(expected));
  }

  private static String told(Path file) throws IOException {
    try {
      var parsedDocument =
          UserDocuments.parse(Files.readAllBytes(file), file.getFileName().toString(), Map.of());
      throw new AssertionError("is valid: " + parsedDocument);
    } catch (InvalidInputException e) {
      return e.problems().stream().map(Object::toString).collect(Collectors.joining("\n"));
    }
  }

  @Test
  void theSamplesOfCommandsHaveEveryKind() throws IOException {
    var kinds = new java.util.TreeSet<String>();
    for (var file : valid())
      UserDocuments.parse(Files.readAllBytes(file), "", Map.of()).forEach(p -> kinds.add(p.kind()));

    assertThat(kinds)
        .containsExactly(
            "AddTasks",
            "ChangeSchedule",
            "CloseJob",
            "Cluster",
            "Cordon",
            "DeleteSlice",
            "DownCluster",
            "DrainWorker",
            "FollowLogs",
            "Job",
            "JoinWorker",
            "ReshapeSlice",
            "RetryJob",
            "RetryTasks",
            "Slice",
            "StopJob",
            "StopTasks",
            "Uncordon");
  }
}
