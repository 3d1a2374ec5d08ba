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

  /** Adds sentinels behind those that are there, without a look at what they name. */
  static final class SharesBlindly extends ForwardingObjectStore {
    private static final String SHARED = "(.*/sentinels/[0-9]{8}-)([0-9]{5})(.*)";

    SharesBlindly(ObjectStore real) {
      super(real);
    }

    @Override
    public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
      for (var at = objectUrl; ; at = next(at)) {
        var creation = real.create(at, content, metadata);
        if (creation instanceof Creation.Created || !at.name().matches(SHARED)) return creation;
      }
    }

    private static ObjectUrl next(ObjectUrl at) {
      var number = Integer.parseInt(at.name().replaceFirst(SHARED, "$2"));
      var next = "$1" + "%05d".formatted(number + 1) + "$3";
      return new ObjectUrl(at.root(), at.name().replaceFirst(SHARED, next));
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
