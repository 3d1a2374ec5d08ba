package dev.mayfly.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFilesTest {
  @TempDir Path folder;

  @Test
  void ifOneCannotBeWrittenNoneIs() throws IOException {
    var mine = Files.writeString(folder.resolve("a"), "mine");
    var contents = new LinkedHashMap<String, byte[]>();
    for (var name : new String[] {"a", "b", "c".repeat(300)})
      contents.put(name, "text".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> WholeFiles.write(folder, contents, true))
        .isInstanceOf(IOException.class);

    assertThat(LocalFolders.children(folder)).containsExactly(mine);
    assertThat(mine).hasContent("mine");
  }
}
