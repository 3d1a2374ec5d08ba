/**
 * The tables of machine types and prices, and what is read from them.
 *
 * <p>Start with MachineTypesTest.
 */
@NullMarked
package dev.mayfly.core.catalog;

import org.jspecify.annotations.NullMarked;
