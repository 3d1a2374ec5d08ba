package dev.mayfly.arch.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the locale, Java reads arguments and names of files as UTF-8. */
class LocaleScriptTest {
  /** The programs that get arguments or names of files from people. */
  private static final List<String> STARTS =
      List.of("mayfly", "cli/src/bundle/mayfly", "node-agent/src/bundle/agent");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX", "de_DE.ISO-8859-1", "xx_XX.UTF-8", ""})
  void aLocaleWithoutUtf8IsReplaced(String name) throws Exception {
    for (var shell : List.of("bash", "sh"))
      assertThat(sourced(shell, Map.of("LC_ALL", name, "LANG", "C"))).matches("C\\.(UTF-8|utf8)");
  }

  @Test
  void aLocaleOfUtf8StaysAsItIs() throws Exception {
    assertThat(sourced("sh", Map.of("LANG", "C.UTF-8"))).isEmpty();
    assertThat(sourced("sh", Map.of("LC_ALL", "C.UTF-8", "LANG", "C"))).isEqualTo("C.UTF-8");
  }

  @Test
  void aMachineWithoutTheProgramLocaleHasUtf8Too() throws Exception {
    assertThat(sourced("sh", Map.of("LANG", "C", "PATH", folder.toString()))).isEqualTo("C.UTF-8");
  }

  @Test
  void everyProgramThatStartsJavaForPeopleUsesIt() throws IOException {
    for (var script : STARTS) {
      var text = Files.readString(Sources.ROOT.resolve(script));
      assertThat(text.indexOf("/utf8-locale.sh\""))
          .as(script)
          .isBetween(0, text.indexOf("exec \"$"));
    }
  }

  private String sourced(String shell, Map<String, String> environment) throws Exception {
    // What a program finds that is started then, as Java is.
    var script = "set -eu; . %s; exec /bin/sh -c 'echo \"${LC_ALL-}\"'";
    var builder =
        new ProcessBuilder(
            "/bin/" + shell, "-c", script.formatted(Sources.ROOT.resolve(".mvn/utf8-locale.sh")));
    builder.environment().keySet().removeIf(it -> it.startsWith("LC_") || it.startsWith("LANG"));
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    var process = builder.start();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    return printed;
  }
}
