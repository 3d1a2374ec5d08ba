package dev.mayfly.gcp.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.ClusterName;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DocumentMapperTest {
  private static final Instant DOWN = Instant.parse("2026-01-31T10:00:00Z");

  @Test
  void nameWithoutClusterExpires() {
    var fields =
        DocumentMapper.encode("x", ClusterName.unused("lab").withDown(DOWN)).getFieldsMap();

    assertThat(fields.get(DocumentMapper.EXPIRES).getTimestampValue().getSeconds())
        .isEqualTo(DOWN.plus(DocumentMapper.KEPT).getEpochSecond());
  }

  @Test
  void nameOfClusterStays() {
    var name = new ClusterName("lab", "c-1").withDown(DOWN);

    assertThat(DocumentMapper.encode("x", name).getFieldsMap())
        .doesNotContainKey(DocumentMapper.EXPIRES);
  }
}
