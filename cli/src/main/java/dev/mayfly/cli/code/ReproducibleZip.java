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

/** Writes a tree as a zip, sorted by name, with a fixed time and no owner. */
final class ReproducibleZip {
  private static final Map<String, ?> NEW =
      Map.of("create", "true", "enablePosixFileAttributes", "true");

  /** Any time that a zip can represent. */
  private static final FileTime TIME = FileTime.from(Instant.parse("2000-01-01T00:00:00Z"));

  private ReproducibleZip() {}

  static void pack(CodeFiles codeFiles, Path zip) throws IOException {
    try (var out = FileSystems.newFileSystem(zip, NEW)) {
      for (var file : codeFiles.files()) add(codeFiles.tree().path(file.place()), file.path(), out);
      for (var folder : codeFiles.folders()) createFolder(out.getPath("/" + folder));
    }
  }

  private static void add(Path from, String name, FileSystem out) throws IOException {
    var to = out.getPath("/" + name);
    if (to.getParent() != null) createFolder(to.getParent());
    try (var sink = Files.newOutputStream(to)) {
      Files.copy(from, sink);
    }
    var mode = Files.isExecutable(from) ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(mode));
    setFixedTime(to);
  }

  private static void createFolder(Path folder) throws IOException {
    if (folder.getParent() == null || Files.exists(folder)) return;
    createFolder(folder.getParent());
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    setFixedTime(folder);
  }

  /** A zip entry has three times; an unset time is that of packing. */
  private static void setFixedTime(Path entry) throws IOException {
    Files.getFileAttributeView(entry, BasicFileAttributeView.class).setTimes(TIME, TIME, TIME);
  }
}
