/** Who may run which shard, and until when. */
@NullMarked
package dev.mayfly.core.lease;

import org.jspecify.annotations.NullMarked;
