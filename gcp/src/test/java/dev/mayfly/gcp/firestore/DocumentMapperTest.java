package dev.mayfly.gcp.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DocumentMapperTest {
  private static final Instant DOWN = Instant.parse("2026-01-31T10:00:00Z");

  private static Optional<Instant> expiry(LedgerDocument name) {
    return Optional.ofNullable(
            DocumentMapper.encode("x", name).getFieldsMap().get(DocumentMapper.EXPIRES))
        .map(at -> Instant.ofEpochSecond(at.getTimestampValue().getSeconds()));
  }

  @Test
  void nameWithoutClusterExpires() {
    assertThat(expiry(ClusterName.unused("lab").withDown(DOWN)))
        .hasValue(DOWN.plus(DocumentMapper.KEPT));
  }

  @Test
  void nameOfClusterStays() {
    assertThat(expiry(new ClusterName("lab", "c-1").withDown(DOWN))).isEmpty();
  }

  private static final DocumentKey.OfJobName SWEEP = DocumentKey.OfJobName.of("c-1", "ann/sweep");

  @Test
  void nameWithoutJobExpiresAfterItsNewestStop() {
    var stopped = JobName.unused(SWEEP).withStop(DOWN);

    assertThat(expiry(stopped)).hasValue(DOWN.plus(DocumentMapper.KEPT));
    assertThat(expiry(stopped.withStop(DOWN.plusSeconds(60))))
        .hasValue(DOWN.plusSeconds(60).plus(DocumentMapper.KEPT));
  }

  @Test
  void nameOfJobStays() {
    var stopped = JobName.unused(SWEEP).withStop(DOWN);

    assertThat(expiry(stopped.of("j-1", "h", true))).isEmpty();
    assertThat(expiry(stopped.of("j-1", "h", true).ended())).isEmpty();
  }
}
