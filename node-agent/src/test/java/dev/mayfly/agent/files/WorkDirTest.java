package dev.mayfly.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkDirTest {
  @TempDir Path root;

  @Test
  void attemptFolderIsPrivate() throws Exception {
    try (var workDir = WorkDir.open(root);
        var one = workDir.attempt();
        var other = workDir.attempt()) {
      assertThat(one.folder()).isNotEqualTo(other.folder());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.folder())))
          .isEqualTo("rwx------");
    }
    assertThat(root.resolve("attempts")).isEmptyDirectory();
  }

  @Test
  void nextAttemptFindsEmptyFolder() throws Exception {
    try (var workDir = WorkDir.open(root)) {
      var dir = workDir.attempt();
      Files.writeString(dir.log().path(), "log");
      Files.writeString(dir.temporary().resolve("t"), "x");
      Files.writeString(dir.folder().resolve("stray"), "x");
      FileTrees.delete(dir.output("o").getParent());
      Files.createSymbolicLink(dir.folder().resolve("out"), root);
      dir.close();

      try (var next = workDir.attempt();
          var files = Files.walk(next.folder())) {
        assertThat(files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)))
            .isEmpty();
        assertThat(next.folder()).isEqualTo(dir.folder());
      }
      assertThat(root.resolve("lock")).exists();
    }
  }

  /** Programs take ids of samples from it. */
  @Test
  void inputHasTheNameOfItsObject() throws Exception {
    var name = "sample-" + "x".repeat(200) + ".fastq.gz";
    try (var workDir = WorkDir.open(root);
        var dir = workDir.attempt()) {
      assertThat(dir.input(name)).hasFileName(name);
      assertThat(dir.output(name)).hasFileName(name);
    }
  }

  /** Tasks reach the folder by then, and may have put links there. */
  @Test
  void repeatedHandOverGivesNothingMoreAway() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    var user = new TaskUser("nobody", 65_534, 65_534, root);
    try (var workDir = WorkDir.open(root.resolve("work"));
        var dir = workDir.attempt()) {
      dir.giveTo(user);
      var later = Files.writeString(dir.work().resolve("later"), "x");
      dir.giveTo(user);

      assertThat(Files.getAttribute(dir.work(), "unix:uid")).isEqualTo(65_534);
      assertThat(Files.getAttribute(later, "unix:uid")).isEqualTo(0);
    }
  }

  @Test
  void temporaryFolderHasShortName() throws Exception {
    var deep = Files.createDirectories(root.resolve("d".repeat(60)));
    try (var workDir = WorkDir.open(deep);
        var dir = workDir.attempt()) {
      Files.writeString(dir.temporary().resolve("t"), "x");

      assertThat(dir.temporary().toString()).hasSizeLessThan(38);
      assertThat(dir.containedTemporary().resolve("t")).hasContent("x");
      assertThat(dir.temporary().toRealPath()).isEqualTo(dir.containedTemporary().toRealPath());
    }
    try (var again = WorkDir.open(deep);
        var dir = again.attempt()) {
      assertThat(dir.temporary()).exists();
    }
    try (var left = Files.list(Path.of("/tmp"))) {
      assertThat(left.filter(f -> pointsInto(f, deep))).isEmpty();
    }
  }

  @Test
  void foreignLinkIsNotUsed() throws Exception {
    var deep = Files.createDirectories(root.resolve("d".repeat(60)));
    var link = root.resolve("short");
    Files.createSymbolicLink(link, root);
    try (var workDir = WorkDir.open(deep, Optional.of(link));
        var dir = workDir.attempt()) {
      assertThat(dir.temporary()).isEqualTo(dir.containedTemporary());
    }
    assertThat(link).isSymbolicLink();
  }

  private static boolean pointsInto(Path link, Path folder) {
    try {
      return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(folder);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void fileKeepsNameWithinItsFolder() throws Exception {
    try (var workDir = WorkDir.open(root);
        var dir = workDir.attempt()) {
      assertThat(dir.input("RC_2012-06.jsonl.gz")).hasFileName("RC_2012-06.jsonl.gz");
      assertThat(dir.input("..")).isEqualTo(dir.folder().resolve("in/input"));
      assertThat(dir.output("a/../../b").getParent()).isEqualTo(dir.folder().resolve("out"));
      assertThat(dir.output("")).hasFileName("output");
    }
  }

  @Test
  void deletingFollowsNoLink(@TempDir Path elsewhere) throws Exception {
    Files.writeString(elsewhere.resolve("precious"), "keep");
    try (var workDir = WorkDir.open(root)) {
      var dir = workDir.attempt();
      Files.createSymbolicLink(dir.work().resolve("link"), elsewhere);
      dir.close();
    }
    assertThat(elsewhere.resolve("precious")).exists();
  }

  @Test
  void deletesDeeplyNestedFolders() throws Exception {
    try (var workDir = WorkDir.open(root)) {
      var dir = workDir.attempt();
      // Deeper than the maximum path length.
      var name = "d".repeat(100);
      var deep = "for i in $(seq 60); do mkdir %s && : >f && cd -P %s || exit 1; done";
      var made =
          new ProcessBuilder("sh", "-c", deep.formatted(name, name))
              .directory(dir.work().toFile())
              .start();
      assertThat(made.waitFor()).isZero();

      dir.close();

      assertThat(dir.work()).isEmptyDirectory();
    }
  }

  @Test
  void linkInPlaceOfAttemptFolderIsRemoved(@TempDir Path elsewhere) throws Exception {
    Files.writeString(Files.createDirectory(elsewhere.resolve("work")).resolve("precious"), "keep");
    try (var workDir = WorkDir.open(root)) {
      var dir = workDir.attempt();
      Files.move(dir.folder(), root.resolve("moved"));
      Files.createSymbolicLink(dir.folder(), elsewhere);

      dir.close();

      assertThat(workDir.attempt().folder()).isNotEqualTo(dir.folder());
    }
    assertThat(elsewhere.resolve("work/precious")).exists();
  }

  @Test
  void deletesFoldersWithoutPermissions() throws Exception {
    try (var workDir = WorkDir.open(root)) {
      var dir = workDir.attempt();
      var closed = Files.createDirectory(dir.work().resolve("closed"));
      Files.writeString(closed.resolve("f"), "x");
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
      dir.close();
      assertThat(dir.work()).isEmptyDirectory();
    }
  }

  @Test
  void secondAgentIsRefusedAndNextCleansUp() throws Exception {
    try (var workDir = WorkDir.open(root)) {
      assertThatThrownBy(() -> WorkDir.open(root))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another agent");
      Files.writeString(workDir.attempt().log().path(), "left over");
    }
    try (var next = WorkDir.open(root)) {
      next.clean();
      assertThat(root.resolve("attempts")).isEmptyDirectory();
    }
  }
}
