package dev.mayfly.core.port;

import java.util.List;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param objects in the order of their names, {@link ObjectNames#ORDER}
 * @param unusable names below the prefix that no {@link ObjectUrl} can have; their objects are left
 *     out. Over all pages of a listing each occurs once
 * @param next the name after which the listing continues; empty at its end. It may be the name of
 *     an object that was left out
 */
public record ObjectPage(List<ObjectInfo> objects, List<String> unusable, Optional<String> next) {
  /** The most objects of one page. */
  public static final int MOST = 1_000;

  public ObjectPage {
    objects = List.copyOf(objects);
    unusable = List.copyOf(unusable);
  }

  /** What a page of {@code limit} objects may hold; throws for a limit that asks for nothing. */
  public static int size(int limit) {
    if (limit < 1) throw new IllegalArgumentException("a page of " + limit + " objects has none");
    return Math.min(limit, MOST);
  }
}
