/** What the cluster and its work consist of, as values. */
@NullMarked
package dev.mayfly.core.model;

import org.jspecify.annotations.NullMarked;
