package dev.mayfly.core.model;

/**
 * A file system that every machine of a cluster has.
 *
 * @param kind by what it is reached
 * @param source {@code host:/path} of an NFS server, or a bucket's name
 * @param path where it appears
 */
public record Mount(Kind kind, String source, String path, boolean readOnly) {
  /** NFS, or a bucket through gcsfuse. */
  public enum Kind {
    NFS,
    GCS
  }
}
