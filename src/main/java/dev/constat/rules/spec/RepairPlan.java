package dev.constat.rules.spec;

import java.util.LinkedHashMap;
import java.util.Map;

/** The messages that would have to be sent again to mend the errors that reconciliation finds. */
public record RepairPlan() implements Plan {

  @Override
  public String name() {
    return "repair_plan";
  }

  @Override
  public Map<String, String> settings() {
    return new LinkedHashMap<>();
  }
}
