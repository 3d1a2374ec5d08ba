package dev.mayfly.agent.runner;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.RunnerTask;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the lines of tasks that a runner reads. */
final class TaskWriter {
  private static final Logger LOG = LoggerFactory.getLogger(TaskWriter.class);

  /** A line is written at once only if the pipe has room for all of it. */
  private static final int LONGEST = 60 << 10;

  private static final int PAGE = 4 << 10;

  private final MarkedPipe pipe;
  private int length;
  private int unwritten;

  TaskWriter(MarkedPipe pipe) {
    this.pipe = pipe;
  }

  Path path() {
    return pipe.path();
  }

  /** The line of a task. Throws {@link InvalidInputException} if it is too long. */
  static byte[] line(RunnerTask task) {
    var json = Wire.shared().json(task);
    if (json.length >= LONGEST)
      throw new InvalidInputException(
          "runner",
          "a task's variables are %d KB; %d KB at most can be given to a runner: put the rest in a file"
              .formatted(json.length >> 10, LONGEST >> 10));
    var line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  /** Call it before {@link #write}. */
  synchronized void begin(byte[] line) {
    length = line.length;
    unwritten = line.length;
  }

  /**
   * Writes a line that an empty pipe has room for whatever its size, a page at least, so that
   * nobody has to wait; false if it is not written.
   */
  boolean writeAtOnce(byte[] line) {
    if (line.length > PAGE || pipe.unread() != 0) return false;
    write(line);
    return true;
  }

  /** Returns when the pipe has the line. */
  void write(byte[] line) {
    try {
      pipe.write(line);
      synchronized (this) {
        unwritten = 0;
      }
    } catch (IOException e) {
      // Closed, because its processes are being ended.
      LOG.debug("task not given pipe={} reason={}", pipe.path(), e.toString());
    }
  }

  /** Whether nobody has read anything of the last line. */
  synchronized boolean isUnread() {
    return unwritten > 0 || pipe.unread() >= length;
  }

  /** The runner reads the end of its tasks; a repeat does nothing. */
  void close() {
    try {
      pipe.close();
    } catch (IOException e) {
      LOG.debug("tasks not closed pipe={} reason={}", pipe.path(), e.toString());
    }
  }
}
