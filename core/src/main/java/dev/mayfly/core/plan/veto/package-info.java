/**
 * Why something that is wanted does not happen, as values, and their words for people.
 *
 * <p>Start with {@link dev.mayfly.core.plan.veto.Veto}. {@link dev.mayfly.core.plan.veto.VetoText}
 * is the only place with words for it, and {@link dev.mayfly.core.plan.veto.Remedies} says what
 * helps.
 *
 * <p><b>Rule:</b> decisions compare vetoes, never their words.
 */
@NullMarked
package dev.mayfly.core.plan.veto;

import org.jspecify.annotations.NullMarked;
