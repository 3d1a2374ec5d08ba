package dev.mayfly.gcs.files;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** Translates a file system's errors into errors with a remedy. */
public final class FileErrors {
  private FileErrors() {}

  public static MayflyException of(ObjectUrl objectUrl, IOException e) {
    if (e instanceof AccessDeniedException)
      return new DeniedException(
          objectUrl + ": permission denied; change its owner or mode, or run as another user", e);
    var reason =
        e instanceof FileSystemException f && f.getReason() != null ? f.getReason() : text(e);
    return switch (reason) {
      case String r when r.contains("No space left") || r.contains("quota exceeded") ->
          new UnavailableException(objectUrl + ": the disk is full; free some of it", e);
      case String r when r.contains("Read-only") ->
          new DeniedException(
              objectUrl + ": the file system is read-only; choose another place", e);
      case String r when r.contains("Not a directory") || r.contains("File exists") ->
          new InvalidInputException(
              objectUrl.toString(),
              "a part of its path is a file, not a folder; choose another place");
      case String r when r.contains("Is a directory") || r.contains("not empty") ->
          new InvalidInputException(objectUrl.toString(), "a folder is there; choose another name");
      case String r when r.contains("name too long") ->
          new InvalidInputException(
              objectUrl.toString(), "a part of its path is longer than a file name may be");
      default -> new UnavailableException(objectUrl + ": " + e, e);
    };
  }

  private static String text(IOException e) {
    return e.getMessage() == null ? "" : e.getMessage();
  }
}
