package dev.mayfly.core.port;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.LedgerDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Documents that a question found, those that cannot be read among them: they are there, and what
 * is in them is unknown. Nobody gets the others without saying what becomes of these.
 */
public final class QueryResult<D extends LedgerDocument> {
  private final List<VersionedDocument<D>> documents;
  private final List<UnreadableDocument> unreadable;

  public QueryResult(List<VersionedDocument<D>> documents, List<UnreadableDocument> unreadable) {
    this.documents = List.copyOf(documents);
    this.unreadable = List.copyOf(unreadable);
  }

  /**
   * All of them, for what may be decided by the whole only. Throws {@link
   * UnreadableDocumentException}.
   */
  public List<VersionedDocument<D>> requireComplete() {
    if (!unreadable.isEmpty()) throw new UnreadableDocumentException(unreadable.getFirst());
    return documents;
  }

  /** Those that can be read; the others go to {@code rest}, one by one. */
  public List<VersionedDocument<D>> readable(Consumer<UnreadableDocument> rest) {
    unreadable.forEach(rest);
    return documents;
  }

  /**
   * Those that can be read, for what may miss some: a hint, a choice among many, what is told to
   * people elsewhere.
   */
  public List<VersionedDocument<D>> readableOnly() {
    return documents;
  }

  /** The same, those that can be read in another order. */
  public QueryResult<D> sorted(Comparator<? super D> order) {
    var sorted =
        documents.stream().sorted(Comparator.comparing(VersionedDocument::value, order)).toList();
    return new QueryResult<>(sorted, unreadable);
  }

  public List<UnreadableDocument> unreadable() {
    return unreadable;
  }

  /** Whether nothing was found, not even what cannot be read. */
  public boolean isEmpty() {
    return documents.isEmpty() && unreadable.isEmpty();
  }

  /** How many were found, readable or not. */
  public int size() {
    return documents.size() + unreadable.size();
  }

  @Override
  public String toString() {
    return documents + (unreadable.isEmpty() ? "" : ", unreadable: " + unreadable);
  }

  /** Collects one. */
  public static final class Builder<D extends LedgerDocument> {
    private final List<VersionedDocument<D>> documents = new ArrayList<>();
    private final List<UnreadableDocument> unreadable = new ArrayList<>();

    /**
     * Adds the document at {@code path}. One whose content says that it is another cannot be read
     * either: what is written of it would go elsewhere.
     *
     * @param store as a person finds it
     * @param decoded may throw whatever says why it cannot be read
     */
    public void add(String path, String store, Supplier<VersionedDocument<D>> decoded) {
      try {
        var versionedDocument = decoded.get();
        var own = versionedDocument.value().key().path();
        if (own.equals(path)) documents.add(versionedDocument);
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
