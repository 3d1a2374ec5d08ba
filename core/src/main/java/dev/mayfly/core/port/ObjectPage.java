package dev.mayfly.core.port;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing.
 *
 * @param objects in the order of their names, {@link ObjectNames#ORDER}
 * @param unusable names below the prefix that no {@link ObjectUrl} can have, and in a folder those
 *     of links that lead nowhere, pipes and the like; they are left out. Each occurs once over all
 *     pages of a listing
 * @param next the name after which the listing continues; empty at its end. It may be the name of
 *     an object that was left out
 */
public record ObjectPage(List<ObjectInfo> objects, List<String> unusable, Optional<String> next) {
  public static final int MAX_OBJECTS = 1_000;

  public ObjectPage {
    objects = List.copyOf(objects);
    unusable = List.copyOf(unusable);
  }

  /** The page size for {@code limit}; throws if {@code limit} is less than 1. */
  public static int size(int limit) {
    if (limit < 1) throw new IllegalArgumentException("a page of " + limit + " objects has none");
    return Math.min(limit, MAX_OBJECTS);
  }
}
