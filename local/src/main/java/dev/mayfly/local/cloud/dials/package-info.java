/**
 * What goes wrong in the simulated cloud, and when: read {@link
 * dev.mayfly.local.cloud.dials.Dials}.
 *
 * <p><b>Rule:</b> dials are values that others ask; they do nothing by themselves.
 */
@NullMarked
package dev.mayfly.local.cloud.dials;

import org.jspecify.annotations.NullMarked;
