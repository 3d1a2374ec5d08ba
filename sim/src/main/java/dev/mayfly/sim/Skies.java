package dev.mayfly.sim;

/** What is away for everybody, now. */
final class Skies {
  boolean control = true;
  boolean ledger = true;
  boolean objects = true;
}
