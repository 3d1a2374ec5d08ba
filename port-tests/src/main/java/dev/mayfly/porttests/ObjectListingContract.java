package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Objects.Content;
import dev.mayfly.core.port.Objects.Creation;
import dev.mayfly.core.port.Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every object store owes those who list it. {@link ObjectsContract} is the whole of it. */
abstract class ObjectListingContract {
  static final Map<String, String> NONE = Map.of();

  /** The store; every call within one test may get the same one. */
  protected abstract Objects objects();

  /** An empty place of this test's own, ending with a slash. */
  protected abstract Url folder();

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
