package dev.mayfly.cli.files;

import dev.mayfly.core.files.FolderContent;
import dev.mayfly.porttests.FileTreeContract;
import java.io.IOException;
import java.nio.file.Path;

class LocalTreeTest extends FileTreeContract {
  @Override
  protected FolderContent walked(Path root, Walk walk) throws IOException {
    return walk.over(new LocalTree(root));
  }
}
