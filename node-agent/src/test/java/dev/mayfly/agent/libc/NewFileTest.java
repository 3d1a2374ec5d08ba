package dev.mayfly.agent.libc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class NewFileTest {
  private static final byte[] TEXT = "text".getBytes(UTF_8);

  @TempDir Path root;
  private Path file;
  private Path precious;

  @BeforeEach
  void prepare() throws IOException {
    file = root.resolve("file");
    precious = Files.writeString(root.resolve("precious"), "precious");
  }

  private interface Writing {
    void write() throws IOException;
  }

  /** In a thread of its own, because nothing frees one that waits in {@code open}. */
  private static void soon(Writing writing) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              try {
                writing.write();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void linkIsReplacedAndNotFollowed() throws Exception {
    for (var link : new String[] {"file", ".file.half"})
      Files.createSymbolicLink(root.resolve(link), precious);

    NewFile.replace(file, TEXT);

    assertThat(file).isRegularFile().hasContent("text");
    assertThat(precious).hasContent("precious");
  }

  @Test
  void pipeIsReplacedAndNotWaitedFor() throws Exception {
    for (var pipe : new String[] {"file", ".file.half"})
      assertThat(new ProcessBuilder("mkfifo", root.resolve(pipe).toString()).start().waitFor())
          .isZero();

    soon(() -> NewFile.replace(file, TEXT));
    assertThat(file).isRegularFile().hasContent("text");

    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    soon(() -> NewFile.make(file, TEXT));
    assertThat(file).isRegularFile().hasContent("text");
  }
}
