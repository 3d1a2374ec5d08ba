package dev.mayfly.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.Url;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputListingTest {
  private final MemoryObjects objects = new MemoryObjects();

  /** Between them lies everything that the disk has. */
  @Test
  void outputsInFoldersWithNothingInCommonAreNotListed() {
    var done = Url.of("file:///a/0.txt");
    objects.put("file:///a/0.txt.COMPLETE", "", Map.of());

    var found = OutputListing.of(objects, List.of(done, Url.of("file:///b/1.txt")));

    assertThat(found.sealed()).containsExactly(done);
    assertThat(found.outputs()).isEmpty();
  }
}
