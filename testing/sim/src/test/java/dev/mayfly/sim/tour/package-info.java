/**
 * Situations in which a job waits or fails, as the control plane answers about them.
 *
 * <p>Start at {@code TourTest}: it compares the answers with the files that {@code docs/tour.md} is
 * printed from, and that the page of {@code mayfly ui} is opened on.
 */
@org.jspecify.annotations.NullMarked
package dev.mayfly.sim.tour;
