package dev.constat.rules.spec;

/**
 * The way from the top of a run spec, or of another file of its kind, to one of its values.
 *
 * @param parent the way to what holds it; null at the top
 * @param name the key, or "" for an item of a list; at the top what the file is, or "" for a run
 *     spec
 * @param index the position in a list, or -1
 */
record KeyPath(KeyPath parent, String name, int index) {

  /** The run spec as a whole. */
  static final KeyPath ROOT = new KeyPath(null, "", -1);

  /** A profile of {@code generate} as a whole. */
  static final KeyPath PROFILE = new KeyPath(null, "profile", -1);

  /** A baseline as a whole. */
  static final KeyPath BASELINE = new KeyPath(null, "baseline", -1);

  KeyPath key(String key) {
    return new KeyPath(this, key, -1);
  }

  KeyPath item(int position) {
    return new KeyPath(this, "", position);
  }

  /** The last key, with the positions behind it: {@code files[1]}. */
  String label() {
    if (parent == null) {
      return "The " + noun();
    }
    return index < 0 ? Reading.shortened(name) : parent.label() + "[" + index + "]";
  }

  /** How messages name what stands here: its full path, or the run spec. */
  String title() {
    return parent == null ? "the " + noun() : toString();
  }

  /** What the file is; of the way to it alone. */
  String noun() {
    return name.isEmpty() ? "run spec" : name;
  }

  @Override
  public String toString() {
    if (parent == null) {
      return "";
    }
    if (index >= 0) {
      return parent + "[" + index + "]";
    }
    return parent.parent == null ? name : parent + "." + name;
  }
}
