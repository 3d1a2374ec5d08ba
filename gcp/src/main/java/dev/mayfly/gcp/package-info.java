/**
 * What all adapters of Google Cloud share: {@link dev.mayfly.gcp.StartupScript}, which machines of
 * every kind run at their boot, and how Google's clients are made ({@link
 * dev.mayfly.gcp.LazyClient}), for Google itself or for what stands in for it ({@link
 * dev.mayfly.gcp.EndpointOverride}).
 *
 * <p>Module {@code local} has the tests of these adapters, since it has the servers that they need.
 *
 * <p><b>Rule:</b> the packages below do not know each other.
 */
@NullMarked
package dev.mayfly.gcp;

import org.jspecify.annotations.NullMarked;
