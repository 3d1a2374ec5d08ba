package dev.mayfly.sim.mutant;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** An agent's view of objects, with a mistake. */
final class ObjectStoreMutants {
  private ObjectStoreMutants() {}

  /** Writes a sentinel without the create-once condition. */
  static final class ReplacesSentinels extends ForwardingObjectStore {
    ReplacesSentinels(ObjectStore real) {
      super(real);
    }

    @Override
    public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
      var there =
          objectUrl.name().endsWith(Sentinel.SUFFIX)
              ? real.find(objectUrl)
              : Optional.<ObjectInfo>empty();
      if (there.isEmpty()) return real.create(objectUrl, content, metadata);
      return switch (real.replace(objectUrl, content, metadata, there.get().generation())) {
        case Replacement.Replaced replaced -> new Creation.Created(replaced.info());
        case Replacement.Changed changed -> new Creation.Exists(changed.there().orElseThrow());
      };
    }
  }

  /** Takes any output of Mayfly's for one of the same computation. */
  static final class AdoptsAnything extends ForwardingObjectStore {
    AdoptsAnything(ObjectStore real) {
      super(real);
    }

    @Override
    public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
      var creation = real.create(objectUrl, content, metadata);
      if (objectUrl.name().endsWith(Sentinel.SUFFIX)
          || !(creation instanceof Creation.Exists there)) return creation;
      return Sentinel.by(there.info().metadata())
          .<Creation>map(by -> new Creation.Exists(claimed(there.info(), by, metadata)))
          .orElse(creation);
    }

    private static ObjectInfo claimed(
        ObjectInfo there, Sentinel.By by, Map<String, String> metadata) {
      var claimed = new HashMap<>(metadata);
      claimed.put("mayfly-attempt", by.attempt());
      claimed.remove("mayfly-crc32c");
      return new ObjectInfo(
          there.url(), there.generation(), there.size(), there.crc32c(), claimed, there.updated());
    }
  }
}
