package dev.constat.rules.outbox;

import static dev.constat.rules.outbox.History.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the versions of a row tell of its claims. */
class ClaimsTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "one version,                   P:a@0-60,                         a@0-60, 0",
    "waits first,                   W P:a@0-60,                       a@0-60, 0",
    "renewed,                       P:a@0-60 P:a@0-120,               a@0-120, 0",
    "claimed again by itself,       P:a@0-60 P:a@30-90,               a@0-60 a@30-90, 0",
    "recovered after expiry,        P:a@0-60 P:b@62-122,              a@0-60 b@62-122, 0",
    "claimed as the lease ends,     P:a@0-60 P:b@60-120,              a@0-60 b@60-120, 0",
    "claimed a second early,        P:a@0-60 P:b@59-119,              a@0-60 b@59-119, 1",
    "given back between,            P:a@0-60 W P:b@30-90,             a@0-60 b@30-90, 0",
    "dispatched between,            P:a@0-60 D:a@0-60!20 P:b@30-90,   a@0-60 b@30-90, 0",
    "dead between,                  P:a@0-60 X P:b@30-90,             a@0-60 b@30-90, 0",
    "stolen and dispatched,         P:a@0-60 D:b@30-90!40,            a@0-60 b@30-90, 1",
    "stolen and given back,         P:a@0-60 W:b@30-90,               a@0-60 b@30-90, 1",
    "stolen and renewed over,       P:a@0-60 P:b@30-90 P:a@0-120,     a@0-120 b@30-90, 2",
    "stolen twice,                  P:a@0-60 P:b@30-90 P:c@40-100,    a@0-60 b@30-90 c@40-100, 2",
    "renewed and then recovered,    P:a@0-60 P:a@0-120 P:b@121-180,   a@0-120 b@121-180, 0",
    "renewed and then stolen,       P:a@0-60 P:a@0-120 P:b@61-180,    a@0-120 b@61-180, 1",
    "no end of the lease,           P:a@0 P:b@30-90,                  a@0-null b@30-90, 0",
    "no zone at the end,            P:a@0-60? P:b@30-90,              a@0-null b@30-90, 0",
    "no zone at the claim,          P:a@0-60 P:b@30?-90,              a@0-60, 0",
    "no owner,                      P:@0-60 P:b@30-90,                null@0-60 b@30-90, 0",
    "no status,                     -:a@0-60 -:b@30-90,               a@0-60 b@30-90, 1",
    "claimed at the same time,      P:a@0-60 P:b@0-60,                a@0-60 b@0-60, 1",
    "no end of the second lease,    P:a@0-60 P:b@30,                  a@0-60 b@30-null, 1",
    "no status and dead,            -:a@0-60#20 -:b@30-90,            a@0-60 b@30-90, 0",
    "no status and dispatched,      -:a@0-60!20 -:b@30-90,            a@0-60 b@30-90, 0",
    "leases before each other,      P:a@50-60 P:b@0-40,               a@50-60 b@0-40, 0",
  })
  void leasesOverlapWhereTwoOwnersHadTheRow(
      String name, String history, String expected, int overlaps) {
    Claims claims = History.claims(history);
    assertThat(
            claims.claims().stream()
                .map(
                    claim ->
                        claim.owner()
                            + "@"
                            + claim.claimedAt().getEpochSecond()
                            + "-"
                            + (claim.leaseUntil() == null
                                ? null
                                : claim.leaseUntil().getEpochSecond()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
    assertThat(claims.overlaps()).isEqualTo(overlaps);
  }

  @ParameterizedTest
  @CsvSource({
    "P:a@0-60,              false, false, false",
    "P:a@0?-60,             true,  false, false",
    "P:a@0-60?,             true,  false, false",
    "D:a@0-60?!5,           false, false, false",
    "P:a,                   false, true,  false",
    "P,                     false, true,  false",
    "P:@0-60 P:a@5-60,      false, false, true",
    "P:a@0-60 P:@5-60,      false, false, true",
    "P:a@0-60 W P:@5-60,    false, false, false",
    "P:@0-60 P:@0-90,       false, false, false",
    "-,                     false, false, false",
  })
  void whatIsMissingIsNamed(
      String history, boolean unzoned, boolean withoutStart, boolean withoutOwner) {
    Claims claims = History.claims(history);
    assertThat(claims.unzoned()).isEqualTo(unzoned);
    assertThat(claims.withoutStart()).isEqualTo(withoutStart);
    assertThat(claims.withoutOwner()).isEqualTo(withoutOwner);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "-",
      value = {
        // history, worker and time of acknowledgements, when each claim was done
        "D:a@0-60!5, a3, 5",
        "D:a@0-60, a3, 3",
        "D:a@0-60, -3, 3",
        "D:a@0-60, b3, -",
        "D:a@9-60!5, a3, -",
        "P:a@0-60 D:b@62-122!65, a75 b64, 75 65",
        "P:a@0-60 D:b@62-122!65, a75 a70 b64, 70 65",
        "P:a@0-60 P:b@62-122, -75, - 75",
        "P:@0-60, a5, 5",
        "P:a@0-60, a7 a9, 7",
        "P:a@50-60 P:a@0-40, a55, 55 -",
        "P:a@0-60!9 D:a@0-60!5, a3, 5",
        "P:a@0-60!5 D:a@0-60!9, a3, 5",
      })
  void aClaimIsDoneAtItsMarkElseItsDelivery(String history, String acks, String expected) {
    Claims claims = History.claims(history);
    for (String ack : acks.split(" ", -1)) {
      String worker = ack.startsWith("-") ? null : ack.substring(0, 1);
      claims.delivered(worker, at(Integer.parseInt(ack.substring(1))));
    }
    assertThat(
            claims.claims().stream()
                .map(c -> c.doneAt() == null ? "-" : Long.toString(c.doneAt().getEpochSecond()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected == null ? "-" : expected);
  }

  @ParameterizedTest
  @CsvSource({
    // who claimed in order of versions; the last overlap
    "P:a@0-60 P:b@30-90 P:c@40-100, 40",
    "P:a@0-60 P:b@40-90 P:c@30-100, 40",
  })
  void theFirstOverlapIsShownAndTheLatestDated(String history, int last) {
    Claims claims = History.claims(history);
    assertThat(claims.overlaps()).isEqualTo(2);
    assertThat(claims.overlapped()).isSameAs(claims.claims().get(0));
    assertThat(claims.overlapping()).isSameAs(claims.claims().get(1));
    assertThat(claims.overlappedUntil()).isEqualTo(at(60));
    assertThat(claims.lastOverlapAt()).isEqualTo(at(last));
  }

  @Test
  void moreMarksThanAreFollowedShowNothing() {
    Claims claims = new Claims();
    for (int i = 0; i < Claims.MAX_CLAIMS; i++) {
      claims.next(History.of("D:a@0-60!" + i).get(0));
      claims.next(History.of("D:a@0-60!" + i).get(0));
    }
    assertThat(claims.tooMany()).isFalse();
    claims.next(History.of("D:a@0-60!9999").get(0));
    assertThat(claims.tooMany()).isTrue();
  }

  @Test
  void moreClaimsThanAreFollowedShowNothing() {
    Claims claims = new Claims();
    OutboxRow row = null;
    for (int i = 0; i <= Claims.MAX_CLAIMS; i++) {
      row = History.of("P:a@" + i + "-" + (i + 1)).get(0);
      claims.next(row);
    }
    assertThat(claims.tooMany()).isTrue();
    assertThat(claims.claims()).hasSize(Claims.MAX_CLAIMS);
    assertThat(claims.window(row, at(5), "a", at(7), "a").kind()).isEqualTo(CrashWindow.NOT_SHOWN);
    claims.clear();
    claims.next(row);
    assertThat(claims.tooMany()).isFalse();
    assertThat(claims.claims()).hasSize(1);
  }
}
