package dev.mayfly.core.files;

import dev.mayfly.core.files.FolderContent.StoredFile;

/** What is at the one name that is to be stored, with links followed. */
public sealed interface WalkStart {
  /**
   * @param file with an empty path
   */
  record File(StoredFile file) implements WalkStart {}

  record Folder(FolderContent content) implements WalkStart {}

  record Missing() implements WalkStart {}

  record Unusable(Obstacle obstacle) implements WalkStart {}
}
