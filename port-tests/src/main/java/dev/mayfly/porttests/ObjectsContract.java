package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Objects.Content;
import dev.mayfly.core.port.Objects.Creation;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every object store owes those who call {@link Objects}. */
public abstract class ObjectsContract {
  private static final Map<String, String> NONE = Map.of();

  /** The store; every call within one test may get the same one. */
  protected abstract Objects objects();

  /** An empty place of this test's own, ending with a slash. */
  protected abstract Url folder();

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
  void whatIsNotThereIsEmptyAndNoError() {
    assertThat(objects().find(at("nothing"))).isEmpty();
    assertThat(objects().read(at("nothing"), 10)).isEmpty();
    assertThat(objects().open(at("nothing"))).isEmpty();
    assertThat(objects().find(at("no/such/folder/x"))).isEmpty();
    assertThat(objects().list(at("nothing"), "", 10)).isEmpty();
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
  void aCreationThatIsRepeatedBecauseItsReplyWasLostIsOurs() {
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
  void ofManyWhoCreateOneSucceeds() throws Exception {
    var start = new CountDownLatch(1);
    try (var pool = Executors.newFixedThreadPool(8)) {
      var calls =
          IntStream.range(0, 8).mapToObj(i -> pool.submit(racer(start, "racer " + i))).toList();
      start.countDown();
      var results = new ArrayList<Creation>();
      for (var call : calls) results.add(call.get());

      assertThat(results).filteredOn(r -> r instanceof Creation.Created).hasSize(1);
      assertThat(results).extracting(Creation::info).containsOnly(find("race"));
    }
  }

  private Callable<Creation> racer(CountDownLatch start, String text) {
    return () -> {
      start.await();
      return objects().create(at("race"), content(text), Map.of("by", text));
    };
  }

  @Test
  void replacingMakesAnotherGeneration() {
    var first = created("a", "one", Map.of("n", "1"));
    var second = objects().replace(at("a"), content("two"), Map.of("n", "2"));
    var third = objects().replace(at("a"), content("two"), Map.of("n", "2"));

    assertThat(List.of(first.generation(), second.generation(), third.generation()))
        .doesNotHaveDuplicates();
    assertThat(text("a")).isEqualTo("two");
    assertThat(find("a")).isEqualTo(third);
    assertThat(third.metadata()).isEqualTo(Map.of("n", "2"));
  }

  @Test
  void replacingCreatesWhatIsMissing() {
    var info = objects().replace(at("new/a"), content("x"), NONE);

    assertThat(find("new/a")).isEqualTo(info);
  }

  @Test
  void deletingTakesOnlyTheGenerationThatWasMeant() {
    var old = created("a", "one", NONE);
    var now = objects().replace(at("a"), content("two"), NONE);

    assertThat(objects().delete(at("a"), old.generation())).isFalse();
    assertThat(text("a")).isEqualTo("two");
    assertThat(objects().delete(at("a"), now.generation())).isTrue();
    assertThat(objects().find(at("a"))).isEmpty();
    assertThat(objects().delete(at("a"), now.generation())).isFalse();
  }

  @Test
  void whatIsMadeAgainAfterADeletionIsAnotherGeneration() {
    var first = created("a", "x", Map.of("n", "1"));
    objects().delete(at("a"), first.generation());
    var second = created("a", "x", NONE);

    assertThat(second.generation()).isNotEqualTo(first.generation());
    assertThat(second.metadata()).isEmpty();
  }

  @Test
  void metadataComesBackAsItWasGiven() {
    var metadata =
        Map.of("job", "j-1", "Attempt", "2", "empty", "", "text", "Zürich ☃ = \"x\"\n%2F");
    created("a", "x", metadata);

    assertThat(find("a").metadata()).isEqualTo(metadata);
    assertThat(objects().list(at("a"), "", 10).getFirst().metadata()).isEqualTo(metadata);
  }

  @Test
  void theChecksumIsThatOfTheContent() {
    var crc = new CRC32C();
    crc.update("checked".getBytes(UTF_8));
    var bytes = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    var expected = Base64.getEncoder().encodeToString(bytes);

    assertThat(created("a", "checked", NONE).crc32c()).isEqualTo(expected);
    assertThat(find("a").crc32c()).isEqualTo(expected);
    assertThat(objects().list(at("a"), "", 1).getFirst().crc32c()).isEqualTo(expected);
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
        .isInstanceOf(Invalid.class)
        .hasMessageContaining(at("a").toString());
  }

  @Test
  void bigObjectsStream() throws IOException {
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
    assertThat(objects().list(folder(), "", 10)).containsExactly(info);
    assertThat(objects().delete(at(name), info.generation())).isTrue();
    assertThat(objects().list(folder(), "", 10)).isEmpty();
  }

  @Test
  void aListingIsInTheOrderOfBytesNotOfFolders() {
    // UTF-16, in which Java compares, has the last two the other way round.
    var names = List.of("a b/c", "a-b", "a/b", "a/c/d", "a0", "z", "é", "ﬀ", "🦟");
    names.reversed().forEach(n -> created(n, "x", NONE));

    assertThat(names(objects().list(folder(), "", 1_000))).containsExactlyElementsOf(names);
  }

  @Test
  void aPrefixNeedNotEndAtASlash() {
    for (var name : List.of("in/a1", "in/a2/x", "in/b", "inner", "out")) created(name, "x", NONE);

    assertThat(names(objects().list(at("in/a"), "", 10))).containsExactly("in/a1", "in/a2/x");
    assertThat(names(objects().list(at("in/"), "", 10)))
        .containsExactly("in/a1", "in/a2/x", "in/b");
    assertThat(names(objects().list(at("in"), "", 10))).hasSize(4);
    assertThat(names(objects().list(at("in/a2/x"), "", 10))).containsExactly("in/a2/x");
  }

  @Test
  void aListingGoesOnAfterAName() {
    for (var name : List.of("a", "b", "b-c", "c")) created(name, "x", NONE);

    assertThat(names(objects().list(folder(), at("b").name(), 10))).containsExactly("b-c", "c");
    assertThat(names(objects().list(folder(), at("aa").name(), 1))).containsExactly("b");
    assertThat(objects().list(folder(), at("c").name(), 10)).isEmpty();
  }

  @Test
  void thousandsAreListedPageByPage() {
    var expected =
        IntStream.range(0, 1_100).mapToObj(i -> "f%d/part-%05d".formatted(i % 7, i)).toList();
    expected.parallelStream().forEach(n -> created(n, "x", NONE));

    var found = new ArrayList<String>();
    var after = "";
    for (var page = page(after); ; page = page(after)) {
      found.addAll(names(page));
      if (page.size() < 1_000) break;
      after = page.getLast().url().name();
    }

    assertThat(found).isEqualTo(expected.stream().sorted().toList());
  }

  @Test
  void aFileThatStandsForItselfIsNotListedTwice() {
    created("x", "1", Map.of("a", "b"));
    objects().replace(at("x"), content("2"), Map.of("a", "c"));
    objects().create(at("x"), content("3"), Map.of("a", "d"));

    assertThat(names(objects().list(folder(), "", 10))).containsExactly("x");
  }

  private List<ObjectInfo> page(String after) {
    return objects().list(folder(), after, 1_000);
  }

  protected final Url at(String name) {
    return folder().plus(name);
  }

  protected final ObjectInfo created(String name, String text, Map<String, String> metadata) {
    var result = objects().create(at(name), content(text), metadata);
    assertThat(result).isInstanceOf(Creation.Created.class);
    return result.info();
  }

  protected final ObjectInfo find(String name) {
    return objects().find(at(name)).orElseThrow();
  }

  protected final String text(String name) {
    return new String(objects().read(at(name), 1 << 20).orElseThrow(), UTF_8);
  }

  protected static Content content(String text) {
    return Content.of(text.getBytes(UTF_8));
  }

  private List<String> names(List<ObjectInfo> infos) {
    return infos.stream().map(i -> i.url().name().substring(folder().name().length())).toList();
  }
}
