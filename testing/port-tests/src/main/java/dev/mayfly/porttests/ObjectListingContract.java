package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of {@link ObjectStoreContract} about listings. */
abstract class ObjectListingContract {
  static final Map<String, String> NONE = Map.of();

  /** The store under test; it may be the same within a test. */
  protected abstract ObjectStore objects();

  /** An empty folder for this test only; its URL ends with a slash. */
  protected abstract ObjectUrl folder();

  /**
   * Puts objects whose names no {@link ObjectUrl} can express into the folder, bypassing the port,
   * as other users of the store can.
   *
   * @return these names as they are listed, below the folder; the store need not be able to keep
   *     them all
   */
  protected abstract List<String> putUnusable(List<String> names);

  @Test
  void listingIsInByteOrder() {
    // In UTF-16, Java's order, the last two are reversed.
    var names = List.of("a b/c", "a-b", "a/b", "a/c/d", "a0", "z", "é", "ﬀ", "🦟");
    names.reversed().forEach(n -> created(n, "x", NONE));

    assertThat(names(listed(folder()))).containsExactlyElementsOf(names);
  }

  @Test
  void aPrefixNeedNotEndAtASlash() {
    for (var name : List.of("in/a1", "in/a2/x", "in/b", "inner", "out")) created(name, "x", NONE);

    assertThat(names(listed(at("in/a")))).containsExactly("in/a1", "in/a2/x");
    assertThat(names(listed(at("in/")))).containsExactly("in/a1", "in/a2/x", "in/b");
    assertThat(names(listed(at("in")))).hasSize(4);
    assertThat(names(listed(at("in/a2/x")))).containsExactly("in/a2/x");
  }

  @Test
  void listingContinuesAfterAName() {
    for (var name : List.of("a", "b", "b-c", "c")) created(name, "x", NONE);

    assertThat(names(page(at("b").name(), 10).objects())).containsExactly("b-c", "c");
    assertThat(names(page(at("aa").name(), 1).objects())).containsExactly("b");
    assertThat(page(at("c").name(), 10).objects()).isEmpty();
    assertThat(page(at("c").name(), 10).next()).isEmpty();
  }

  @Test
  void pageHoldsAtMostItsLimit() {
    for (var name : List.of("a", "b", "c")) created(name, "x", NONE);

    var first = page("", 2);
    assertThat(names(first.objects())).containsExactly("a", "b");
    assertThat(first.next()).contains(at("b").name());
    assertThat(names(page("", 10).objects())).containsExactly("a", "b", "c");
    assertThat(page("", 10).next()).isEmpty();
    for (var none : List.of(0, -1))
      assertThatThrownBy(() -> page("", none)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void thousandsAreListedPageByPage() {
    var expected =
        IntStream.range(0, 1_100).mapToObj(i -> "f%d/part-%05d".formatted(i % 7, i)).toList();
    expected.parallelStream().forEach(n -> created(n, "x", NONE));

    assertThat(page("", 5_000).objects()).hasSizeLessThanOrEqualTo(1_000);
    assertThat(names(listed(folder()))).isEqualTo(expected.stream().sorted().toList());
  }

  @Test
  void unusableNamesAreSkippedAndReported() {
    for (var name : List.of("a", "n", "z")) created(name, "x", NONE);
    var wanted = List.of("a\tb", "m\u007f", "o/../notes.txt", "o/./x", "\u001b[2Jz");
    var unusable = putUnusable(wanted);

    assertThat(wanted).containsAll(unusable);
    for (var limit : List.of(1, 2, 1_000)) {
      var told = new ArrayList<String>();
      assertThat(names(listed(folder(), limit, told))).containsExactly("a", "n", "z");
      assertThat(told)
          .containsExactlyElementsOf(
              unusable.stream().map(n -> folder().name() + n).sorted(ObjectNames.ORDER).toList());
    }
  }

  @Test
  void replacedObjectIsListedOnce() {
    var first = created("x", "1", Map.of("a", "b"));
    objects().replace(at("x"), content("2"), Map.of("a", "c"), first.generation());
    objects().create(at("x"), content("3"), Map.of("a", "d"));

    assertThat(names(listed(folder()))).containsExactly("x");
  }

  private ObjectPage page(String after, int limit) {
    return objects().list(folder(), after, limit);
  }

  /** All pages. */
  protected final List<ObjectInfo> listed(ObjectUrl prefix) {
    return listed(prefix, 1_000, new ArrayList<>());
  }

  private List<ObjectInfo> listed(ObjectUrl prefix, int limit, List<String> unusable) {
    var found = new ArrayList<ObjectInfo>();
    for (var after = Optional.of(""); after.isPresent(); ) {
      var page = objects().list(prefix, after.get(), limit);
      var before = after.get();
      // Otherwise listing a store that restarts each page would never end.
      assertThat(page.next().filter(next -> ObjectNames.ORDER.compare(next, before) <= 0))
          .as("a page after '%s' that ends before it", before)
          .isEmpty();
      found.addAll(page.objects());
      unusable.addAll(page.unusable());
      after = page.next();
    }
    return found;
  }

  protected final ObjectUrl at(String name) {
    return folder().append(name);
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
