/**
 * Shared code of the Google Cloud adapters: {@link dev.mayfly.gcp.StartupScript}, which all
 * machines run at boot, and the creation of Google's clients ({@link dev.mayfly.gcp.LazyClient}),
 * for Google or a replacement ({@link dev.mayfly.gcp.EndpointOverride}).
 *
 * <p>Module {@code local} has the tests of these adapters, because it has the servers that they
 * need.
 *
 * <p><b>Rule:</b> the subpackages do not use each other.
 */
@NullMarked
package dev.mayfly.gcp;

import org.jspecify.annotations.NullMarked;
