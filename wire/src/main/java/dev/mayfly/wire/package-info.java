/** Core's values to and from the JSON of {@code schemas/}. */
@NullMarked
package dev.mayfly.wire;

import org.jspecify.annotations.NullMarked;
