import type { IntelSeverity } from '@muster/contracts';

/** Signs in a sentence of what happened, the gravest first. */
export const SIGNS: readonly { value: IntelSeverity; reason: string; pattern: RegExp }[] = [
  {
    value: 'critical',
    reason: 'A zero-day is being exploited.',
    pattern:
      /\b(?:zero[- ]days?\b.{0,80}\b(?:exploit\w*|attacks?|in the wild)|exploit\w*\b.{0,60}\bzero[- ]days?)\b/i,
  },
  {
    value: 'critical',
    reason: 'A vulnerability is exploited in ransomware attacks.',
    pattern:
      /\b(?:ransomware\b.{0,120}\bexploit(?:s|ed|ing)\b.{0,60}\b(?:cve-|vulnerab|flaw)|exploit(?:s|ed|ing|ation)\b.{0,120}\bransomware)/i,
  },
  {
    value: 'high',
    reason: 'A vulnerability is exploited in the wild.',
    pattern:
      /\b(?:(?:actively|widely|mass|being|under active) exploit\w*|active exploitation|exploit\w* in the wild|known exploited vulnerabilit\w+|\bKEV\b|in-the-wild exploitation)/i,
  },
  {
    value: 'high',
    reason: 'Describes ransomware or destruction in use.',
    pattern:
      /\b(?:ransomware (?:attacks?|group|gang|operat\w+|affiliates?|campaign|was|were|payload|deployment|incident|binary|encrypts?)|(?:deploy|execut|launch|distribut|drop)\w*\b.{0,40}\bransomware|encrypt(?:s|ed)\b.{0,40}\b(?:files|servers|systems|virtual machines|hosts|data|network)|wipers?\b.{0,60}\b(?:deploy|attack|destroy|overwr)\w*|double extortion)\b/i,
  },
  {
    value: 'high',
    reason: 'Describes an intrusion by a known group.',
    pattern:
      /\b(?:state-sponsored|nation-state|advanced persistent threat|espionage group|cyber ?espionage|supply[- ]chain (?:attack|compromise))\b/i,
  },
  {
    value: 'medium',
    reason: 'Describes malware or phishing in use.',
    pattern:
      /\b(?:malware|phishing|backdoor|infostealer|stealer|trojan|botnet|loader|credential theft|intrusions?|web ?shell|proof[- ]of[- ]concept)\b/i,
  },
];
