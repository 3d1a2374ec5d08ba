package dev.mayfly.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CodeStoreTest {
  private static final ZipLimits CAPS = new ZipLimits(100_000, 20, 40L << 20, 50);

  @TempDir Path root;
  private WorkDir workDir;
  private CodeStore store;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    store = new CodeStore(workDir, CAPS);
  }

  @AfterEach
  void close() throws IOException {
    workDir.close();
  }

  @Test
  void unpacksFilesAndExecutableBits() throws Exception {
    var zip = root.resolve("code.zip");
    try (var files =
        FileSystems.newFileSystem(
            zip, Map.of("create", "true", "enablePosixFileAttributes", "true"))) {
      Files.createDirectory(files.getPath("/src"));
      Files.writeString(files.getPath("/src/a.py"), "print(1)");
      Files.writeString(files.getPath("/run.sh"), "#!/bin/sh");
      Files.setPosixFilePermissions(
          files.getPath("/run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    var folder = unpack(Files.readAllBytes(zip));

    assertThat(folder.resolve("src/a.py")).hasContent("print(1)");
    assertThat(Files.isExecutable(folder.resolve("run.sh"))).isTrue();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("src/a.py"))))
        .isEqualTo("rw-------");
  }

  @Test
  void fetchesEachBundleOnce() throws Exception {
    var zip = zip("a.txt", "a");
    unpack(zip);

    var folder =
        store.folder(
            hash(zip),
            () -> {
              throw new IOException("fetched a second time");
            });

    assertThat(folder.resolve("a.txt")).hasContent("a");
  }

  @Test
  void attemptsDoNotShareChanges() throws Exception {
    var folder = unpack(zip("a.txt", "a"));
    try (var one = workDir.attempt();
        var other = workDir.attempt()) {
      one.copyCode(folder);
      Files.writeString(one.work().resolve("a.txt"), "changed");
      other.copyCode(folder);

      assertThat(other.work().resolve("a.txt")).hasContent("a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../evil", "a/../../evil", "/etc/evil", "..\\evil", "a/../b"})
  void rejectsEntryOutsideItsFolder(String name) throws Exception {
    var zip = zip(name, "evil");

    assertThatThrownBy(() -> unpack(zip))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining("outside its folder");
    assertThat(root.resolve("work/code").toFile().list()).isEmpty();
    assertThat(root.resolve("work/evil")).doesNotExist();
  }

  /** A disk that rejects such files would be retried forever. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a|a/b", "a/b|a", "./a|a", "a/|a", "a//b|a/b"})
  void rejectsTwoEntriesAtOnePath(String names) throws Exception {
    var zip = zipOf("x", names.split("\\|"));

    assertThatThrownBy(() -> unpack(zip)).isInstanceOf(CodeStore.InvalidCode.class);
    assertThat(root.resolve("work/code").toFile().list()).isEmpty();
  }

  @Test
  void rejectsNameTooLongForDisks() throws Exception {
    var name = zip("ü".repeat(128), "x");
    var path = zip("a/".repeat(1_024) + "b", "x");

    for (var zip : List.of(name, path))
      assertThatThrownBy(() -> unpack(zip))
          .isInstanceOf(CodeStore.InvalidCode.class)
          .hasMessageContaining("at most 2,048 bytes, a name 255");
    assertThat(unpack(zip("ü".repeat(127), "x"))).exists();
  }

  @Test
  void rejectsTooManyEntries() throws Exception {
    var names = new String[21];
    for (int i = 0; i < names.length; i++) {
      names[i] = "f" + i;
    }
    var zip = zipOf("x", names);

    assertThatThrownBy(() -> unpack(zip)).hasMessageContaining("21 entries; the limit is 20");
  }

  @Test
  void rejectsZipBomb() throws Exception {
    var zip = zip("zeros", "\0".repeat(20 << 20));

    assertThatThrownBy(() -> unpack(zip))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining("bomb");
  }

  @Test
  void rejectsTooLargeBundle() {
    var large = new byte[100_001];

    assertThatThrownBy(() -> unpack(large)).hasMessageContaining("larger than 100000 bytes");
  }

  @Test
  void rejectsWhatIsNotAZip() {
    assertThatThrownBy(() -> unpack("hello".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining("not a complete zip");
  }

  /** A zip's last record has 22 bytes; the JDK's reader reports a partial one differently. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 21, 22, 30})
  void rejectsTruncatedZip(int missing) throws Exception {
    var zip = zip("a.txt", "print(1)\n".repeat(20));

    assertThatThrownBy(() -> unpack(Arrays.copyOf(zip, zip.length - missing)))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining("not a complete zip file");
  }

  /** The directory at the end is intact, so the zip opens. */
  @Test
  void rejectsZipWithDamagedEntries() throws Exception {
    var zip = zip("a.txt", "print(1)\n".repeat(20));
    for (var i = 35; i < 40; i++) zip[i] = (byte) 0xff;

    assertThatThrownBy(() -> unpack(zip))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining("cannot be unpacked");
    assertThat(root.resolve("work/code").toFile().list()).isEmpty();
  }

  @Test
  void rejectsContentWithWrongHash() throws Exception {
    var zip = zip("a.txt", "a");
    var other = hash(zip("a.txt", "b"));

    assertThatThrownBy(() -> store.folder(other, () -> new ByteArrayInputStream(zip)))
        .isInstanceOf(CodeStore.InvalidCode.class)
        .hasMessageContaining(hash(zip));
  }

  @Test
  void rejectsNameThatIsNotAHash() {
    assertThatThrownBy(() -> store.folder("../x", () -> new ByteArrayInputStream(new byte[0])))
        .isInstanceOf(CodeStore.InvalidCode.class);
  }

  private Path unpack(byte[] zip) throws Exception {
    return store.folder(hash(zip), () -> new ByteArrayInputStream(zip));
  }

  private static byte[] zip(String name, String content) throws IOException {
    return zipOf(content, name);
  }

  private static byte[] zipOf(String content, String... names) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static String hash(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
