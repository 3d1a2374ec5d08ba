package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;

/**
 * {@code <checkpoint>/manifests/<number>-<attempt>.json}: the files of one complete checkpoint.
 * Created once, after all of its files, so that a checkpoint without it is never read.
 *
 * @param number greater than that of every checkpoint before
 * @param files two may have one object: a link is stored as what it leads to
 * @param folders those in which no file is; manifests of older agents have none
 */
public record CheckpointManifest(
    long number, String job, String attempt, List<StoredFile> files, List<String> folders) {
  public CheckpointManifest {
    files = List.copyOf(files);
    folders = List.copyOf(folders);
  }

  /**
   * @param path below {@code $MAYFLY_CHECKPOINT}, with slashes
   * @param object the name of the object below the checkpoint's place; a file that did not change
   *     keeps that of an earlier checkpoint
   * @param modified when the task last changed the file
   */
  public record StoredFile(
      String path, String object, long generation, long size, String crc32c, Instant modified) {
    /** The same content by another name. */
    public StoredFile at(String path) {
      return new StoredFile(path, object, generation, size, crc32c, modified);
    }
  }
}
