package dev.mayfly.core.model.sync;

import java.util.Optional;

/**
 * How full a file system is, as its machine sees it.
 *
 * @param storage its name in the cluster's file; empty for a mount without a name
 * @param totalBytes what tasks can use and what they use
 */
public record MountUse(String path, Optional<String> storage, long totalBytes, long usedBytes) {
  /** The storage's name, or the path of a mount that has none. */
  public String label() {
    return storage.orElse(path);
  }

  /** Rounded down, so that 100 means full. */
  public int percent() {
    return totalBytes <= 0 ? 0 : (int) Math.clamp(usedBytes * 100.0 / totalBytes, 0, 100);
  }

  public long freeBytes() {
    return Math.max(0, totalBytes - usedBytes);
  }
}
