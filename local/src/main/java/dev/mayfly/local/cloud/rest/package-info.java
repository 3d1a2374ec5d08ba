/**
 * What Google's JSON services have in common on the wire: paths, parameters, bodies, errors.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.rest.Rest}, which makes a handler of a function from
 * {@link dev.mayfly.local.cloud.rest.Call}s.
 */
@NullMarked
package dev.mayfly.local.cloud.rest;

import org.jspecify.annotations.NullMarked;
