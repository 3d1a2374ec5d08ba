package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Fake programs on their own PATH; each records its arguments, one per line. */
public final class FakePrograms {
  private final Path folder;

  public FakePrograms(Path folder) {
    this.folder = folder;
  }

  /** A program that records its arguments and then runs the shell text. */
  public FakePrograms with(String name, String shell) throws IOException {
    var file = folder.resolve(name);
    Files.writeString(
        file,
        "#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done >>" + log(name) + "\n" + shell + "\n");
    file.toFile().setExecutable(true);
    return this;
  }

  public Map<String, String> environment() {
    return Map.of("PATH", folder + ":/usr/bin:/bin");
  }

  /** Without any other program. */
  public Map<String, String> alone() {
    return Map.of("PATH", folder.toString());
  }

  public List<String> arguments(String name) throws IOException {
    return Files.exists(log(name)) ? Files.readAllLines(log(name)) : List.of();
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }
}
