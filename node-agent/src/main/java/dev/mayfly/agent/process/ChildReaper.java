package dev.mayfly.agent.process;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One thread that waits for all spawned processes.
 *
 * <p>Waits on process descriptors, never for "any child", so that it cannot consume an exit status
 * that the JDK's ProcessBuilder waits for.
 */
final class ChildReaper implements Runnable {
  private final ProcessCalls calls;
  private final int epoll;
  private final Map<Integer, Child> children = new ConcurrentHashMap<>();

  private ChildReaper(ProcessCalls calls, int epoll) {
    this.calls = calls;
    this.epoll = epoll;
  }

  static ChildReaper start(ProcessCalls calls) {
    int epoll = calls.epoll();
    if (epoll < 0) {
      throw new IllegalStateException("epoll_create1 failed with error " + -epoll);
    }
    var childReaper = new ChildReaper(calls, epoll);
    childReaper.probe();
    Thread.ofPlatform().name("reaper").daemon().stackSize(256 * 1024).start(childReaper);
    return childReaper;
  }

  /** Detects a kernel without process descriptors before the first task. */
  private void probe() {
    int self = calls.pidfd((int) ProcessHandle.current().pid());
    if (self < 0) {
      throw new IllegalStateException("pidfd_open failed with error " + -self);
    }
    calls.close(self);
  }

  /** Takes over a process that was just spawned and not yet waited for. */
  RunningProcess adopt(int pid) {
    int fd = calls.pidfd(pid);
    var child = new Child(pid, fd);
    children.put(pid, child);
    int error = fd < 0 ? fd : calls.watch(epoll, fd, pid);
    if (error < 0) {
      // Out of descriptors: wait for this process on a thread of its own.
      Thread.ofPlatform().name("reaper-" + pid).daemon().start(() -> reap(child));
    }
    return child;
  }

  @Override
  public void run() {
    var ended = new int[64];
    while (true) {
      int n = calls.await(epoll, ended);
      for (int i = 0; i < n; i++) {
        var child = children.get(ended[i]);
        if (child != null) {
          reap(child);
        }
      }
    }
  }

  private void reap(Child child) {
    children.remove(child.pid, child);
    child.exited.complete(child.reap());
  }

  /**
   * How the child ended, by what waiting for it returned. If another took the answer away, nobody
   * knows how: it counts as killed, because as a success its output would be sealed.
   */
  static ProcessExit ended(int pid, int waited, int status) {
    return waited == pid ? decode(status) : new ProcessExit.Signal(RunningProcess.Sig.KILL.number);
  }

  private static ProcessExit decode(int status) {
    int signal = status & 0x7f;
    return signal == 0 ? new ProcessExit.Code(status >> 8 & 0xff) : new ProcessExit.Signal(signal);
  }

  private final class Child implements RunningProcess {
    private final int pid;
    private final int fd;
    private final CompletableFuture<ProcessExit> exited = new CompletableFuture<>();
    private boolean signalled;
    private boolean reaped;

    Child(int pid, int fd) {
      this.pid = pid;
      this.fd = fd;
    }

    @Override
    public long pid() {
      return pid;
    }

    @Override
    public CompletableFuture<ProcessExit> exit() {
      return exited;
    }

    @Override
    public synchronized void signal(Sig signal) {
      if (!reaped) {
        signalled = true;
        calls.kill(-pid, signal.number);
      }
    }

    private ProcessExit reap() {
      var status = new int[1];
      if (fd < 0) {
        return ended(pid, waitWithoutDescriptor(status), status[0]);
      }
      int waited;
      synchronized (this) {
        killGroup();
        waited = calls.waitFor(pid, status);
        reaped = true;
      }
      calls.close(fd);
      return ended(pid, waited, status[0]);
    }

    /** Waits without the lock, so that the process can still be signalled. */
    private int waitWithoutDescriptor(int[] status) {
      int waited = calls.waitFor(pid, status);
      synchronized (this) {
        killGroup();
        reaped = true;
      }
      return waited;
    }

    /**
     * Until the dead leader is waited for, no other group can get its number. After a SIGTERM the
     * shell may end first; its children keep their grace period.
     */
    private void killGroup() {
      if (!signalled) {
        calls.kill(-pid, Sig.KILL.number);
      }
    }
  }
}
