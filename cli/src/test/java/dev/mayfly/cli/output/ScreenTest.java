package dev.mayfly.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String HOSTILE =
      "a\u001b[31mb\u001b]52;c;YQ==\u0007c\u009b2J\u202ed\u001b[2J";
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private Screen screen(boolean colour) {
    var stream = new PrintStream(written, true, UTF_8);
    return TestScreen.of(stream, stream, colour, colour, 80);
  }

  private String written() {
    return written.toString(UTF_8);
  }

  @Test
  void noWayToTheTerminalKeepsItsCommands() {
    var screen = screen(false);

    screen.line(HOSTILE);
    screen.say(HOSTILE);
    screen.lines(List.of(HOSTILE));
    screen.note(HOSTILE);
    screen.toStderr().line(HOSTILE);

    assertThat(written().lines()).hasSize(5).allMatch("abc2Jd"::equals);
  }

  @Test
  void stylesOfMayflysOwnRemain() {
    var screen = screen(true);

    screen.line(screen.paint(Style.BAD, "bad") + "\u001b[5m" + HOSTILE);

    assertThat(written().strip()).isEqualTo("\u001b[31mbad\u001b[0ma\u001b[31mbc2Jd");
  }

  @Test
  void jsonKeepsItsValueWithoutCommands() {
    assertThat(PrintableText.json("{\"name\":\"x\u009b2J\u202ey\u007f\"}\n"))
        .isEqualTo("{\"name\":\"x\\u009b2J\\u202ey\\u007f\"}\n");
  }
}
