package dev.mayfly.agent.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.mayfly.agent.libc.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Waits for processes and signals them. A negative result is the negated error number. */
public final class ProcessCalls {
  static final int EINTR = 4;
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLLIN = 1;
  private static final int WNOHANG = 1;
  private static final int PR_SET_CHILD_SUBREAPER = 36;
  private static final long PIDFD_OPEN = 434;

  // Only x86-64 packs the structure: four bytes of events, then eight of data.
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
  private static final int EVENT_BYTES = PACKED ? 12 : 16;
  private static final int DATA_OFFSET = PACKED ? 4 : 8;

  private final MethodHandle kill = Libc.withErrno("kill", "II");
  private final MethodHandle waitpid = Libc.withErrno("waitpid", "IPI");
  private final MethodHandle close = Libc.withErrno("close", "I");
  private final MethodHandle syscall = Libc.variadicWithErrno("syscall", "LLL", 1);
  private final MethodHandle prctl = Libc.variadicWithErrno("prctl", "ILLLL", 1);
  private final MethodHandle epollCreate = Libc.withErrno("epoll_create1", "I");
  private final MethodHandle epollCtl = Libc.withErrno("epoll_ctl", "IIIP");
  private final MethodHandle epollWait = Libc.withErrno("epoll_wait", "IPII");

  private interface Call {
    int on(Arena arena, MemorySegment errno) throws Throwable;
  }

  private static int call(Call call) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Libc.ERRNO);
      int result = call.on(arena, state);
      return result < 0 ? -Libc.errno(state) : result;
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  int kill(int pid, int signal) {
    return call((arena, errno) -> (int) kill.invokeExact(errno, pid, signal));
  }

  /** Waits for a process and stores its status word. On failure, the negated error number. */
  int waitFor(int pid, int[] status) {
    return wait(pid, 0, status);
  }

  /** As {@link #waitFor}, but 0 while the process runs. */
  public int tryWait(int pid, int[] status) {
    return wait(pid, WNOHANG, status);
  }

  private int wait(int pid, int options, int[] status) {
    int result;
    do {
      result =
          call((arena, errno) -> {
            var word = arena.allocate(JAVA_INT);
            int r = (int) waitpid.invokeExact(errno, pid, word, options);
            status[0] = word.get(JAVA_INT, 0);
            return r;
          });
    } while (result == -EINTR);
    return result;
  }

  /** A descriptor that becomes readable when the process ends. */
  int pidfd(int pid) {
    return call((arena, errno) -> (int) syscall.invokeExact(errno, PIDFD_OPEN, (long) pid, 0L));
  }

  void close(int fd) {
    call((arena, errno) -> (int) close.invokeExact(errno, fd));
  }

  /** From now on this process adopts the orphans among its descendants. */
  public int becomeSubreaper() {
    return call(
        (arena, errno) -> (int) prctl.invokeExact(errno, PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L));
  }

  int epoll() {
    int closeOnExec = 0x80000;
    return call((arena, errno) -> (int) epollCreate.invokeExact(errno, closeOnExec));
  }

  int watch(int epoll, int fd, int data) {
    return call((arena, errno) -> {
      var event = arena.allocate(EVENT_BYTES, 8);
      event.set(JAVA_INT, 0, EPOLLIN);
      event.set(JAVA_INT, DATA_OFFSET, data);
      return (int) epollCtl.invokeExact(errno, epoll, EPOLL_CTL_ADD, fd, event);
    });
  }

  /** Waits until a process ends; fills {@code data} with the values given to {@link #watch}. */
  int await(int epoll, int[] data) {
    return call((arena, errno) -> {
      var events = arena.allocate((long) EVENT_BYTES * data.length, 8);
      int n = (int) epollWait.invokeExact(errno, epoll, events, data.length, -1);
      for (int i = 0; i < n; i++) {
        data[i] = events.get(JAVA_INT, (long) i * EVENT_BYTES + DATA_OFFSET);
      }
      return n;
    });
  }
}
