package dev.mayfly.cli.code;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;

/** Writes a tree as a zip: in the order of names, at one time, and with no owner. */
final class ReproducibleZip {
  private static final Map<String, ?> NEW =
      Map.of("create", "true", "enablePosixFileAttributes", "true");

  /** Any time will do that a zip can hold. */
  private static final FileTime TIME = FileTime.from(Instant.parse("2000-01-01T00:00:00Z"));

  private ReproducibleZip() {}

  static void pack(CodeFiles codeFiles, Path zip) throws IOException {
    try (var out = FileSystems.newFileSystem(zip, NEW)) {
      for (var file : codeFiles.files()) add(codeFiles.root(), file, out);
    }
  }

  private static void add(Path root, String name, FileSystem out) throws IOException {
    var to = out.getPath("/" + name);
    if (to.getParent() != null) folder(to.getParent());
    var from = root.resolve(name);
    try (var sink = Files.newOutputStream(to)) {
      Files.copy(from, sink);
    }
    var mode = Files.isExecutable(from) ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(mode));
    timeless(to);
  }

  private static void folder(Path folder) throws IOException {
    if (folder.getParent() == null || Files.exists(folder)) return;
    folder(folder.getParent());
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    timeless(folder);
  }

  /** A zip holds three times of an entry; one that is not set is that of the packing. */
  private static void timeless(Path entry) throws IOException {
    Files.getFileAttributeView(entry, BasicFileAttributeView.class).setTimes(TIME, TIME, TIME);
  }
}
