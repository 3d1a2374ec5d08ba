package dev.mayfly.local.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * Small documents, a file each. A document is written beside its place and then renamed into it, so
 * that the process may be killed at any moment. It is not forced to the disk: when the whole
 * machine goes down, so do the simulated ones that the documents tell of.
 */
public final class DocumentFolder {
  private static final String SUFFIX = ".json";

  private final Path folder;

  /**
   * @throws UncheckedIOException when the folder cannot be made
   */
  public DocumentFolder(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make the folder " + folder, e);
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

  /**
   * Writes a document, or writes it again.
   *
   * @param name letters, digits, dots and dashes
   */
  public void write(String name, String text) {
    var file = folder.resolve(name + SUFFIX);
    try {
      var fresh = Files.writeString(folder.resolve(name + ".new"), text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file + "; is the disk full?", e);
    }
  }

  /** Deletes a document; one that is not there is no error. */
  public void delete(String name) {
    try {
      Files.deleteIfExists(folder.resolve(name + SUFFIX));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + folder.resolve(name + SUFFIX), e);
    }
  }
}
