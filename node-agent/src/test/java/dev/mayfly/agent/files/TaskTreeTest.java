package dev.mayfly.agent.files;

import dev.mayfly.core.files.FolderContent;
import dev.mayfly.porttests.FileTreeContract;
import java.io.IOException;
import java.nio.file.Path;

class TaskTreeTest extends FileTreeContract {
  @Override
  protected FolderContent walked(Path root, Walk walk) throws IOException {
    try (var open = SecureDirectory.at(root)) {
      return walk.over(new TaskTree(open));
    }
  }
}
