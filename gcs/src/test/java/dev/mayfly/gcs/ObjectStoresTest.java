package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Users must not name a function's local files. */
class ObjectStoresTest {
  private final ObjectStore objectStore = ObjectStores.withoutFiles(StoreSettings.from(Map.of()));
  private final ObjectUrl file = ObjectUrl.of("file:///etc/passwd");

  @Test
  void rejectsFileUrlsWithRemedy() {
    var content = ObjectStore.Content.of(new byte[1]);
    var calls =
        List.<ThrowingCallable>of(
            () -> objectStore.find(file),
            () -> objectStore.read(file, 10),
            () -> objectStore.open(file),
            () -> objectStore.create(file, content, Map.of()),
            () -> objectStore.replace(file, content, Map.of(), 1),
            () -> objectStore.delete(file, 1),
            () -> objectStore.list(ObjectUrl.of("file:///etc/"), "", 10));

    for (var call : calls)
      assertThatThrownBy(call)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("gs://BUCKET/NAME");
  }

  @Test
  void reachesBucketsOnly() {
    assertThat(objectStore.reaches(file)).isFalse();
    assertThat(objectStore.reaches(ObjectUrl.of("gs://lab/a"))).isTrue();
    assertThat(ObjectStores.of(Map.of()).reaches(file)).isTrue();
  }
}
