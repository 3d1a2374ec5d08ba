/**
 * What several packages of the control plane share: its ports and times, documents that can be
 * rebuilt, failures of one pass, and lookups by name.
 *
 * <p>Start with {@link dev.mayfly.core.state.Ports} and {@link dev.mayfly.core.state.Timings}.
 */
@NullMarked
package dev.mayfly.core.state;

import org.jspecify.annotations.NullMarked;
