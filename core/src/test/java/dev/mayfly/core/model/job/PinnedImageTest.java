package dev.mayfly.core.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PinnedImageTest {
  private static final String DIGEST = "sha256:" + "0a".repeat(32);

  @Test
  void digestReplacesTagNotPort() {
    assertThat(new PinnedImage("ubuntu", DIGEST).name()).isEqualTo("ubuntu@" + DIGEST);
    assertThat(new PinnedImage("lab/x:1", DIGEST).name()).isEqualTo("lab/x@" + DIGEST);
    assertThat(new PinnedImage("localhost:5000/x", DIGEST).name())
        .isEqualTo("localhost:5000/x@" + DIGEST);
    assertThat(new PinnedImage("localhost:5000/x:1", DIGEST).name())
        .isEqualTo("localhost:5000/x@" + DIGEST);
  }

  @Test
  void malformedDigestOrImageIsInvalid() {
    assertThat(new PinnedImage("x:1", DIGEST).isValid()).isTrue();
    for (var odd :
        List.of("", "sha256:0A", DIGEST + "0", DIGEST.toUpperCase(java.util.Locale.ROOT)))
      assertThat(new PinnedImage("x:1", odd).isValid()).as(odd).isFalse();
    assertThat(new PinnedImage("x@" + DIGEST, DIGEST).isValid()).isFalse();
    assertThat(new PinnedImage("", DIGEST).isValid()).isFalse();
  }
}
