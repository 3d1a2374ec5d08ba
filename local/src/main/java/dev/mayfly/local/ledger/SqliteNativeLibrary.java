package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Unpacks SQLite's native library once. Otherwise the driver unpacks it at each start into the
 * temporary folder, and a killed process leaves it there.
 */
final class SqliteNativeLibrary {
  private SqliteNativeLibrary() {}

  static void unpack(Path natives) {
    var folder = natives.resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    var name = LibraryLoaderUtil.getNativeLibName();
    try {
      Files.createDirectories(folder);
      if (!Files.exists(folder.resolve(name))) copy(name, folder);
    } catch (IOException e) {
      throw new UnavailableException(
          "cannot write " + folder.resolve(name) + "; is the disk full? " + e.getMessage(), e);
    }
    System.setProperty("org.sqlite.lib.path", folder.toString());
    System.setProperty("org.sqlite.lib.name", name);
  }

  private static void copy(String name, Path folder) throws IOException {
    var resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    try (var in = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
      // Without a library for this machine, the driver tries the system's own and reports failures.
      if (in == null) return;
      var part = Files.createTempFile(folder, name, ".part");
      Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
