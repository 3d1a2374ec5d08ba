package dev.mayfly.core.state.job;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the job that an address means: {@code NAME}, {@code OWNER/NAME} or a uid (decision 97).
 *
 * <p>An owner is exact. A name alone is that of a job without owner; if there is none, of the only
 * job of that name, or the only live one. Several are an {@link InvalidInputException} that names
 * them.
 */
public record JobLookup(Ledger ledger) {
  private static final int MOST = 20;

  /**
   * A name in a cluster.
   *
   * @param document empty if the name was never used
   * @param outdated whether the address is the uid of a job whose name a newer job has
   */
  public record Found(
      DocumentKey.OfJobName key, Optional<VersionedDocument<JobName>> document, boolean outdated) {
    /** The newest job of the name. */
    public Optional<String> uid() {
      return document.flatMap(stored -> stored.value().job());
    }

    boolean isLive() {
      return document.filter(stored -> stored.value().live()).isPresent();
    }

    /** Whether the address is a name without owner, and the job is an owner's. */
    boolean isOthers(String address) {
      return key.owner().isPresent() && key.name().equals(address);
    }

    private String address() {
      return key.address();
    }
  }

  /** A job and its name. */
  public record Named(VersionedDocument<JobName> name, VersionedDocument<Job> job) {}

  /**
   * The job whose uid the address is. It comes before a job that is called so: programs name jobs
   * by uids, and would reach another's.
   */
  public Optional<VersionedDocument<Job>> ofUid(String cluster, String address) {
    return UserCommand.SubmitJob.isUid(address)
        ? ledger.read(new DocumentKey.OfJob(cluster, address))
        : Optional.empty();
  }

  /** The name that an address means, whether or not it has a job. */
  public Found name(String cluster, String address) {
    var ofUid = ofUid(cluster, address);
    if (ofUid.isPresent()) {
      var named = found(ofUid.get().value().nameKey());
      var newest = named.uid().filter(address::equals).isPresent();
      return new Found(named.key(), named.document(), !newest);
    }
    var exact = exact(cluster, address);
    if (exact.key().owner().isPresent() || exact.uid().isPresent()) return exact;
    if (UserCommand.SubmitJob.isUid(address)) return exact;
    var others = named(named(cluster, address).requireComplete());
    var live = others.stream().filter(Found::isLive).toList();
    var fits = live.isEmpty() ? others : live;
    if (fits.size() > 1)
      throw new InvalidInputException(
          "job",
          "several owners have a job %s: %s; name one of them with its owner, such as %s"
              .formatted(address, addresses(fits), fits.getFirst().address()));
    return fits.isEmpty() ? exact : fits.getFirst();
  }

  /**
   * The job that an address means. Throws {@link UnknownNameException} if there is none, and {@link
   * InvalidInputException} for the uid of a job whose name a newer job has.
   */
  public Named job(String cluster, String address) {
    var found = name(cluster, address);
    var job = found.uid().flatMap(uid -> ledger.read(new DocumentKey.OfJob(cluster, uid)));
    if (job.isEmpty())
      throw new UnknownNameException(
          "job", "there is no job " + address + hint(cluster, found.key()));
    if (found.outdated())
      throw new InvalidInputException(
          "job",
          "job %s has ended, and a newer one (%s) is called %s; name that one"
              .formatted(address, job.get().value().uid(), found.address()));
    return new Named(found.document().orElseThrow(), job.get());
  }

  /** Which owners have a job of that name, in words that continue a sentence; may be empty. */
  public String hint(String cluster, DocumentKey.OfJobName key) {
    if (UserCommand.SubmitJob.isUid(key.name())) return "";
    var others = named(named(cluster, key.name()).readableOnly());
    return others.isEmpty() ? "" : "; of that name there are: " + addresses(others);
  }

  /**
   * The owner's job of that name if there is or was one, otherwise the name alone, which may be a
   * uid.
   */
  public String ownFirst(String cluster, String owner, String name) {
    if (ofUid(cluster, name).isPresent()) return name;
    var own = new DocumentKey.OfJobName(cluster, Optional.of(owner), name);
    return found(own).uid().isPresent() ? own.address() : name;
  }

  /** The name exactly as the address spells it; jobs of that name of other owners do not count. */
  Found exact(String cluster, String address) {
    return found(DocumentKey.OfJobName.of(cluster, address));
  }

  private Found found(DocumentKey.OfJobName key) {
    return new Found(key, ledger.read(key), false);
  }

  private QueryResult<JobName> named(String cluster, String name) {
    return ledger.query(new LedgerQuery.JobNames(cluster, name, MOST));
  }

  /** Those that have a job. */
  private static List<Found> named(List<VersionedDocument<JobName>> documents) {
    return documents.stream()
        .filter(stored -> stored.value().job().isPresent())
        .map(stored -> new Found(stored.value().key(), Optional.of(stored), false))
        .toList();
  }

  private static String addresses(List<Found> found) {
    return found.stream().map(Found::address).collect(Collectors.joining(", "));
  }
}
