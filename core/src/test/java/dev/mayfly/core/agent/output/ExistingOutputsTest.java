package dev.mayfly.core.agent.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ObjectUrl;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExistingOutputsTest {
  private final MemoryObjectStore objects = new MemoryObjectStore();

  /** A listing between them would cover the whole disk. */
  @Test
  void unrelatedFoldersAreNotListed() {
    var done = ObjectUrl.of("file:///a/0.txt");
    objects.put("file:///a/0.txt.COMPLETE", "", Map.of());

    var found = ExistingOutputs.of(objects, List.of(done, ObjectUrl.of("file:///b/1.txt")));

    assertThat(found.sealed().keySet()).containsExactly(done);
    assertThat(found.outputs()).isEmpty();
  }

  /** Java's string order and the store's order differ for these two. */
  @Test
  void outputsAreMergedInTheStoresOrder() {
    var letter = ObjectUrl.of("gs://lab/out/Ａ0000");
    var fly = ObjectUrl.of("gs://lab/out/🦟1");
    for (var i = 0; i < 3_500; i++) objects.put("gs://lab/out/Ａ%04d".formatted(i), "", Map.of());
    for (var output : List.of(letter, fly)) objects.put(output + ".COMPLETE", "", Map.of());

    assertThat(ExistingOutputs.of(objects, List.of(letter, fly)).sealed().keySet())
        .containsExactlyInAnyOrder(letter, fly);
  }
}
