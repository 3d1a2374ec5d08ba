package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectStore.Replacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of {@link ObjectStoreContract} about concurrent creation, replacement and deletion. */
abstract class ObjectChangesContract extends ObjectListingContract {
  @Test
  void oneOfManyCreatorsSucceeds() throws Exception {
    var results =
        atOnce(
            8,
            i -> objects().create(at("race"), content("racer " + i), Map.of("by", "racer " + i)));

    assertThat(results).filteredOn(r -> r instanceof Creation.Created).hasSize(1);
    assertThat(results).extracting(Creation::info).containsOnly(find("race"));
  }

  private static <T> List<T> atOnce(int many, IntFunction<T> call) throws Exception {
    var start = new CountDownLatch(1);
    try (var pool = Executors.newFixedThreadPool(many)) {
      var calls =
          IntStream.range(0, many)
              .mapToObj(i ->
                  pool.submit(() -> {
                    start.await();
                    return call.apply(i);
                  }))
              .toList();
      start.countDown();
      var results = new ArrayList<T>();
      for (var each : calls) results.add(each.get());
      return results;
    }
  }

  private ObjectInfo replaced(
      String name, String text, Map<String, String> metadata, ObjectInfo seen) {
    var result = objects().replace(at(name), content(text), metadata, seen.generation());
    assertThat(result).isInstanceOf(Replacement.Replaced.class);
    return ((Replacement.Replaced) result).info();
  }

  @Test
  void replacingMakesAnotherGeneration() {
    var first = created("a", "one", Map.of("n", "1"));
    var second = replaced("a", "two", Map.of("n", "2"), first);
    var third = replaced("a", "two", Map.of("n", "2"), second);

    assertThat(List.of(first.generation(), second.generation(), third.generation()))
        .doesNotHaveDuplicates();
    assertThat(text("a")).isEqualTo("two");
    assertThat(find("a")).isEqualTo(third);
    assertThat(third.metadata()).isEqualTo(Map.of("n", "2"));
  }

  @Test
  void replacingNeedsExpectedGeneration() {
    var seen = created("a", "one", NONE);
    var now = replaced("a", "two", Map.of("by", "another"), seen);

    assertThat(objects().replace(at("a"), content("mine"), NONE, seen.generation()))
        .isEqualTo(new Replacement.Changed(Optional.of(now)));
    assertThat(text("a")).isEqualTo("two");
    assertThat(find("a")).isEqualTo(now);
  }

  @Test
  void repeatedReplacementIsOursAndChangesNothing() {
    var seen = created("a", "one", NONE);
    var metadata = Map.of("attempt", "job-7-1");
    var now = replaced("a", "two", metadata, seen);

    assertThat(objects().replace(at("a"), content("two"), metadata, seen.generation()))
        .isEqualTo(new Replacement.Replaced(now));
    assertThat(objects().replace(at("a"), content("two"), NONE, seen.generation()))
        .isEqualTo(new Replacement.Changed(Optional.of(now)));
  }

  @Test
  void replacingMissingObjectCreatesNothing() {
    var seen = created("a", "one", NONE);
    objects().delete(at("a"), seen.generation());

    for (var name : List.of("a", "no/such/folder/a"))
      assertThat(objects().replace(at(name), content("two"), NONE, seen.generation()))
          .isEqualTo(new Replacement.Changed(Optional.empty()));
    assertThat(objects().find(at("a"))).isEmpty();
  }

  @Test
  void oneOfManyRivalsReplacesAGeneration() throws Exception {
    for (var round = 0; round < 20; round++) {
      var name = "rivals-" + round;
      var seen = created(name, "foreign", NONE);
      var results = atOnce(8, i -> rival(name, seen, i));

      assertThat(results).filteredOn(r -> r instanceof Replacement.Replaced).hasSize(1);
      assertThat(results).allSatisfy(r -> assertThat(after(r)).contains(find(name)));
    }
  }

  private Replacement rival(String name, ObjectInfo seen, int i) {
    var mine = Map.of("by", "rival " + i);
    return objects().replace(at(name), content("by " + i), mine, seen.generation());
  }

  private static Optional<ObjectInfo> after(Replacement result) {
    return switch (result) {
      case Replacement.Replaced replaced -> Optional.of(replaced.info());
      case Replacement.Changed changed -> changed.there();
    };
  }

  @Test
  void replacementAndDeletionOfAGenerationExcludeEachOther() throws Exception {
    for (var round = 0; round < 20; round++) {
      var name = "ends-" + round;
      var seen = created(name, "foreign", NONE);
      var results =
          atOnce(
              4,
              i ->
                  i % 2 == 0
                      ? rival(name, seen, i) instanceof Replacement.Replaced
                      : objects().delete(at(name), seen.generation()));

      assertThat(results).filteredOn(won -> won).hasSize(1);
    }
  }

  @Test
  void deletingNeedsExpectedGeneration() {
    var old = created("a", "one", NONE);
    var now = replaced("a", "two", NONE, old);

    assertThat(objects().delete(at("a"), old.generation())).isFalse();
    assertThat(text("a")).isEqualTo("two");
    assertThat(objects().delete(at("a"), now.generation())).isTrue();
    assertThat(objects().find(at("a"))).isEmpty();
    assertThat(objects().delete(at("a"), now.generation())).isFalse();
  }
}
