/** Object storage: Cloud Storage and plain files behind one port. */
@NullMarked
package dev.mayfly.gcs;

import org.jspecify.annotations.NullMarked;
