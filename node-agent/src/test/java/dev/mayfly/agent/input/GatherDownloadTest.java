package dev.mayfly.agent.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads of what one task reads as a folder. */
final class GatherDownloadTest {
  private static final String LIST = "gs://lab/mayfly/.jobs/j1/tasks/gathered.json";

  @TempDir private Path root;
  private final FakeObjects objects = new FakeObjects();
  private final List<GatheredObject> listed = new ArrayList<>();

  private void put(String name, String url, String text, boolean folder) {
    objects.put(url, text);
    var info = objects.find(ObjectUrl.of(url)).orElseThrow();
    listed.add(
        new GatheredObject(name, url, info.generation(), info.size(), info.crc32c(), folder));
  }

  private Path download() throws IOException {
    var inputs = new GatheredInputs("them", Optional.empty(), listed);
    objects.put(LIST, Wire.codec().gathered(inputs));
    var folder = root.resolve("inputs");
    var unused = new GatherDownload(objects).into(LIST, folder);
    return folder;
  }

  @Test
  void everyObjectIsFileOfItsName() throws IOException {
    for (var i = 0; i < 100; i++) put("p/" + i, "gs://lab/out/p/" + i, "text " + i, false);

    var folder = download();

    assertThat(folder.resolve("p")).isDirectoryContaining("glob:**/99");
    for (var i = 0; i < 100; i++) assertThat(folder.resolve("p/" + i)).hasContent("text " + i);
  }

  @Test
  void folderComesInWhole() throws IOException {
    objects.put("gs://lab/out/3/j1.s0e1/a/b.txt", "deep");
    put(
        "3",
        "gs://lab/out/3/index.json",
        """
        {"job":"j0","task":3,"attempt":"s0e1","files":[
        {"path":"j1.s0e1/a/b.txt","generation":"1","size":4,"crc32c":""}],"folders":["j1.s0e1/none"]}
        """,
        true);

    var folder = download();

    assertThat(folder.resolve("3/a/b.txt")).hasContent("deep");
    assertThat(folder.resolve("3/none")).isEmptyDirectory();
    assertThat(folder.resolve("3")).isDirectoryNotContaining("glob:**/index.json");
  }

  @Test
  void replacedObjectIsNamed() {
    put("a", "gs://lab/out/a", "old", false);
    objects.put("gs://lab/out/a", "new");

    assertThatThrownBy(this::download)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("gs://lab/out/a")
        .hasMessageContaining("replaced or deleted")
        .hasMessageContaining("submit the job again");
  }

  @Test
  void deletedObjectIsNamed() {
    put("a", "gs://lab/out/a", "old", false);
    objects.clear();

    assertThatThrownBy(this::download)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("gs://lab/out/a");
  }

  @Test
  void otherContentThanListedIsRefused() {
    put("a", "gs://lab/out/a", "text", false);
    var one = listed.removeFirst();
    listed.add(
        new GatheredObject(one.name(), one.url(), one.generation(), one.size(), "AAAAAA==", false));

    assertThatThrownBy(this::download).hasMessageContaining("replaced or deleted");
  }

  @Test
  void nameOutsideOfFolderIsRefused() {
    put("../x", "gs://lab/out/a", "text", false);

    assertThatThrownBy(this::download).hasMessageContaining("is not the name of a file");
    assertThat(root.resolve("x")).doesNotExist();
  }

  @Test
  void missingListIsNamed() {
    assertThatThrownBy(() -> new GatherDownload(objects).into(LIST, root.resolve("inputs")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(LIST);
  }
}
