package dev.mayfly.agent.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What frameworks put into their folder beside plain files. */
final class CheckpointLinksTest extends CheckpointFixture {
  private void link(String path, String target) throws IOException {
    var link = dir.checkpoint().resolve(path);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of(target));
  }

  private List<String> files() {
    return objects.urls().stream().filter(url -> url.contains("/files/")).toList();
  }

  @Test
  void lastCheckpointByLinkIsRestored() throws Exception {
    write("epoch=39.ckpt", "weights of 39");
    link("last.ckpt", "epoch=39.ckpt");
    seconds(7);

    begin("s0e2");

    var last = dir.checkpoint().resolve("last.ckpt");
    assertThat(last).hasContent("weights of 39");
    assertThat(Files.isRegularFile(last, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(files()).as("uploaded once").hasSize(1);
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("continues from checkpoint 1, stored at");
    seconds(20);
    assertThat(manifests()).as("what was restored is not stored again").hasSize(1);
  }

  @Test
  void movedLinkIsANewCheckpoint() throws Exception {
    write("a", "1");
    write("b", "2");
    link("last", dir.checkpoint().resolve("a").toString());
    seconds(7);
    link("last", "b");
    seconds(7);

    begin("s0e2");

    assertThat(dir.checkpoint().resolve("last")).hasContent("2");
    assertThat(files()).as("nothing is uploaded again").hasSize(2);
  }

  @Test
  void linkedAndEmptyFoldersAreRestored() throws Exception {
    write("step_100/model/w.bin", "weights");
    Files.createDirectories(dir.checkpoint().resolve("step_100/logs/none"));
    link("latest", "step_100");
    seconds(7);

    begin("s0e2");

    assertThat(dir.checkpoint().resolve("latest/model/w.bin")).hasContent("weights");
    assertThat(dir.checkpoint().resolve("latest/logs/none")).isEmptyDirectory();
    assertThat(dir.checkpoint().resolve("step_100/logs/none")).isEmptyDirectory();
    assertThat(files()).hasSize(1);
  }

  @Test
  void unstoredEntriesAreSaidOnce() throws Exception {
    var outside = Files.writeString(root.resolve("precious"), "precious");
    write("w", "1");
    link("out", outside.toString());
    link("gone", "nothing");
    link("self", ".");
    write("bad\u0001name", "2");
    seconds(60);
    write("w", "22");
    seconds(60);

    assertThat(said)
        .containsExactly(
            "left out of the checkpoint: 'bad\\u0001name' has a name with a control character in"
                + " it, which no object has; name it otherwise",
            "left out of the checkpoint: 'gone' is a link to nothing, which is not there; delete it",
            "left out of the checkpoint: 'out' is a link to %s, which leads outside of the folder; copy what it leads to into $MAYFLY_CHECKPOINT"
                .formatted(outside),
            "left out of the checkpoint: 'self' is a link to ., a folder that it is in; delete it");
    begin("s0e2");
    assertThat(dir.checkpoint())
        .isDirectoryContaining("glob:**/w")
        .isDirectoryNotContaining("glob:**/out");

    said.clear();
    link("other", "nothing");
    seconds(60);
    assertThat(said).hasSize(1);
  }

  @Test
  void lookSaysWhatIsLackingAndStoresNothing() throws Exception {
    write("w", "1");
    link("gone", "nothing");

    sync.look();

    assertThat(said).singleElement().asString().contains("'gone' is a link to nothing");
    assertThat(objects.urls()).isEmpty();
  }

  @Test
  void lastCheckpointSaysWhatItLacks() throws Exception {
    write("w", "1");
    link("gone", "nothing");

    sync.finish();

    assertThat(said).singleElement().asString().contains("'gone' is a link to nothing");
    assertThat(manifests()).hasSize(1);
  }

  @Test
  void folderReplacedByLinkIsSaid() throws Exception {
    var elsewhere = Files.createDirectory(root.resolve("shared"));
    Files.writeString(elsewhere.resolve("w"), "1");
    Files.delete(dir.checkpoint());
    Files.createSymbolicLink(dir.checkpoint(), elsewhere);
    seconds(60);

    assertThat(objects.urls()).isEmpty();
    assertThat(said)
        .singleElement()
        .asString()
        .contains("$MAYFLY_CHECKPOINT: is no longer a folder");
  }

  @Test
  void failedUploadIsSaidOnce() throws Exception {
    write("w", "1");
    seconds(5);
    objects.failNext(10);
    seconds(60);

    assertThat(said).singleElement().asString().startsWith("no checkpoint is stored: ");
  }
}
