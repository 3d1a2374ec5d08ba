/**
 * The command that prints machine types, TPU types and their list prices.
 *
 * <p>Start with {@link dev.mayfly.cli.catalog.CatalogCommand}.
 */
@NullMarked
package dev.mayfly.cli.catalog;

import org.jspecify.annotations.NullMarked;
