package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cleanup pass found in the cloud and in the ledger. What could not be read is missing here,
 * so nothing is decided about it.
 */
sealed interface OrphanFacts {
  /** When it was found. */
  Instant at();

  /** How old a machine or a leftover must be before a missing worker proves anything. */
  Duration grace();

  /** All readable clusters of this ledger by uid, those that are gone too. */
  Map<String, Cluster> clusters();

  /**
   * @param complete whether the list of machines is; an incomplete one is evidence of nothing
   * @param listed the listed machines to compare
   * @param unlisted the workers to compare whose machines are not listed
   */
  record Machines(
      Instant at,
      Duration grace,
      Map<String, Cluster> clusters,
      boolean complete,
      List<ListedMachine> listed,
      List<UnlistedWorker> unlisted)
      implements OrphanFacts {
    public Machines {
      clusters = Map.copyOf(clusters);
      listed = List.copyOf(listed);
      unlisted = List.copyOf(unlisted);
    }
  }

  record Leftovers(
      Instant at, Duration grace, Map<String, Cluster> clusters, List<FoundLeftover> found)
      implements OrphanFacts {
    public Leftovers {
      clusters = Map.copyOf(clusters);
      found = List.copyOf(found);
    }
  }

  /**
   * @param worker the document of the worker that the machine's labels name; empty if there is none
   */
  record ListedMachine(CloudMachine machine, Optional<VersionedDocument<Worker>> worker) {}

  record UnlistedWorker(VersionedDocument<Worker> worker, Lookup lookup) {}

  /**
   * @param worker the document of the worker that its labels name; empty if there is none
   */
  record FoundLeftover(Leftover leftover, Optional<Worker> worker) {}

  /** What the cloud said about one machine that its list lacks. */
  enum Lookup {
    NOT_LOOKED_UP,
    /** The cloud still works on the machine's order. */
    ORDER_PENDING,
    FOUND,
    /** A 404 for the machine itself. */
    MISSING
  }
}
