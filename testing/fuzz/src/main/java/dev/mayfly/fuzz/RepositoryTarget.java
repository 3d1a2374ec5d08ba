package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mayfly.cli.code.CodeBundle;
import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Folders that bring a repository of their own, as {@code submit} packs them. The input is the
 * repository's configuration, in which {@code PROGRAM} is a program: nothing may run it.
 */
final class RepositoryTarget implements FuzzTarget {
  @Override
  public String name() {
    return "repositories";
  }

  @Override
  public List<byte[]> seeds() {
    return SeedCorpus.texts(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = PROGRAM\n\thooksPath = PROGRAM\n",
        "[core]\n\tfsmonitor = \"PROGRAM; false\"\n\tsshCommand = PROGRAM\n\tpager = PROGRAM\n",
        "[filter \"x\"]\n\tclean = PROGRAM\n\tprocess = PROGRAM\n\trequired = true\n[diff]\n\texternal = PROGRAM\n",
        "[core]\n\tworktree = /\n\texcludesFile = PROGRAM\n[extensions]\n\tworktreeConfig = true\n[alias]\n\tls-files = !PROGRAM\n",
        "[remote \"o\"]\n\tpromisor = true\n\turl = ext::PROGRAM\n\tuploadpack = PROGRAM\n[credential]\n\thelper = !PROGRAM\n");
  }

  /** Git is a process of its own. */
  @Override
  public Duration longest() {
    return Duration.ofSeconds(10);
  }

  @Override
  public boolean accepts(byte[] input) throws IOException {
    var root = Files.createTempDirectory("mayfly-fuzz-");
    try {
      var mark = root.resolve("ran");
      var program = root.resolve("program");
      Files.writeString(program, "#!/bin/sh\necho ran >>" + mark + "\n");
      if (!program.toFile().setExecutable(true)) throw new IOException("no program can be made");
      var config = new String(input, ISO_8859_1).replace("PROGRAM", program.toString());
      var folder = repository(root.resolve("code"), config);
      repository(folder.resolve("nested"), config);
      var packed = isPacked(folder);
      if (Files.exists(mark)) throw new IllegalStateException("a program of the folder ran");
      return packed;
    } finally {
      TempFolders.delete(root);
    }
  }

  private static Path repository(Path folder, String config) throws IOException {
    var git = Files.createDirectories(folder.resolve(".git"));
    for (var needed : List.of("objects", "refs", "info"))
      Files.createDirectory(git.resolve(needed));
    Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
    Files.writeString(git.resolve("config"), config, ISO_8859_1);
    Files.writeString(folder.resolve(".gitattributes"), "* filter=x diff=x\n");
    Files.writeString(folder.resolve("a.py"), "print(1)\n");
    return folder;
  }

  private static boolean isPacked(Path folder) {
    try (var bundle = CodeBundle.of(folder)) {
      return bundle.files() > 0;
    } catch (InvalidInputException refused) {
      return false;
    }
  }
}
