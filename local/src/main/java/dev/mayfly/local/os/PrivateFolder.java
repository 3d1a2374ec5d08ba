package dev.mayfly.local.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A folder that no other user may enter, whatever the modes of its files. */
public final class PrivateFolder {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFolder() {}

  /** Writes or replaces a file that only its owner may read, in one step. */
  public static void write(Path file, byte[] content) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh =
        Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new", owner);
    Files.write(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Creates the folder, or removes other users' rights from an existing folder. */
  public static Path ensure(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      if (folder.toAbsolutePath().getParent() != null)
        Files.createDirectories(folder.toAbsolutePath().getParent());
      try {
        return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER));
      } catch (java.nio.file.FileAlreadyExistsException meanwhile) {
        // Another Mayfly process created it first.
      }
    }
    if (!Files.getPosixFilePermissions(folder).equals(OWNER))
      Files.setPosixFilePermissions(folder, OWNER);
    return folder;
  }
}
