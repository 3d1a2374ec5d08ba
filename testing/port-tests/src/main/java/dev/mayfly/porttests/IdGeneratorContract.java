package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.IdGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link IdGenerator}. */
public abstract class IdGeneratorContract {
  /** The generator under test; always the same. */
  protected abstract IdGenerator ids();

  @Test
  void nameHasRequestedLengthAndStartsWithLetter() {
    for (var length : new int[] {1, 2, 6, 20})
      for (var i = 0; i < 50; i++)
        assertThat(ids().next(length)).hasSize(length).matches("[a-z][a-z0-9]*");
  }

  @Test
  void namesAndSecretsDiffer() {
    assertThat(IntStream.range(0, 500).mapToObj(i -> ids().next(12))).doesNotHaveDuplicates();
    assertThat(IntStream.range(0, 500).mapToObj(i -> ids().secret())).doesNotHaveDuplicates();
  }

  @Test
  void aSecretIs128BitsInHex() {
    for (var i = 0; i < 50; i++) assertThat(ids().secret()).matches("[0-9a-f]{32}");
  }
}
