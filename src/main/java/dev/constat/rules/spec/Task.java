package dev.constat.rules.spec;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a run makes of the archives that a run spec names. */
public sealed interface Task extends Serializable permits Task.Reconcile, Rebuild, Plan {

  /** The main job: judge everything. */
  Reconcile RECONCILE = new Reconcile();

  /** The command that asks for it. */
  String command();

  /** Its name in the text that a run's id follows from; null where it needs none. */
  String name();

  /**
   * Everything about it that its result depends on, by name, as text; null where something was not
   * given.
   */
  Map<String, String> settings();

  /** The main job. */
  record Reconcile() implements Task {

    @Override
    public String command() {
      return "reconcile";
    }

    @Override
    public String name() {
      return null;
    }

    @Override
    public Map<String, String> settings() {
      return new LinkedHashMap<>();
    }
  }
}
