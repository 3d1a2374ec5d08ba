package dev.mayfly.agent.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that another process changes while they are opened. */
@Timeout(120)
final class OpenFolderTest {
  private static final Path FILE = Path.of("file");

  @TempDir Path root;
  private Path folder;

  @BeforeEach
  void fill() throws IOException {
    folder = Files.createDirectory(root.resolve("open"));
  }

  private static String text(OpenFolder open, Path name) throws IOException {
    try (var file = open.file(name).orElse(null)) {
      return file == null
          ? "none"
          : new String(Channels.newInputStream(file).readAllBytes(), UTF_8);
    }
  }

  /** In a thread of its own, because nothing frees one that waits in {@code open}. */
  private String textSoon() throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              try (var open = OpenFolder.at(folder)) {
                return text(open, FILE);
              } catch (IOException e) {
                return e.toString();
              }
            })
        .get(60, SECONDS);
  }

  private static Process python(String script, Path... arguments) throws IOException {
    var argv = new java.util.ArrayList<>(java.util.List.of("python3", "-c", script));
    for (var argument : arguments) argv.add(argument.toString());
    return new ProcessBuilder(argv).redirectErrorStream(true).start();
  }

  private static void mkfifo(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  @Test
  void onlyRegularFilesAreOpened() throws Exception {
    Files.writeString(folder.resolve("file"), "text");
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("file"));
    Files.createDirectory(folder.resolve("folder"));
    mkfifo(folder.resolve("pipe"));

    try (var open = OpenFolder.at(folder)) {
      assertThat(text(open, FILE)).isEqualTo("text");
      for (var other : new String[] {"link", "folder", "missing", "file/below"})
        assertThat(text(open, Path.of(other))).as(other).isEqualTo("none");
    }
  }

  @Test
  void pipeIsNotWaitedFor() throws Exception {
    mkfifo(folder.resolve("file"));

    assertThat(textSoon()).isEqualTo("none");
  }

  @Test
  void leaseIsNotWaitedFor() throws Exception {
    var file = Files.writeString(folder.resolve("file"), "text");
    var holder =
        python(
            """
            import fcntl, os, signal, sys
            signal.signal(signal.SIGIO, signal.SIG_IGN)
            f = os.open(sys.argv[1], os.O_RDWR)
            fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            print("held", flush=True)
            sys.stdin.read()
            """,
            file);
    try (var said = holder.inputReader()) {
      assertThat(said.readLine()).isEqualTo("held");

      assertThat(textSoon()).startsWith(FileSystemException.class.getName());
    } finally {
      holder.destroyForcibly().waitFor();
    }
  }

  @Test
  void swappedInPipeIsNotWaitedFor() throws Exception {
    var file = Files.writeString(folder.resolve("file"), "text");
    mkfifo(folder.resolve("pipe"));
    var swapper =
        python(
            """
            import ctypes, os, sys
            swap = ctypes.CDLL(None).renameat2
            a, b = (os.fsencode(p) for p in sys.argv[1:])
            print("ready", flush=True)
            while True: swap(-100, a, -100, b, 2)
            """,
            file,
            folder.resolve("pipe"));
    try (var said = swapper.inputReader()) {
      assertThat(said.readLine()).isEqualTo("ready");

      for (var i = 0; i < 5_000; i++) assertThat(textSoon()).isIn("text", "none");
    } finally {
      swapper.destroyForcibly().waitFor();
    }
  }

  @Test
  void anyBytesAreAName() throws Exception {
    var script =
        "import os, sys; open(os.fsencode(sys.argv[1]) + b'/b\\xff %41\\xc3\\xa9', 'w').write('text')";
    assertThat(python(script, folder).waitFor()).isZero();

    try (var open = OpenFolder.at(folder);
        var entries = Files.newDirectoryStream(folder)) {
      var name = entries.iterator().next().getFileName();
      assertThat(text(open, name)).isEqualTo("text");
      assertThat(new String(OpenCalls.bytes(name), ISO_8859_1))
          .isEqualTo("b\u00ff %41\u00c3\u00a9");
    }
  }

  @Test
  void folderIsReachedWhereverItWasMoved() throws Exception {
    Files.writeString(folder.resolve("file"), "text");

    try (var open = OpenFolder.at(folder)) {
      Files.move(folder, root.resolve("moved"));
      Files.createDirectory(folder);

      assertThat(text(open, FILE)).isEqualTo("text");
    }
  }

  @Test
  void linkToAFolderIsNotEntered() throws Exception {
    Files.createSymbolicLink(folder.resolve("link"), root);

    try (var open = OpenFolder.at(folder)) {
      assertThatThrownBy(() -> open.folder(Path.of("link")))
          .isInstanceOf(NotDirectoryException.class);
    }
  }

  @Test
  void closedFolderOpensNothing() throws Exception {
    var open = OpenFolder.at(folder);
    open.close();
    open.close();

    assertThatThrownBy(() -> open.file(FILE)).isInstanceOf(ClosedFileSystemException.class);
    assertThatThrownBy(() -> open.use(path -> Optional.of(path)))
        .isInstanceOf(ClosedFileSystemException.class);
  }
}
