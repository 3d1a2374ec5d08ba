/** What to start and what to stop, from one view of a cluster. */
@NullMarked
package dev.mayfly.core.plan;

import org.jspecify.annotations.NullMarked;
