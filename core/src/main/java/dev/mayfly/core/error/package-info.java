/** What can go wrong, sorted by who can mend it. */
@NullMarked
package dev.mayfly.core.error;

import org.jspecify.annotations.NullMarked;
