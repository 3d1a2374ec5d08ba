/**
 * What the command about machine types prints.
 *
 * <p>Start with CatalogCommandTest.
 */
@NullMarked
package dev.mayfly.cli.catalog;

import org.jspecify.annotations.NullMarked;
