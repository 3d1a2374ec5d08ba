package dev.mayfly.agent.os;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One attempt's private folder, gone after it.
 *
 * @param folder holds the input, the output and the log beside the working directory, where the
 *     command does not stumble on them
 * @param work where the command starts, with the job's code in it
 * @param owner gets it back
 */
public record AttemptDir(Path folder, Path work, WorkDir owner) implements AutoCloseable {
  /** The folders that an attempt's folder always has. */
  static final List<String> ROOMS = List.of("work", "in", "out", "tmp");

  private static final int LONGEST_NAME = 100;

  /** Standard output and standard error. */
  public Path log() {
    return folder.resolve("output.log");
  }

  /** Where the input is put; it keeps its name, since programs read meaning from an extension. */
  public Path input(String name) {
    return folder.resolve("in").resolve(safe(name, "input"));
  }

  /** Where the command leaves its output. */
  public Path output(String name) {
    return folder.resolve("out").resolve(safe(name, "output"));
  }

  /** What the command takes for the machine's temporary folder. */
  public Path temporary() {
    return folder.resolve("tmp");
  }

  /** Copies a job's code into the working directory; a change there reaches nobody else. */
  public void fill(Path code) throws IOException {
    Trees.copy(code, work);
  }

  @Override
  public void close() throws IOException {
    owner.takeBack(folder);
  }

  /** An object's name can hold anything; a file's must stay in its folder. */
  private static String safe(String name, String fallback) {
    var plain = name.replaceAll("[/\\p{Cntrl}]", "_");
    if (plain.length() > LONGEST_NAME) {
      plain = plain.substring(plain.length() - LONGEST_NAME);
    }
    return plain.isEmpty() || plain.equals(".") || plain.equals("..") ? fallback : plain;
  }
}
