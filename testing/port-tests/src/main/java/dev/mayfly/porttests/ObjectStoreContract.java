package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectStore.Creation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link ObjectStore}: listings by {@link ObjectListingContract}, changes by {@link
 * ObjectChangesContract}, and single objects here.
 */
public abstract class ObjectStoreContract extends ObjectChangesContract {
  @Test
  void whatWasCreatedIsThere() {
    var info = created("a.txt", "hello", NONE);

    assertThat(text("a.txt")).isEqualTo("hello");
    assertThat(find("a.txt")).isEqualTo(info);
    assertThat(info.size()).isEqualTo(5);
    assertThat(info.generation()).isPositive();
    assertThat(info.url()).isEqualTo(at("a.txt"));
  }

  @Test
  void missingObjectIsEmptyResult() {
    assertThat(objects().find(at("nothing"))).isEmpty();
    assertThat(objects().read(at("nothing"), 10)).isEmpty();
    assertThat(objects().open(at("nothing"))).isEmpty();
    assertThat(objects().find(at("no/such/folder/x"))).isEmpty();
    assertThat(listed(at("nothing"))).isEmpty();
    assertThat(objects().delete(at("nothing"), 1)).isFalse();
  }

  @Test
  void aSecondCreationChangesNothing() {
    var first = created("a", "first", Map.of("by", "1"));

    var second = objects().create(at("a"), content("second"), Map.of("by", "2"));

    assertThat(second).isEqualTo(new Creation.Exists(first));
    assertThat(text("a")).isEqualTo("first");
    assertThat(find("a")).isEqualTo(first);
  }

  @Test
  void repeatedCreationAfterLostReplyIsOurs() {
    var metadata = Map.of("attempt", "job-7-1", "exit-code", "0");
    var first = created("a", "same", metadata);

    assertThat(objects().create(at("a"), content("same"), metadata))
        .isEqualTo(new Creation.Created(first));
  }

  @Test
  void equalContentOfAnotherAttemptIsNotOurs() {
    var first = created("a", "same", Map.of("attempt", "1"));

    assertThat(objects().create(at("a"), content("same"), Map.of("attempt", "2")))
        .isEqualTo(new Creation.Exists(first));
    assertThat(objects().create(at("a"), content("same"), NONE))
        .isEqualTo(new Creation.Exists(first));
  }

  @Test
  void recreatedObjectIsNewGeneration() {
    var first = created("a", "x", Map.of("n", "1"));
    objects().delete(at("a"), first.generation());
    var second = created("a", "x", NONE);

    assertThat(second.generation()).isNotEqualTo(first.generation());
    assertThat(second.metadata()).isEmpty();
  }

  @Test
  void metadataRoundTrips() {
    var metadata =
        Map.of("job", "j-1", "Attempt", "2", "empty", "", "text", "Zürich ☃ = \"x\"\n%2F");
    created("a", "x", metadata);

    assertThat(find("a").metadata()).isEqualTo(metadata);
    assertThat(listed(at("a")).getFirst().metadata()).isEqualTo(metadata);
  }

  @Test
  void theChecksumIsThatOfTheContent() {
    var crc = new CRC32C();
    crc.update("checked".getBytes(UTF_8));
    var bytes = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    var expected = Base64.getEncoder().encodeToString(bytes);

    assertThat(created("a", "checked", NONE).crc32c()).isEqualTo(expected);
    assertThat(find("a").crc32c()).isEqualTo(expected);
    assertThat(listed(at("a")).getFirst().crc32c()).isEqualTo(expected);
  }

  @Test
  void anEmptyObjectIsAnObject() throws IOException {
    var info = created("empty", "", Map.of("n", "1"));

    assertThat(info.size()).isZero();
    assertThat(text("empty")).isEmpty();
    try (var in = objects().open(at("empty")).orElseThrow()) {
      assertThat(in.readAllBytes()).isEmpty();
    }
    assertThat(objects().create(at("empty"), content("x"), NONE))
        .isInstanceOf(Creation.Exists.class);
  }

  @Test
  void readingStopsAtTheCap() {
    created("a", "12345", NONE);

    assertThat(objects().read(at("a"), 5)).contains("12345".getBytes(UTF_8));
    assertThatThrownBy(() -> objects().read(at("a"), 4))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(at("a").toString());
  }

  @Test
  protected void bigObjectsStream() throws IOException {
    var bytes = new byte[(8 << 20) + 4321];
    new Random(7).nextBytes(bytes);

    var info = objects().create(at("big"), Content.of(bytes), Map.of("n", "1")).info();

    assertThat(info.size()).isEqualTo(bytes.length);
    assertThat(find("big")).isEqualTo(info);
    try (var in = objects().open(at("big")).orElseThrow()) {
      assertThat(Arrays.equals(in.readAllBytes(), bytes)).isTrue();
    }
    assertThat(objects().create(at("big"), Content.of(bytes), Map.of("n", "1")))
        .isEqualTo(new Creation.Created(info));
    assertThat(objects().create(at("big"), Content.of(bytes), Map.of("n", "2")))
        .isEqualTo(new Creation.Exists(info));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b.txt",
        "ü/ß☃.txt",
        "100%.txt",
        "a%2Fb",
        "a+b",
        "c#d",
        "q?x=1&y=2",
        "日本/語",
        "...",
        "-",
        "~x",
        "a:b;c,d",
        "'\"<>|*",
        "\\",
        "🦟",
        "deep/er/and/deep/er/x",
        ".hidden",
        "x.COMPLETE"
      })
  void anyNameIsKept(String name) {
    var info = created(name, name, Map.of("name", name));

    assertThat(text(name)).isEqualTo(name);
    assertThat(find(name)).isEqualTo(info);
    assertThat(listed(folder())).containsExactly(info);
    assertThat(objects().delete(at(name), info.generation())).isTrue();
    assertThat(listed(folder())).isEmpty();
  }
}
