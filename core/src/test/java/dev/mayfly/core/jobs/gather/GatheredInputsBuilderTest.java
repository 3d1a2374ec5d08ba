package dev.mayfly.core.jobs.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GatheredInputsBuilderTest {
  private static GatheredInputsBuilder builder(String beginning) {
    return new GatheredInputsBuilder("tasks.inputs.all", beginning);
  }

  private static ObjectInfo object(String url, long size) {
    return new ObjectInfo(ObjectUrl.of(url), 7, size, "crc", Map.of(), Instant.EPOCH);
  }

  private static List<String> names(GatheredInputsBuilder builder) {
    return builder.build("", Optional.empty()).objects().stream()
        .map(GatheredObject::name)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "gs://lab/out/, gs://lab/out/a.json, a.json",
    "gs://lab/out/part-, gs://lab/out/part-1, part-1",
    "gs://lab/runs/, gs://lab/runs/a/scores.json, a/scores.json",
    "gs://lab/, gs://lab/a//b, a/_/b",
    "gs://, gs://lab/a, lab/a",
    "file:///data/, file:///data/x/y.txt, x/y.txt"
  })
  void nameIsPathBelowCommonFolder(String beginning, String url, String name) {
    var builder = builder(beginning);

    builder.add(object(url, 1));

    assertThat(names(builder)).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource({"a, a/b", "a/b, a", "a/b/c, a/b", "a//b, a/_/b"})
  void objectsThatExcludeEachOtherAreRefused(String one, String other) {
    var builder = builder("gs://lab/");
    builder.add(object("gs://lab/" + one, 1));

    assertThatThrownBy(() -> builder.add(object("gs://lab/" + other, 1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("gs://lab/" + one + " and gs://lab/" + other)
        .hasMessageContaining("narrower pattern");
  }

  @Test
  void folderIsNamedByItsOutput() {
    var builder = builder("gs://lab/out/");

    builder.addFolder(object("gs://lab/out/3/index.json", 1), "gs://lab/out/3");

    assertThat(builder.build("", Optional.empty()).objects())
        .containsExactly(new GatheredObject("3", "gs://lab/out/3/index.json", 7, 1, "crc", true));
  }

  @Test
  void tooManyObjectsAreRefused() {
    var builder = builder("gs://lab/out/");
    for (var i = 0; i < GatheredInputs.MOST_OBJECTS; i++)
      builder.add(object("gs://lab/out/" + i, 1));

    assertThatThrownBy(() -> builder.add(object("gs://lab/out/more", 1)))
        .hasMessageContaining("more than 20,000 objects");
  }

  @Test
  void tooManyBytesAreRefused() {
    var builder = builder("gs://lab/out/");
    builder.add(object("gs://lab/out/a", GatheredInputs.MOST_BYTES));

    assertThatThrownBy(() -> builder.add(object("gs://lab/out/b", 1)))
        .hasMessageContaining("more than 1,024 GiB");
  }
}
