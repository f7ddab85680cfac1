import { describe, expect, test } from '@jest/globals';
import { keywordsOf, readDecision } from './evidence.rules.ts';

const ISOLATE = keywordsOf(['isolate']);
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

const NOT_DONE = {
  negated: `
    We did not isolate.
    We didn't isolate
    We didn’t isolate
    we wont isolate
    We couldn't isolate.
    We can not isolate
    We went on without isolating the hosts.
    Nobody isolated anything
    No one had isolated the hosts.
    No isolation.
    No hosts were isolated.
    None of the hosts were isolated.
    Not a single host was isolated.
    We neither isolated nor informed legal.
    We did not inform legal or isolate hosts
    We did not call, inform or isolate anyone
    We will not isolate or shut down the hosts.
    Hosts have not been isolated and reimaged
    The hosts were never isolated.
    Hardly any host was isolated.
    At no point did we isolate the hosts.
    Under no circumstances isolate the hosts
    We isolated nothing.
    We isolated no hosts.
    Hosts not isolated.
    isolation not done
    Isolation was not necessary.
    Isolation did not take place.
    Isolation and shutdown were not approved.
    Isolating the hosts was not an option.
    Isolating the hosts makes no sense.
    There was no isolation.
    We saw no need for isolation.
    We agreed that isolation is not needed.
    We do not think that the hosts should be isolated.
    We did not reach a decision to isolate
    We did not, however, isolate the hosts.
    We did not, at this point, isolate.
    We will not, and should not, isolate
    Not done: isolation
    We called legal instead of isolating.
    We chose to monitor rather than isolating.
    Far from isolating the hosts, we watched them.
    Wir haben die Hosts nicht isolate`,
  refused: `
    We decided against isolating.
    We decided firmly against isolating.
    Legal advised us against isolating
    We were against isolating
    We refused to isolate.
    We refused, however, to isolate
    We decided not to isolate.
    Isolation was rejected.
    Isolation, however, was rejected.
    Isolation was not postponed but rejected
    Isolation was vetoed by legal.
    Isolation is out of the question.
    The proposal to isolate was turned down.
    To isolate was ruled out
    We ruled isolation out.
    We avoided isolating
    We abandoned the idea of isolating the hosts.
    We failed to isolate the hosts
    Isolation failed.
    We forgot to isolate
    We were unable to isolate
    We are reluctant to isolate
    Management stopped us from isolating.
    It was too early to isolate
    Isolation seemed too risky.
    We decided against: isolation, shutdown
    Without delay nobody isolated.`,
  considered: `
    We thought about isolating the hosts.
    We considered isolating the hosts
    We discussed whether to isolate
    We discussed with HR whether the hosts should be isolated.
    We are still debating isolation.
    Isolation was discussed.
    Someone suggested isolating.
    The SOC recommended isolation.
    Isolation is an option.
    We have the option to isolate.
    We could isolate the hosts.
    Isolation might be needed.
    Perhaps we should isolate.
    We wanted to isolate.
    We tried to isolate.
    We were about to isolate the hosts
    We have yet to isolate the hosts
    We almost isolated the hosts.
    We should have isolated
    We would have isolated
    Isolating the hosts would have warned him.
    We wish we had isolated
    We hope that somebody isolated the hosts.
    Pending: isolation
    Should we isolate the hosts?
    Isolate?! We are not sure.`,
  conditional: `
    We would isolate if it spread.
    If it spreads, we isolate the hosts.
    If legal agrees and the backup is fine, we isolate.
    unless legal objects we isolate
    Only if legal agrees will we isolate.
    Once legal agrees, we isolate.
    We will isolate as soon as legal agrees.
    In case it spreads, isolate the hosts.
    Had we isolated the hosts, it would have ended.`,
  postponed: `
    We will isolate tomorrow
    We will isolate them later.
    We isolate and reimage the hosts tomorrow
    We isolate, tomorrow
    The hosts are to be isolated tomorrow
    We agreed to isolate the hosts tomorrow.
    We postponed isolating
    Isolation was postponed until Monday.
    Isolation was put on hold.
    We put isolation off.
    We held off on isolating
    We hesitated to isolate.
    We waited with isolating
    We wait before isolating`,
  'taken back': `
    Isolation: not done
    Isolation: rejected.
    Isolation - no
    Isolated: no
    Isolate the hosts, but not now
    We wanted to isolate, but could not.
    We agreed to isolate the hosts but hesitated.
    Isolation of the hosts was considered, but it was rejected.
    There was a proposal to isolate the hosts, but it was rejected.`,
};

