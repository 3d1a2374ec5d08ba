package dev.mayfly.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderWalk;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.files.WalkFilter;
import dev.mayfly.porttests.FileTreeContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskTreeTest extends FileTreeContract {
  @Override
  protected FolderContent walked(Path root, Walk walk) throws IOException {
    try (var open = SecureDirectory.at(root)) {
      return walk.over(new TaskTree(open));
    }
  }

  /** It knows the folder by the path that it was given, which may go by a link. */
  @Test
  void linkMayNameTheFolderAsItsTaskDoes(@TempDir Path temp) throws IOException {
    var real = Files.createDirectories(temp.resolve("real/out"));
    var given =
        Files.createSymbolicLink(temp.resolve("given"), temp.resolve("real")).resolve("out");
    Files.writeString(real.resolve("a"), "1");
    Files.createSymbolicLink(real.resolve("last"), given.resolve("a"));

    var content =
        walked(
            given,
            tree ->
                FolderWalk.of(tree, StoragePolicy.OUTPUT, WalkFilter.NONE, NameRule.ofObjects(0)));

    assertThat(content.files()).extracting(StoredFile::path).containsExactly("a", "last");
  }
}
