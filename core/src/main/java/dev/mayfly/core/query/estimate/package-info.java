/** When a job may be done, and what it costs until then. */
@NullMarked
package dev.mayfly.core.query.estimate;

import org.jspecify.annotations.NullMarked;
