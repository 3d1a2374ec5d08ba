package dev.mayfly.local.machines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.os.ProcessSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The processes of the machines of one cloud folder, found by what they have in their environment:
 * for when the cloud itself is gone or does not answer.
 */
public final class MachineProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final Pattern MARKER = Pattern.compile("\0(MAYFLY_VM=[^\0]+)\0");
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path vms;

  /**
   * @param cloud the folder of the cloud's state
   */
  public MachineProcesses(Path cloud) {
    vms = cloud.resolve("vms").toAbsolutePath();
  }

  /**
   * Kills all of them, and unmounts their buckets.
   *
   * @return by the machine's folder, those that are still alive after the limit
   */
  public Map<String, Set<Long>> endAll(Duration limit) {
    var deadline = System.nanoTime() + limit.toNanos();
    var known = new HashMap<String, String>();
    var left = left(known);
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      left.values().forEach(ProcessSignal.STOP::send);
      left(known).values().forEach(ProcessSignal.KILL::send);
      LockSupport.parkNanos(PAUSE.toNanos());
      left = left(known);
    }
    BucketMounts.release(vms);
    return left;
  }

  /**
   * @param known machines by marker; grows, because a machine's last process may no longer name its
   *     folder
   */
  private Map<String, Set<Long>> left(Map<String, String> known) {
    var names = PROC.toFile().list();
    for (var name : names == null ? new String[0] : names)
      if (Character.isDigit(name.charAt(0))) find(name, known);
    var left = new LinkedHashMap<String, Set<Long>>();
    known.forEach((marker, machine) -> {
      var members = ProcessTable.members(marker, Optional.empty());
      if (!members.isEmpty()) left.computeIfAbsent(machine, _ -> new TreeSet<>()).addAll(members);
    });
    return left;
  }

  private void find(String pid, Map<String, String> known) {
    try {
      var environment =
          "\0" + Files.readString(PROC.resolve(pid).resolve("environ"), ISO_8859_1) + "\0";
      var place = new String(vms.toString().getBytes(UTF_8), ISO_8859_1) + "/";
      var at = environment.indexOf(place);
      var marker = MARKER.matcher(environment);
      if (at < 0 || !marker.find()) return;
      var parts = environment.substring(at + place.length()).split("[/\0]", 3);
      if (parts.length > 1) known.putIfAbsent(marker.group(1), parts[1]);
    } catch (IOException goneOrForeign) {
      // It has ended, or it is another user's.
    }
  }
}
