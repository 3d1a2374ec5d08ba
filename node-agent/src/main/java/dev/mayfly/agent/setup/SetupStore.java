package dev.mayfly.agent.setup;

import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.files.LastingFolders.SetupFolder;
import dev.mayfly.agent.process.TaskUser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The setups of this machine, each made once: the first task makes it, those that come meanwhile
 * wait for it. What is half made is deleted, at once or by the next agent, because the mark of a
 * finished one is written last.
 */
public final class SetupStore {
  private static final Logger LOG = LoggerFactory.getLogger(SetupStore.class);

  private final LastingFolders lastingFolders;
  private final Map<Path, Turn> turns = new ConcurrentHashMap<>();

  public SetupStore(LastingFolders lastingFolders) {
    this.lastingFolders = lastingFolders;
  }

  /** Fills a setup's folder. */
  public interface Filling {
    /** Returns when the folder's content is complete and no process of the setup is left. */
    void fill(SetupFolder setup) throws IOException, SetupFailedException, InterruptedException;
  }

  /** One setup's tries: of those who wait for one that fails for good, none tries it again. */
  private static final class Turn {
    final ReentrantLock lock = new ReentrantLock(true);
    final AtomicInteger tries = new AtomicInteger();
    @Nullable SetupFailedException failure;
  }

  /**
   * The folder with a finished setup, which stays until the attempt leaves {@link LastingFolders}.
   *
   * @param attempt uses it
   * @param user that tasks run as; empty for the agent's
   */
  public Path ready(String attempt, String key, Optional<TaskUser> user, Filling filling)
      throws IOException, SetupFailedException, InterruptedException {
    var setup = lastingFolders.setup(attempt, key, user);
    if (setup.isComplete()) return setup.content();
    var turn = turns.computeIfAbsent(setup.folder(), folder -> new Turn());
    var seen = turn.tries.get();
    turn.lock.lockInterruptibly();
    try {
      if (setup.isComplete()) return setup.content();
      var failure = turn.failure;
      if (turn.tries.get() > seen && failure != null)
        throw new SetupFailedException(failure.failureCause(), failure.evidence());
      make(setup, user, filling, turn);
      return setup.content();
    } finally {
      turn.lock.unlock();
    }
  }

  private void make(SetupFolder setup, Optional<TaskUser> user, Filling filling, Turn turn)
      throws IOException, SetupFailedException, InterruptedException {
    turn.failure = null;
    lastingFolders.trim();
    lastingFolders.renew(setup, user);
    var finished = false;
    try {
      filling.fill(setup);
      setup.complete();
      finished = true;
    } catch (SetupFailedException e) {
      if (e.isLasting()) turn.failure = e;
      throw e;
    } finally {
      turn.tries.incrementAndGet();
      if (!finished) discard(setup);
    }
  }

  private void discard(SetupFolder setup) {
    try {
      lastingFolders.remove(setup);
    } catch (IOException e) {
      // The next try deletes it first.
      LOG.warn("half-made setup not deleted folder={} reason={}", setup.folder(), e.toString());
    }
  }
}
