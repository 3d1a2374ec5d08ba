package dev.mayfly.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs of this computer whose words are told, and not shown as they are. */
@Timeout(60)
class ForegroundProcessTest {
  private final List<String> errors = Collections.synchronizedList(new ArrayList<>());

  @Test
  void errorsAreLinesBesideTheOutput() {
    var captured = capture("printf 'a\\r\\nb\\n\\nlast' >&2; printf out; exit 3");

    assertThat(captured).isEqualTo(new ForegroundProcess.Captured(3, "out"));
    assertThat(errors).containsExactly("a", "b", "last");
  }

  @Test
  void endlessLineIsToldInPieces() {
    var captured = capture("head -c 20000 /dev/zero | tr '\\0' x >&2");

    assertThat(captured.code()).isZero();
    assertThat(errors).hasSize(3).allMatch(line -> line.length() <= 8_192);
  }

  private ForegroundProcess.Captured capture(String script) {
    return ForegroundProcess.capture(new LocalProgram(List.of("sh", "-c", script)), errors::add);
  }
}
