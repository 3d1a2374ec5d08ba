/**
 * The three ways to a control plane: {@link dev.mayfly.cli.reach.Topics} publishes, {@link
 * dev.mayfly.cli.reach.Api} reads, and objects are read and written through {@code
 * dev.mayfly.gcs.ObjectStores}.
 *
 * <p>Start with {@link dev.mayfly.cli.reach.Site}, which knows where they are.
 *
 * <p><b>Rule:</b> no Google client is named here, so that a command that touches no object loads
 * none.
 */
@NullMarked
package dev.mayfly.cli.reach;

import org.jspecify.annotations.NullMarked;
