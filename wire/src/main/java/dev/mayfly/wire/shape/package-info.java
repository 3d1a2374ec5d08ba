/**
 * Records as JSON objects, and back.
 *
 * <p>Start with {@link dev.mayfly.wire.shape.Shapes}: it finds the shape of a type once, from its
 * record components, and keeps it. Field names are the components' names, in their order; maps are
 * sorted by key, so that equal values are equal bytes. An empty {@code Optional} is left out. A
 * sealed interface's records carry one more field that says which they are: {@code state} where the
 * interface is named so, else {@code kind}. What is read may have fields that this version does not
 * know, and may lack fields that it knows: those are empty, zero, false or the epoch; a text, a
 * duration or an object that is missing is an error.
 */
@NullMarked
package dev.mayfly.wire.shape;

import org.jspecify.annotations.NullMarked;
