/** What the core asks of the world. */
@NullMarked
package dev.mayfly.core.port;

import org.jspecify.annotations.NullMarked;
