/**
 * What several packages of the control plane share: its ports and times, documents that may be
 * written anew, failures of one pass, and look-ups by name.
 *
 * <p>Start with {@link dev.mayfly.core.state.Ports} and {@link dev.mayfly.core.state.Timings}.
 */
@NullMarked
package dev.mayfly.core.state;

import org.jspecify.annotations.NullMarked;
