package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/**
 * One key of a group: what it holds and whether it must be there.
 *
 * @param <G> what the group is read into
 * @param <T> what the key holds
 */
final class Key<G, T> {

  private final String name;
  private final Shape<T> shape;
  private final Function<G, T> getter;
  private final boolean required;
  private final T fallback;
  private final String doc;
  private final T example;
  private final String refusal;
  private final String remedy;
  private final String instead;
  private final boolean particular;

  private Key(
      String name,
      Shape<T> shape,
      Function<G, T> getter,
      boolean required,
      T fallback,
      String doc,
      T example,
      String refusal,
      String remedy,
      String instead,
      boolean particular) {
    this.name = name;
    this.shape = shape;
    this.getter = getter;
    this.required = required;
    this.fallback = fallback;
    this.doc = doc;
    this.example = example;
    this.refusal = refusal;
    this.remedy = remedy;
    this.instead = instead;
    this.particular = particular;
  }

  /** A key without which there is no run. */
  static <G, T> Key<G, T> required(
      String name, Shape<T> shape, Function<G, T> getter, T example, String doc) {
    return new Key<>(name, shape, getter, true, null, doc, example, null, null, null, false);
  }

  /** A key that may be absent; its value then is null. */
  static <G, T> Key<G, T> optional(
      String name, Shape<T> shape, Function<G, T> getter, T example, String doc) {
    return new Key<>(name, shape, getter, false, null, doc, example, null, null, null, false);
  }

  /** A key that may be absent; its value then is {@code fallback}. */
  static <G, T> Key<G, T> withDefault(
      String name, Shape<T> shape, Function<G, T> getter, T fallback, String doc) {
    return withDefault(name, shape, getter, fallback, fallback, doc);
  }

  /** A key with a default that does not show what it may hold. */
  static <G, T> Key<G, T> withDefault(
      String name, Shape<T> shape, Function<G, T> getter, T fallback, T example, String doc) {
    return new Key<>(name, shape, getter, false, fallback, doc, example, null, null, null, false);
  }

  /** A key that may be absent and that only some of the others of its group go with. */
  static <G, T> Key<G, T> particular(
      String name, Shape<T> shape, Function<G, T> getter, T example, String doc) {
    return new Key<>(name, shape, getter, false, null, doc, example, null, null, null, true);
  }

  /** The same with what holds where the key could stand and does not. */
  static <G, T> Key<G, T> particularWithDefault(
      String name, Shape<T> shape, Function<G, T> getter, T fallback, String doc) {
    return new Key<>(name, shape, getter, false, fallback, doc, fallback, null, null, null, true);
  }

  /** A key that a later version will know. */
  static <G> Key<G, Void> later(String name) {
    return refused(name, "is not supported by this version", "remove it", null);
  }

  /** A key that means nothing in this group. */
  static <G> Key<G, Void> misplaced(String name, String problem) {
    return refused(name, problem, "remove it", null);
  }

  private static <G> Key<G, Void> refused(
      String name, String problem, String remedy, String instead) {
    return new Key<>(
        name, null, group -> null, false, null, "", null, problem, remedy, instead, false);
  }

  String name() {
    return name;
  }

  /** What it holds; null where it is refused. */
  Shape<T> shape() {
    return shape;
  }

  boolean isRequired() {
    return required;
  }

  /** What holds where it is absent, or null. */
  T fallback() {
    return fallback;
  }

  /** What it is for, in one line. */
  String doc() {
    return doc;
  }

  /** The default as JSON, or null. */
  JsonNode defaultJson() {
    return fallback == null ? null : shape.write(fallback);
  }

  /** An example as JSON. */
  JsonNode exampleJson() {
    return shape.write(example);
  }

  /** An example as a user would write it. */
  String shown() {
    return name + ": " + FlowYaml.of(exampleJson());
  }

  boolean isRefused() {
    return refusal != null;
  }

  /** Why it is refused, after its name. */
  String refusal() {
    return refusal;
  }

  String remedy() {
    return remedy;
  }

  /** The key that a refused one would have stood in for, or null. */
  String instead() {
    return instead;
  }

  /** Whether it would contradict some of the others of its group. */
  boolean isParticular() {
    return particular;
  }

  /** Its value in what the group was read into as JSON, or null where it has none. */
  JsonNode write(G group) {
    T value = getter.apply(group);
    return value == null || shape == null ? null : shape.write(value);
  }
}
