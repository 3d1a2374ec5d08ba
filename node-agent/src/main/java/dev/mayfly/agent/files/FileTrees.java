package dev.mayfly.agent.files;

import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Operations on whole folders. They never follow symbolic links, so nothing outside is touched. */
public final class FileTrees {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(OWNER_ONLY);

  private FileTrees() {}

  /** Creates a folder that only the agent can enter; its parent must exist. */
  static Path createPrivate(Path folder) throws IOException {
    return Files.createDirectory(folder, PRIVATE);
  }

  /**
   * As {@link #createPrivate}, with parents. An existing folder keeps its content and becomes
   * private.
   */
  static Path createPrivateAll(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, OWNER_ONLY);
    return folder;
  }

  /** Copies the content of {@code from} into the folder {@code to}. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (!folder.equals(from)) {
              createPrivate(to.resolve(from.relativize(folder)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            var copy = to.resolve(from.relativize(file));
            Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Others may enter the folder and open known names, but not list it. */
  static void makeTraversable(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
  }

  /** Gives a folder and its content to another user. */
  static void chown(Path root, TaskUser user) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            user.chown(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            user.chown(file);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes a folder and its content; a missing folder is not an error. */
  public static void delete(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new Deleter());
    } catch (NoSuchFileException e) {
      // Already deleted.
    }
  }

  private static final class Deleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      // A task may have removed its own permissions from a folder.
      if (!Files.isWritable(folder) || !Files.isReadable(folder)) {
        Files.setPosixFilePermissions(folder, EnumSet.copyOf(OWNER_ONLY));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(
        Path folder, @org.jspecify.annotations.Nullable IOException failure) throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
