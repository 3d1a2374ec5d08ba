package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bundles are built only on their target platform. */
@Timeout(120)
class BundleScriptsTest {
  @TempDir Path fake;

  @ParameterizedTest
  @CsvSource({
    "node-agent/bundle, Linux aarch64",
    "node-agent/bundle, Darwin arm64",
    "functions/bundle, Linux aarch64",
    "functions/bundle, Darwin x86_64",
  })
  void bundlesAreRefusedWhereTheyWouldNotRun(String script, String machine) throws Exception {
    program("uname", "echo '" + machine + "'");
    // Nothing may be built: it would take minutes, and fail at the end.
    program("mvn", "echo 'built it'");

    var ran = run(script);

    assertThat(ran.code()).isEqualTo(69);
    assertThat(ran.output())
        .contains(script + ": this machine is " + machine, "Linux x86_64", "Cloud Shell")
        .doesNotContain("built it");
  }

  private record Ran(int code, String output) {}

  private Ran run(String script) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(TerraformConfig.ROOT.resolve(script).toString());
    builder.environment().put("PATH", fake + ":" + System.getenv("PATH"));
    builder.redirectErrorStream(true).redirectOutput(fake.resolve("output").toFile());
    var process = builder.start();
    if (!process.waitFor(100, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(script + " does not end");
    }
    var output = Files.readString(fake.resolve("output"), StandardCharsets.UTF_8);
    return new Ran(process.exitValue(), output);
  }

  private void program(String name, String shell) throws IOException {
    var file = fake.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + shell + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
