/** Rules that hold pages to the code and to each other. */
@NullMarked
package dev.mayfly.arch.docs;

import org.jspecify.annotations.NullMarked;
