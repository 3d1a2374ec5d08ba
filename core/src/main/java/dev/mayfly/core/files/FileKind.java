package dev.mayfly.core.files;

import java.time.Instant;
import java.util.Optional;

/** What an entry of a folder is; for a link, the link itself. */
public sealed interface FileKind {
  record Regular(long size, Instant modified) implements FileKind {}

  record Folder() implements FileKind {}

  /**
   * @param target as it is written in the link; empty if it is not text
   */
  record Link(Optional<String> target) implements FileKind {}

  /** A pipe, a socket or a device, which holds nothing that could be stored. */
  record Special() implements FileKind {}

  /** A file that the reader may not open. */
  record Locked() implements FileKind {}
}
