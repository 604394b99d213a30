package dev.constat.rules.spec;

/** A list of what somebody would have to publish; nothing of it is ever carried out. */
public sealed interface Plan extends Task permits ReplayPlan, RepairPlan {

  @Override
  default String command() {
    return "plan-replay";
  }
}
