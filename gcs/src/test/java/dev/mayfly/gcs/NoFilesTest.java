package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The disk of a function has nothing that a user may name. */
class NoFilesTest {
  private final Objects objects = ObjectStores.withoutFiles(StoreSettings.from(Map.of()));
  private final Url file = Url.of("file:///etc/passwd");

  @Test
  void everyCallForFileIsRefusedWithRemedy() {
    var content = Objects.Content.of(new byte[1]);
    var calls =
        List.<ThrowingCallable>of(
            () -> objects.find(file),
            () -> objects.read(file, 10),
            () -> objects.open(file),
            () -> objects.create(file, content, Map.of()),
            () -> objects.replace(file, content, Map.of(), 1),
            () -> objects.delete(file, 1),
            () -> objects.list(Url.of("file:///etc/"), "", 10));

    for (var call : calls)
      assertThatThrownBy(call).isInstanceOf(Invalid.class).hasMessageContaining("gs://BUCKET/NAME");
  }

  @Test
  void onlyBucketsAreReached() {
    assertThat(objects.reaches(file)).isFalse();
    assertThat(objects.reaches(Url.of("gs://lab/a"))).isTrue();
    assertThat(ObjectStores.of(Map.of()).reaches(file)).isTrue();
  }
}
