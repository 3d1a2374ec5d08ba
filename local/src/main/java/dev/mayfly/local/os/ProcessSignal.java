package dev.mayfly.local.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Sends a signal to many processes with the shell's built-in {@code kill}. */
public enum ProcessSignal {
  STOP,
  CONT,
  KILL;

  /** Sends the signal; ignores processes that are gone. */
  public void send(Collection<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    var command = new ArrayList<>(List.of("/bin/sh", "-c", "kill -" + name() + " \"$@\"", "sh"));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start /bin/sh to send " + name() + " to " + pids, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
