package dev.mayfly.arch.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./build} does beside calling Maven. */
@Timeout(120)
class BuildScriptTest {
  private static final Instant BUILT = Instant.parse("2026-05-01T00:00:00Z");

  @TempDir Path checkout;

  @BeforeEach
  void copy() throws IOException {
    copy("build");
    copy(".mvn/find-jdk.sh");
    var maven = write("bin/mvn", "#!/bin/sh\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    write("pom.xml", "");
    write("local/pom.xml", "");
    write("local/target/lib/gax-1.jar", "");
    write("testing/emulators/target/lib/invoker-1.jar", "");
    for (var file : new String[] {"pom.xml", "local/pom.xml"}) changed(file, Duration.ofDays(-1));
    for (var module : new String[] {"local", "testing/emulators"})
      changed(module + "/target/lib", Duration.ZERO);
  }

  @Test
  void jarsOfEarlierVersionsAreDropped() throws Exception {
    changed("local/pom.xml", Duration.ofDays(1));

    build();

    assertThat(checkout.resolve("local/target/lib")).doesNotExist();
    assertThat(checkout.resolve("testing/emulators/target/lib")).doesNotExist();
  }

  @Test
  void jarsOfTheseVersionsStay() throws Exception {
    build();

    assertThat(checkout.resolve("local/target/lib/gax-1.jar")).exists();
    assertThat(checkout.resolve("testing/emulators/target/lib/invoker-1.jar")).exists();
  }

  private void build() throws IOException, InterruptedException {
    var builder = new ProcessBuilder(checkout.resolve("build").toString(), "package");
    builder.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var output = checkout.resolve("output");
    var process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  private void copy(String file) throws IOException {
    var to = checkout.resolve(file);
    Files.createDirectories(to.getParent());
    Files.copy(Sources.ROOT.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private Path write(String file, String text) throws IOException {
    var to = checkout.resolve(file);
    Files.createDirectories(to.getParent());
    return Files.writeString(to, text);
  }

  private void changed(String file, Duration afterBuild) throws IOException {
    Files.setLastModifiedTime(checkout.resolve(file), FileTime.from(BUILT.plus(afterBuild)));
  }
}
