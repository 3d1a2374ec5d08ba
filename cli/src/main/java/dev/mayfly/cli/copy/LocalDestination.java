package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A hidden folder beside the destination, from which one complete file or folder moves into place.
 * Closing deletes what did not.
 */
final class LocalDestination implements AutoCloseable {
  private final CopyPlace.Local wanted;
  private final boolean force;
  private final Path staging;
  private final Thread atExit;

  private LocalDestination(CopyPlace.Local wanted, boolean force, Path staging) {
    this.wanted = wanted;
    this.force = force;
    this.staging = staging;
    // An interrupt ends this process at once.
    atExit = new Thread(() -> delete(staging), "end of the copy");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Makes the hidden folder. Refuses a destination that exists, before anything is transferred.
   *
   * @param name the copy's in a folder that exists
   * @param force whether an existing file is replaced; a folder never is
   */
  static LocalDestination open(CopyPlace.Local wanted, String name, boolean force) {
    if (wanted.inside() && !Files.isDirectory(wanted.path()))
      throw CommandException.input("there is no folder " + wanted.path());
    refuse(place(wanted, name), force);
    var parent = Files.isDirectory(wanted.path()) ? wanted.path() : wanted.path().getParent();
    if (parent == null || !Files.isDirectory(parent))
      throw CommandException.input("there is no folder " + parent);
    try {
      return new LocalDestination(wanted, force, Files.createTempDirectory(parent, ".mayfly-cp-"));
    } catch (IOException e) {
      throw CommandException.input("nothing can be written to " + parent + ": " + e, e);
    }
  }

  private static Path place(CopyPlace.Local wanted, String name) {
    return Files.isDirectory(wanted.path()) ? wanted.path().resolve(name) : wanted.path();
  }

  private static void refuse(Path place, boolean force) {
    if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) return;
    if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS))
      throw CommandException.input(
          place + " is a folder, which is never replaced; delete it, or name another place");
    if (!force) throw CommandException.input(place + " exists; --force replaces a file");
  }

  /** Where the copy is put first. */
  Path staging() {
    return staging;
  }

  /**
   * Moves the one thing in the hidden folder into place and returns where it is.
   *
   * @param name the copy's in a folder that exists
   */
  Path publish(String name) {
    try {
      var found = LocalFolders.children(staging);
      if (found.size() != 1)
        throw CommandException.input("not one file or folder was received; see the lines above");
      var place = place(wanted, name);
      refuse(place, force);
      if (force) Files.move(found.getFirst(), place, StandardCopyOption.REPLACE_EXISTING);
      else Files.move(found.getFirst(), place);
      return place;
    } catch (IOException e) {
      throw new UncheckedIOException("the copy cannot be moved to " + wanted.path() + ": " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      return;
    }
    delete(staging);
  }

  /** Deletes a folder and all in it; links are deleted and not followed. */
  static void delete(Path folder) {
    try {
      LocalFolders.delete(folder);
    } catch (IOException | UncheckedIOException e) {
      throw CommandException.input(folder + " cannot be deleted (" + e + "); delete it by hand", e);
    }
  }
}
