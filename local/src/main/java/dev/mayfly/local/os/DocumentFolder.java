package dev.mayfly.local.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * Small documents, a file each. A document is written to a temporary file and renamed, so the
 * process may be killed at any moment. It is not forced to disk, because a crash of the whole
 * machine also ends the simulated machines that the documents describe.
 */
public final class DocumentFolder {
  private static final String SUFFIX = ".json";

  private final Path folder;

  /**
   * @throws UncheckedIOException when the folder cannot be created
   */
  public DocumentFolder(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create the folder " + folder, e);
    }
  }

  /** Every document, by name. */
  public Map<String, String> read() {
    var documents = new TreeMap<String, String>();
    try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (var file : files) {
        var name = file.getFileName().toString();
        documents.put(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + folder, e);
    }
    return documents;
  }

  /** The file of a document, whether it exists or not. */
  public Path file(String name) {
    return folder.resolve(name + SUFFIX);
  }

  /**
   * Writes or overwrites a document.
   *
   * @param name letters, digits, dots and dashes
   */
  public void write(String name, String text) {
    var file = file(name);
    try {
      var fresh = Files.writeString(folder.resolve(name + ".new"), text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file + "; is the disk full?", e);
    }
  }

  /** Deletes a document if it exists. */
  public void delete(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + file(name), e);
    }
  }
}
