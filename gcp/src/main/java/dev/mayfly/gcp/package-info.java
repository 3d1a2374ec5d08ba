/**
 * What all adapters of Google Cloud share: {@link dev.mayfly.gcp.StartupScript}, which machines of
 * every kind run at their boot.
 *
 * <p><b>Rule:</b> the packages below do not know each other.
 */
@NullMarked
package dev.mayfly.gcp;

import org.jspecify.annotations.NullMarked;
