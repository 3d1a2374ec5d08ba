package dev.mayfly.cli.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A folder of programs that keep their arguments, as the only PATH of a command. */
final class StandIn {
  private final Path folder;
  private final Map<String, String> env = new HashMap<>();
  private Instant now = Instant.parse("2026-01-31T12:00:00Z");
  final ByteArrayOutputStream out = new ByteArrayOutputStream();

  StandIn(Path folder) {
    this.folder = folder;
    env.put("PATH", folder.toString());
  }

  StandIn with(String variable, String value) {
    env.put(variable, value);
    return this;
  }

  /** Adds a program; {@code $calls} is the file that keeps the arguments. */
  void program(String name, String script) throws IOException {
    var file = folder.resolve(name);
    Files.writeString(
        file,
        """
        #!/bin/sh
        calls=%1$s/calls
        { printf '%%s' "%2$s"; for word; do printf '\\t%%s' "$word"; done; echo; } >>"$calls"
        %3$s
        """
            .formatted(folder, name, script));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** The calls so far: a program's name and its arguments. */
  List<List<String>> calls() throws IOException {
    var file = folder.resolve("calls");
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(l -> Arrays.asList(l.split("\t", -1))).toList()
        : List.of();
  }

  int mayfly(String... line) {
    out.reset();
    var stream = new PrintStream(out, true, UTF_8);
    var poller = new ConditionPoller(() -> now, span -> now = now.plus(span));
    var screen = TestScreen.plain(stream, stream, 400);
    return Main.run(new CliContext(env, screen, poller, () -> "id", folder), line);
  }

  String said() {
    return out.toString(UTF_8);
  }
}
