package dev.constat.pipelines.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/** Payloads of events, as sources send them. */
public enum Content {
  /** A trade: three members, 37 bytes. */
  FLAT("{\"px\":\"1234.56\",\"qty\":42,\"sym\":\"S17\"}"),

  /** An order of forty lines, each with objects inside, 7 KiB; its members stand in no order. */
  NESTED(order(40));

  private final String json;

  Content(String json) {
    this.json = json;
  }

  /** Its text. */
  String json() {
    return json;
  }

  /** The bytes of its text. */
  byte[] bytes() {
    return json.getBytes(UTF_8);
  }

  private static String order(int lines) {
    StringBuilder order =
        new StringBuilder(
            """
            {"status":"PLACED","customer":{"name":"Zo\u00eb \\"Z\\" M\u00fcller","id":"c-7"},\
            "currency":"EUR","discount":null,"gift":false,"lines":[""");
    for (int i = 0; i < lines; i++) {
      order
          .append(i == 0 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  """
              {"sku":"SKU-%1$05d","qty":%2$d,"price":{"net":%3$d.25,"rate":0.2,"gross":%4$d},\
              "tags":["new","a/b","\\u0041\\n"],"note":"line %1$d of the order"}""",
                  i,
                  i % 7 + 1,
                  i * 13,
                  i * 1_000));
    }
    return order.append("],\"at\":\"2026-01-05T10:00:00Z\",\"version\":3}").toString();
  }
}
