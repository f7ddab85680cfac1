export type CueKind = 'test' | 'benign' | 'false_positive' | 'malicious' | 'succeeded' | 'prevented';

/** What people and products write of an event, by what it says about it; the words of one stand in one sentence. */
export const CUES: Readonly<Record<CueKind, string>> = {
  test:
    'eicar, red team, purple team, penetration test, pentest, phishing simulation, simulated phishing, attack simulation, breach simulation, ' +
    'security drill, test alert, test event, this is a test, atomic red team, adversary emulation, security awareness campaign',
  benign:
    'approved change, change window, maintenance window, planned maintenance, scheduled maintenance, authorized scan, authorised scan, ' +
    'vulnerability scanner, authorized activity, authorised activity, expected behavior, expected behaviour, known administrator, ' +
    'business justification, legitimate software, legitimate activity, confirmed travel, user confirmed activity',
  false_positive:
    'false positive, false alarm, known issue, misconfigured rule, noisy rule, signature error, rule misfired, whitelisted, allowlisted, not malicious, ' +
    'no malicious activity',
  malicious:
    'malware, trojan, backdoor, ransomware, ransom note, rootkit, spyware, infostealer, confirmed compromise, compromised, malicious, exploit kit, ' +
    'attacker, intruder, threat actor, extortion, stolen data, data leak, did not recognize, did not recognise, user denies',
  succeeded:
    'successful login, login succeeded, sign-in succeeded, successfully authenticated, code executed, was executed, payload executed, payload ran, ' +
    'access granted, data transferred, were encrypted, mfa approved, not blocked, action allowed',
  prevented:
    'was blocked, blocked by, quarantined, was prevented, prevented by, access denied, was denied, connection dropped, remediated, was removed, action blocked, ' +
    'successfully blocked',
};
