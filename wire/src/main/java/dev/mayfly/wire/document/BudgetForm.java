package dev.mayfly.wire.document;

import dev.mayfly.core.model.HourlyBudget;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.wire.source.Node;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a cluster's machines may cost, with a price for each of their types. */
final class BudgetForm {
  private final Form form;
  private final List<PoolSpec> pools;

  BudgetForm(Form form, List<PoolSpec> pools) {
    this.form = form;
    this.pools = pools;
  }

  Optional<HourlyBudget> budget() {
    if (form.table().get("budget").isEmpty()) return Optional.empty();
    var inner = form.inner("budget");
    var budget = new HourlyBudget(inner.number("usdPerHour", 0), prices(inner));
    for (var missing : unpriced(budget))
      inner.complain(
          "prices",
          "has no price for %s; write what one costs an hour, for example {%s: 1.25}"
              .formatted(missing, missing));
    return Optional.of(budget);
  }

  private static Map<String, Double> prices(Form budget) {
    var prices = new LinkedHashMap<String, Double>();
    budget
        .inner("prices")
        .table()
        .fields()
        .forEach((type, price) -> {
          if (price instanceof Node.Plain p && p.value() instanceof BigDecimal usd)
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
