package dev.mayfly.functions.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform's command, with a script in place of the archive's runtime. */
class BundledRuntimeTest {
  @TempDir Path archive;

  private record Ended(int code, String output) {}

  @BeforeEach
  void theJarThatThePlatformWants() throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", BundledRuntime.class.getName());
    var name = BundledRuntime.class.getName().replace('.', '/') + ".class";
    try (var jar =
            new JarOutputStream(Files.newOutputStream(archive.resolve("functions.jar")), manifest);
        var code = BundledRuntime.class.getClassLoader().getResourceAsStream(name)) {
      jar.putNextEntry(new ZipEntry(name));
      jar.write(code.readAllBytes());
    }
  }

  private void runtime(String script, boolean executable) throws IOException {
    var program = archive.resolve("runtime/bin/java");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    assertThat(program.toFile().setExecutable(executable)).isTrue();
  }

  /** The platform's command; its own program only prints its runtime. */
  private Ended start() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder = new ProcessBuilder(List.of(java, "-version")).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "JAVA_TOOL_OPTIONS",
                "-javaagent:" + archive.resolve("functions.jar"),
                "PORT",
                "8080"));
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), output);
  }

  @Test
  void ownRuntimePassesEnvironmentAndExitCode() throws Exception {
    runtime("echo \"$1 in $(pwd) on $PORT, options: $JAVA_TOOL_OPTIONS.\"; exit 7", true);

    var ended = start();

    assertThat(ended.output())
        .contains("@options in " + archive.toRealPath() + " on 8080, options: .")
        .doesNotContain("openjdk version");
    assertThat(ended.code()).isEqualTo(7);
  }

  @Test
  void lostPermissionIsRestored() throws Exception {
    runtime("echo mended", false);

    assertThat(start().output()).contains("mended");
  }

  @Test
  void withoutRuntimePlatformContinues() throws Exception {
    var ended = start();

    assertThat(ended.output()).contains("openjdk version");
    assertThat(ended.code()).isZero();
  }

  @Test
  void brokenRuntimeFallsBackToPlatform() throws Exception {
    runtime("", true);
    Files.writeString(archive.resolve("runtime/bin/java"), "#!/no/such/machine\n");

    var ended = start();

    assertThat(ended.output()).contains("slow start", "openjdk version");
    assertThat(ended.code()).isZero();
  }
}