const DONE = {
  plainly: `
    We isolated the hosts.
    ISOLATED
    We isolate the hosts
    Isolate at once
    We will isolate the hosts now
    We'll isolate
    We would isolate the hosts and inform legal.
    IT must isolate the hosts
    We ordered IT to isolate
    We decided to isolate the hosts
    Isolation ordered.
    Isolation: done`,
  'where something else was not done': `
    We isolated the hosts, not the servers.
    We isolated hosts (not the servers)
    We isolated everything except the mail server
    We isolated the hosts but did not inform legal
    We isolated the hosts and legal was not informed.
    Legal was not informed; hosts isolated
    Isolate hosts immediately; do not shut down
    We did not pay but isolated
    We did not wait and isolated
    We did not panic. We isolated.
    We did not inform legal because we isolated the hosts
    We did not tell anyone until we had isolated
    We did not reboot after isolating
    We were not sure and isolated anyway
    The EDR could not see it so we isolated
    We had no backup, so we isolated.
    With no backup available the team isolated the hosts.
    Hosts that were not patched were isolated.
    Hosts not patched were isolated.
    We isolated the hosts that were not yet encrypted.
    The isolated hosts were not rebooted
    Isolate the hosts as legal was not reachable
    There is no approval yet, but we isolated
    IT isolated hosts, the CISO did not object`,
  'where something else was refused, considered or postponed': `
    Instead of paying we isolated
    Reject the payment and isolate the hosts.
    The payment was rejected after isolation.
    After isolation the payment was rejected.
    We refused to pay and isolated the hosts
    The hosts were isolated although legal refused.
    We first refused, then isolated.
    After considering it, we isolated
    After considering it we isolated the hosts
    We considered paying and isolated the hosts
    Isolation was discussed and approved.
    We isolated as discussed
    As discussed isolate the hosts
    After the delay isolate the hosts
    We can see the isolated hosts on the console
    We isolated every host if it showed signs of encryption
    Isolate the hosts in case it spreads
    We chose the option to isolate
    We isolated all possibly affected hosts.
    We asked if legal knew and isolated the hosts.
    When the alert came in, we decided to isolate the hosts.
    We isolated in case it spreads
    Even if it hurts, we isolate
    We isolate the hosts and wait.
    We isolate the hosts now and inform legal tomorrow
    We isolate hosts now, not tomorrow
    Later we isolated the hosts.
    Two hours later, the hosts were isolated
    We can confirm that the hosts are isolated
    On 12 May we isolated
    We avoided further damage by isolating the hosts`,
  'where the negation is none, or is itself negated': `
    Not only did we isolate, we also informed legal
    We did not only discuss it but isolated
    No doubt: we isolated
    No later than 10:00 we isolated
    No matter what, we isolate
    We isolated the hosts, no problem
    We isolated without delay
    Without hesitation isolate the hosts
    We did not hesitate to isolate
    We did not fail to isolate
    We did not forget to isolate
    Nothing stopped us from isolating
    Nobody objected to isolating.
    Isolation was not delayed
    We had no choice but to isolate
    We could not but isolate.`,
};

describe.each(Object.entries(NOT_DONE))('%s: does not count', (_, sentences) => {
  test.each(lines(sentences))('%s', (sentence) => {
    expect(readDecision(sentence).showing(ISOLATE)).toBeNull();
  });
});

describe.each(Object.entries(DONE))('%s: counts', (_, sentences) => {
  test.each(lines(sentences))('%s', (sentence) => {
    expect(readDecision(sentence).showing(ISOLATE)).not.toBeNull();
  });
});
