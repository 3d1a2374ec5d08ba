package dev.mayfly.core.port;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The documents that a query found, and those that exist but cannot be read. Every caller must say
 * how it treats the unreadable ones.
 */
public final class QueryResult<D extends LedgerDocument> {
  private final List<VersionedDocument<D>> documents;
  private final List<UnreadableDocument> unreadable;

  public QueryResult(List<VersionedDocument<D>> documents, List<UnreadableDocument> unreadable) {
    this.documents = List.copyOf(documents);
    this.unreadable = List.copyOf(unreadable);
  }

  /**
   * All documents, for decisions that need every one. Throws {@link UnreadableDocumentException} if
   * one cannot be read.
   */
  public List<VersionedDocument<D>> requireComplete() {
    if (!unreadable.isEmpty()) throw new UnreadableDocumentException(unreadable.getFirst());
    return documents;
  }

  /** The readable documents; each unreadable one is passed to {@code rest}. */
  public List<VersionedDocument<D>> readable(Consumer<UnreadableDocument> rest) {
    unreadable.forEach(rest);
    return documents;
  }

  /**
   * The readable documents, for uses that may miss some: a trigger, a choice among many, or where
   * people are informed elsewhere.
   */
  public List<VersionedDocument<D>> readableOnly() {
    return documents;
  }

  /** The same result with the readable documents sorted. */
  public QueryResult<D> sorted(Comparator<? super D> order) {
    var sorted =
        documents.stream().sorted(Comparator.comparing(VersionedDocument::value, order)).toList();
    return new QueryResult<>(sorted, unreadable);
  }

  public List<UnreadableDocument> unreadable() {
    return unreadable;
  }

  /** Whether nothing was found, readable or not. */
  public boolean isEmpty() {
    return documents.isEmpty() && unreadable.isEmpty();
  }

  /** The number of documents found, readable or not. */
  public int size() {
    return documents.size() + unreadable.size();
  }

  @Override
  public String toString() {
    return documents + (unreadable.isEmpty() ? "" : ", unreadable: " + unreadable);
  }

  public static final class Builder<D extends LedgerDocument> {
    private final List<VersionedDocument<D>> documents = new ArrayList<>();
    private final List<UnreadableDocument> unreadable = new ArrayList<>();

    /**
     * Adds the document at {@code path}. A document whose content has another key counts as
     * unreadable, because an update would be written elsewhere.
     *
     * @param store the location as a person finds it
     * @param decoded may throw any exception that says why the document is unreadable
     */
    public void add(String path, String store, Supplier<VersionedDocument<D>> decoded) {
      try {
        var stored = decoded.get();
        var own = stored.value().key().path();
        if (own.equals(path)) documents.add(stored);
        else unknown(path, "its content is that of " + own, store);
      } catch (RuntimeException | StackOverflowError unknown) {
        unknown(path, String.valueOf(unknown.getMessage()), store);
      }
    }

    private void unknown(String path, String cause, String store) {
      unreadable.add(new UnreadableDocument(path, cause, store));
    }

    public QueryResult<D> build() {
      return new QueryResult<>(documents, unreadable);
    }
  }
}
