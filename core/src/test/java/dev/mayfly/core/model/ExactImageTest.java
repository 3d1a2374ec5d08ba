package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExactImageTest {
  private static final String DIGEST = "sha256:" + "0a".repeat(32);

  @Test
  void aTagGivesWayToTheDigestAndAPortDoesNot() {
    assertThat(new ExactImage("ubuntu", DIGEST).name()).isEqualTo("ubuntu@" + DIGEST);
    assertThat(new ExactImage("lab/x:1", DIGEST).name()).isEqualTo("lab/x@" + DIGEST);
    assertThat(new ExactImage("localhost:5000/x", DIGEST).name())
        .isEqualTo("localhost:5000/x@" + DIGEST);
    assertThat(new ExactImage("localhost:5000/x:1", DIGEST).name())
        .isEqualTo("localhost:5000/x@" + DIGEST);
  }

  @Test
  void whatIsNoDigestOrOfNoTagIsNotValid() {
    assertThat(new ExactImage("x:1", DIGEST).isValid()).isTrue();
    for (var odd :
        List.of("", "sha256:0A", DIGEST + "0", DIGEST.toUpperCase(java.util.Locale.ROOT)))
      assertThat(new ExactImage("x:1", odd).isValid()).as(odd).isFalse();
    assertThat(new ExactImage("x@" + DIGEST, DIGEST).isValid()).isFalse();
    assertThat(new ExactImage("", DIGEST).isValid()).isFalse();
  }
}
