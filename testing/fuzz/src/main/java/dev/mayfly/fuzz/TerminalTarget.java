package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;

/** Texts on a screen. No command reaches the terminal but the beginnings and ends of styles. */
final class TerminalTarget implements FuzzTarget {
  private static final Pattern STYLES = Pattern.compile("\u001b\\[(0|1|2|31|32|33)m");

  private record Named(String name) {}

  @Override
  public String name() {
    return "terminal";
  }

  @Override
  public List<byte[]> seeds() {
    return SeedCorpus.texts(
        "plain, grüße, 你好\tand a second\nline",
        "\u001b[31mred\u001b]0;title\u0007\u001b]52;c;YQ==\u001b\\\u001b[2J\u009b2J\u202e.txt",
        "\u001b\u001b[31m\u001b\u0007[2J\u001b[\u001b[31m2J\u001bc\r\u0008\u001b[38;5;1m\u001b]");
  }

  @Override
  public boolean accepts(byte[] input) {
    var text = new String(input, UTF_8);
    var plain = written(text, false);
    refuseCommands(plain);
    refuseCommands(STYLES.matcher(written(text, true)).replaceAll(""));
    var json = new String(Wire.shared().json(new Named(text)), UTF_8);
    refuseCommands(PrintableText.json(json));
    return plain.contains(text.strip());
  }

  private static String written(String text, boolean colour) {
    var bytes = new ByteArrayOutputStream();
    var stream = new PrintStream(bytes, true, UTF_8);
    var screen =
        new Screen(
            stream,
            stream,
            colour,
            colour,
            80,
            new ProgramName("mayfly", List.of()),
            () -> ZoneOffset.UTC);
    screen.line(screen.paint(Style.BAD, text));
    screen.note(text);
    return bytes.toString(UTF_8);
  }

  private static void refuseCommands(String text) {
    text.codePoints()
        .filter(c -> c != '\n' && c != '\t')
        .filter(c ->
            Character.isISOControl(c)
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069))
        .findFirst()
        .ifPresent(c -> {
          throw new IllegalStateException("a command of a terminal was written: " + c);
        });
  }
}
