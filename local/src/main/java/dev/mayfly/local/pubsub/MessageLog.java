package dev.mayfly.local.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.RestCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unacknowledged messages and the created topics, in an append-only file with one entry per
 * line. One thread writes, and forces pending entries to disk in batches. The file is compacted at
 * each start and when few of its entries are live.
 */
final class MessageLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageLog.class);
  private static final int OVER = 20_000;

  /** Exactly one field is present. */
  record LogEntry(
      @Nullable PublishedMessage message, @Nullable String taken, @Nullable String topic) {
    byte[] line() {
      return (RestCall.JSON.writeValueAsString(this) + "\n").getBytes(UTF_8);
    }
  }

  private record PendingWrite(LogEntry fact, @Nullable CompletableFuture<Void> durable) {}

  private final Path file;
  private final LinkedBlockingQueue<PendingWrite> queue = new LinkedBlockingQueue<>();
  private final Map<String, LogEntry> alive = new LinkedHashMap<>();
  private final Thread writer =
      Thread.ofPlatform().name("pubsub-journal").daemon().unstarted(this::run);
  private FileChannel channel;
  private int over;

  /** Why nothing is written any more; empty while the thread writes. */
  private volatile Optional<String> end = Optional.empty();

  /** The last entry ends the writer thread; an interrupt would close the file during a write. */
  private static final PendingWrite END = new PendingWrite(new LogEntry(null, null, null), null);

  /** Opens or creates the file. */
  MessageLog(Path file) throws IOException {
    this.file = file;
    Files.createDirectories(file.getParent());
    if (Files.exists(file)) replay();
    channel = compacted();
    writer.start();
  }

  /** Returns the live entries; must be called before any are added. */
  List<LogEntry> alive() {
    return List.copyOf(alive.values());
  }

  /**
   * Completes when the entry is durable; fails with an {@link IOException}, also once the thread
   * that writes has ended.
   */
  CompletableFuture<Void> add(LogEntry logEntry) {
    var durable = new CompletableFuture<Void>();
    var pendingWrite = new PendingWrite(logEntry, durable);
    queue.add(pendingWrite);
    end.ifPresent(why -> {
      if (queue.remove(pendingWrite)) fail(pendingWrite, why);
    });
    return durable;
  }

  /**
   * Records that a message is acknowledged. If the record is lost, the message is delivered again.
   */
  void acknowledge(String id) {
    queue.add(new PendingWrite(new LogEntry(null, id, null), null));
  }

  /** The last line may be torn: its publisher got no reply. */
  private void replay() throws IOException {
    for (var line : new String(Files.readAllBytes(file), UTF_8).split("\n")) {
      try {
        apply(RestCall.JSON.readValue(line, LogEntry.class));
      } catch (tools.jackson.core.JacksonException e) {
        LOG.debug("a torn line: {}", e.getOriginalMessage());
      }
    }
  }

  private void apply(LogEntry logEntry) {
    if (logEntry.message() != null) alive.put(logEntry.message().id(), logEntry);
    if (logEntry.topic() != null) alive.put(logEntry.topic(), logEntry);
    if (logEntry.taken() != null) {
      alive.remove(logEntry.taken());
      over++;
    }
  }

  private FileChannel compacted() throws IOException {
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    var open =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    for (var logEntry : alive.values()) write(open, logEntry.line());
    open.force(true);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    over = 0;
    return open;
  }

  private static void write(FileChannel channel, byte[] line) throws IOException {
    for (var rest = ByteBuffer.wrap(line); rest.hasRemaining(); ) channel.write(rest);
  }

  private void run() {
    var batch = new ArrayList<PendingWrite>();
    var why =
        "Pub/Sub stores no messages any more, after a failure that is in its log; end mayfly local and start it again";
    try {
      while (true) {
        batch.add(queue.take());
        queue.drainTo(batch);
        var last = batch.remove(END);
        commit(batch);
        batch.clear();
        if (last) break;
      }
      why = "Pub/Sub has ended";
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread is never interrupted", e);
    } finally {
      end = Optional.of(why);
      queue.drainTo(batch);
      for (var late : batch) fail(late, why);
    }
  }

  /** A write that is durable already stays so. */
  private static void fail(PendingWrite pendingWrite, String why) {
    if (pendingWrite.durable() != null)
      pendingWrite.durable().completeExceptionally(new IOException(why));
  }

  private void commit(List<PendingWrite> batch) {
    try {
      write(batch);
      for (var pendingWrite : batch) {
        apply(pendingWrite.fact());
        if (pendingWrite.durable() != null) pendingWrite.durable().complete(null);
      }
      if (over > OVER && over > 4 * alive.size()) rewrite();
    } catch (IOException e) {
      for (var pendingWrite : batch)
        if (pendingWrite.durable() != null) pendingWrite.durable().completeExceptionally(e);
    }
  }

  /** A partially written line, for example on a full disk, must not corrupt the next line. */
  private void write(List<PendingWrite> batch) throws IOException {
    var good = channel.position();
    try {
      for (var pendingWrite : batch) write(channel, pendingWrite.fact().line());
      if (batch.stream().anyMatch(e -> e.durable() != null)) channel.force(false);
    } catch (IOException e) {
      channel.truncate(good);
      throw e;
    }
  }

  private void rewrite() throws IOException {
    var old = channel;
    channel = compacted();
    old.close();
  }

  /** Writes pending entries and ends. */
  @Override
  public void close() throws IOException {
    queue.add(END);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    channel.close();
  }
}
