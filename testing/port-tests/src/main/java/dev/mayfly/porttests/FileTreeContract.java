package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.files.FileTree;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.FolderWalk;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.files.Obstacle;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.files.WalkFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link FileTree} over real folders of every kind. What a walk says of them is compared with
 * what the system says, which follows links itself.
 */
public abstract class FileTreeContract {
  private static final int TREES = 60;
  private static final NameRule NAMES = NameRule.ofObjects(0);

  @TempDir Path folder;

  protected abstract FolderContent walked(Path root, Walk walk) throws IOException;

  /** One walk over an open tree. */
  public interface Walk {
    FolderContent over(FileTree tree);
  }

  static Stream<Integer> seeds() {
    return IntStream.range(0, TREES).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  protected void eachEntryIsStoredRefusedOrNamed(int seed) throws Exception {
    var root = Files.createDirectory(folder.toRealPath().resolve("root"));
    RandomTree.make(root, new Random(seed));
    var expected = TreeOracle.of(root, NAMES);

    for (var policy : StoragePolicy.values()) {
      var found = walked(root, tree -> FolderWalk.of(tree, policy, WalkFilter.NONE, NAMES));

      assertThat(found.files()).extracting(StoredFile::path).isEqualTo(expected.files());
      for (var file : found.files())
        assertThat(root.resolve(file.path()).toRealPath())
            .isEqualTo(root.resolve(String.join("/", file.place())));
      assertThat(found.folders()).isEqualTo(expected.folders());
      assertThat(unstored(found)).isEqualTo(expected.unstored());
      assertThat(found.refused())
          .allSatisfy(one -> assertThat(one.obstacle()).isNotInstanceOf(Obstacle.Special.class));
      if (policy == StoragePolicy.CHECKPOINT) assertThat(found.refused()).isEmpty();
      if (policy == StoragePolicy.OUTPUT || policy == StoragePolicy.CODE)
        assertThat(found.leftOut())
            .allSatisfy(one -> assertThat(one.obstacle()).isInstanceOf(Obstacle.Special.class));
    }
  }

  private static List<String> unstored(FolderContent found) {
    return Stream.concat(found.leftOut().stream(), found.refused().stream())
        .map(Unstored::path)
        .sorted()
        .toList();
  }
}
