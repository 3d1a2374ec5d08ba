package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a cluster's budget, with a price for each machine type. */
final class BudgetReader {
  private final FieldReader fieldReader;
  private final List<PoolSpec> pools;

  BudgetReader(FieldReader fieldReader, List<PoolSpec> pools) {
    this.fieldReader = fieldReader;
    this.pools = pools;
  }

  Optional<HourlyBudget> budget() {
    if (fieldReader.mapping().get("budget").isEmpty()) return Optional.empty();
    var inner = fieldReader.child("budget");
    var budget = new HourlyBudget(inner.number("usdPerHour", 0), prices(inner));
    for (var missing : unpriced(budget))
      inner.addProblem(
          "prices",
          "has no price for %s; write what one costs an hour, for example {%s: 1.25}"
              .formatted(missing, missing));
    return Optional.of(budget);
  }

  private static Map<String, Double> prices(FieldReader budget) {
    var prices = new LinkedHashMap<String, Double>();
    budget
        .child("prices")
        .mapping()
        .fields()
        .forEach((type, price) -> {
          if (price instanceof SyntaxNode.Literal p && p.value() instanceof BigDecimal usd)
            prices.put(type, usd.doubleValue());
        });
    return prices;
  }

  private LinkedHashSet<String> unpriced(HourlyBudget budget) {
    var missing = new LinkedHashSet<String>();
    for (var pool : pools)
      if (budget.price(pool.machineType(), pool.provisioning()).isEmpty())
        missing.add(pool.machineType());
    return missing;
  }
}
