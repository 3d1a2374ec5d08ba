package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a log says of small uploads that are sent again. */
class ResentUploadsTest {
  private static final ObjectUrl URL = ObjectUrl.of("gs://lab/out/1");
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final ResentUploads resentUploads = new ResentUploads();

  @Test
  void othersAreToldOnceAMinute() {
    var start = -5 * MINUTE;

    assertThat(resentUploads.add(URL, "HTTP status 503", start))
        .contains("a small upload is sent again: gs://lab/out/1: HTTP status 503");
    assertThat(resentUploads.add(URL, "HTTP status 503", start + 1)).isEmpty();
    assertThat(resentUploads.add(URL, "HTTP status 503", start + MINUTE - 1)).isEmpty();
    assertThat(resentUploads.add(URL, "HTTP status 429", start + MINUTE))
        .contains("3 small uploads were sent again, the last one gs://lab/out/1: HTTP status 429");
  }

  @Test
  void refusalsThatTheOfficialClientTellsAreNoRepeats() {
    assertThat(DirectUpload.isPassing(503)).isTrue();
    assertThat(DirectUpload.isPassing(429)).isTrue();
    assertThat(DirectUpload.isPassing(401)).isTrue();
    assertThat(DirectUpload.isPassing(403)).isFalse();
    assertThat(DirectUpload.isPassing(404)).isFalse();
  }
}
