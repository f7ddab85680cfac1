import type { ScenarioContent } from '@muster/contracts';

export type Category = ScenarioContent['category'];
/** What an incident is, by the techniques and words of the item; the first that fits decides. */
export const CATEGORIES: readonly { category: Category; techniques: RegExp; words: RegExp }[] = [
  {
    category: 'ransomware',
    techniques: /^T1486/,
    words: /ransom|double extortion|encrypts? (?:files|data|servers)/i,
  },
  { category: 'ddos', techniques: /^T149[89]/, words: /\bd?dos\b|denial.of.service/i },
  {
    category: 'ot',
    techniques: /^T0[89]\d\d/,
    words: /\bscada\b|\bplcs?\b|\bics\b|industrial control|operational technology/i,
  },
  {
    category: 'supply_chain',
    techniques: /^T1195/,
    words: /supply.chain|trojani[sz]ed update|malicious package/i,
  },
  {
    category: 'business_email_compromise',
    techniques: /^T1657/,
    words: /business e-?mail compromise|\bbec\b|invoice fraud/i,
  },
  {
    category: 'third_party',
    techniques: /^T1199/,
    words: /managed service provider|third.party|service provider/i,
  },
  {
    category: 'cloud',
    techniques: /^(?:T1530|T1580|T1578|T1538)/,
    words: /\bcloud\b|\baws\b|\bazure\b|\bgcp\b|\bs3\b/i,
  },
  { category: 'insider', techniques: /^$/, words: /\binsider\b|disgruntled/i },
  {
    category: 'data_breach',
    techniques: /^(?:T1041|T1567|T1048|T1005)/,
    words: /data breach|stolen data|exfiltrat|data leak/i,
  },
  { category: 'phishing', techniques: /^(?:T1566|T1598)/, words: /phish/i },
];

/** Where each system of the profile is likely to play. */
export const PLACES = {
  entry: {
    wanted: /mail|vpn|gateway|firewall|edge|web|portal|remote|collab|saas|perimeter/i,
    neutral: 'the remote access gateway',
  },
  inside: { wanted: /identity|directory|endpoint|workstation|desktop|client/i, neutral: 'a terminal server' },
  core: {
    wanted: /server|virtual|network|cloud|storage|backup|infrastructure|database|container/i,
    neutral: 'the server cluster',
  },
} as const;
