package dev.mayfly.agent.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.mayfly.agent.libc.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;

/**
 * The {@code posix_spawn} family.
 *
 * <p>The structures of glibc and musl are opaque and have at most 336 bytes; each gets a kilobyte.
 */
final class SpawnCalls {
  private static final int OPAQUE_BYTES = 1024;
  private static final short SETSIGDEF = 0x04;
  private static final short SETSIGMASK = 0x08;
  private static final short SETSID = 0x80;
  private static final int WRONLY_CREAT_APPEND = 0x1 | 0x40 | 0x400;

  /** A flag whose value depends on the processor. */
  private static final int NOFOLLOW =
      System.getProperty("os.arch").equals("aarch64") ? 0x8000 : 0x20000;

  private final MethodHandle spawn = Libc.bind("posix_spawn", "PPPPPP");
  private final MethodHandle actionsInit = Libc.bind("posix_spawn_file_actions_init", "P");
  private final MethodHandle actionsDestroy = Libc.bind("posix_spawn_file_actions_destroy", "P");
  private final MethodHandle addOpen = Libc.bind("posix_spawn_file_actions_addopen", "PIPII");
  private final MethodHandle addDup2 = Libc.bind("posix_spawn_file_actions_adddup2", "PII");
  private final MethodHandle addChdir = Libc.bind("posix_spawn_file_actions_addchdir_np", "PP");
  private final MethodHandle addCloseFrom =
      Libc.bind("posix_spawn_file_actions_addclosefrom_np", "PI");
  private final MemorySegment attributes;

  SpawnCalls() {
    attributes = attributes(Arena.global());
  }

  /** A new session, no blocked or ignored signals (the JVM blocks and handles some). */
  private static MemorySegment attributes(Arena arena) {
    var attr = arena.allocate(OPAQUE_BYTES, 16);
    var none = arena.allocate(OPAQUE_BYTES, 16);
    var all = arena.allocate(OPAQUE_BYTES, 16);
    try {
      ok((int) Libc.bind("sigemptyset", "P").invokeExact(none));
      ok((int) Libc.bind("sigfillset", "P").invokeExact(all));
      ok((int) Libc.bind("posix_spawnattr_init", "P").invokeExact(attr));
      ok((int) Libc.bind("posix_spawnattr_setsigmask", "PP").invokeExact(attr, none));
      ok((int) Libc.bind("posix_spawnattr_setsigdefault", "PP").invokeExact(attr, all));
      int flags = SETSID | SETSIGMASK | SETSIGDEF;
      ok((int) Libc.bind("posix_spawnattr_setflags", "PI").invokeExact(attr, flags));
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
    return attr;
  }

  /** The new process's id, or the negated error number. */
  int spawn(String program, ProcessCommand processCommand) {
    try (var arena = Arena.ofConfined()) {
      var actions = arena.allocate(OPAQUE_BYTES, 16);
      ok((int) actionsInit.invokeExact(actions));
      try {
        addActions(arena, actions, processCommand);
        var whole = processCommand.fullArgv();
        var first = processCommand.steps().isEmpty() ? program : whole.getFirst();
        var pid = arena.allocate(JAVA_INT);
        var argv = strings(arena, whole);
        var envp = strings(arena, assignments(processCommand.initialEnvironment()));
        int error =
            (int)
                spawn.invokeExact(pid, arena.allocateFrom(first), actions, attributes, argv, envp);
        return error == 0 ? pid.get(JAVA_INT, 0) : -error;
      } finally {
        ok((int) actionsDestroy.invokeExact(actions));
      }
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  private void addActions(Arena arena, MemorySegment actions, ProcessCommand processCommand)
      throws Throwable {
    var nothing = arena.allocateFrom("/dev/null");
    var output = arena.allocateFrom(processCommand.output().toAbsolutePath().toString());
    var directory = arena.allocateFrom(processCommand.directory().toAbsolutePath().toString());
    ok((int) addOpen.invokeExact(actions, 0, nothing, 0, 0));
    ok((int) addOpen.invokeExact(actions, 1, output, WRONLY_CREAT_APPEND | NOFOLLOW, 0600));
    ok((int) addDup2.invokeExact(actions, 1, 2));
    ok((int) addChdir.invokeExact(actions, directory));
    // Some of the JVM's descriptors are not closed on exec; a task must not hold the agent's
    // sockets.
    ok((int) addCloseFrom.invokeExact(actions, 3));
  }

  private static List<String> assignments(Map<String, String> environment) {
    return environment.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  private static MemorySegment strings(Arena arena, List<String> texts) {
    var array = arena.allocate(ADDRESS, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
    }
    array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
    return array;
  }

  private static void ok(int error) {
    if (error != 0) {
      throw new IllegalStateException("error number " + error + " while preparing a process");
    }
  }
}
