/** The words of an industry: who is served, what stops, where people look first. */
export interface Industry {
  matches: RegExp;
  /** "at a hospital". */
  place: string;
  people: string;
  /** What the organization does for them. */
  service: string;
  /** The system that it hangs on, where the profile names none. */
  system: string;
  /** What cannot wait. */
  urgent: string;
}

/** For an industry that is not known. */
export const NEUTRAL: Industry = {
  matches: /^$/,
  place: 'in our organization',
  people: 'customers',
  service: 'daily operations',
  system: 'the main business application',
  urgent: 'Two deliveries promised for tomorrow cannot be confirmed.',
};

export const INDUSTRIES: readonly Industry[] = [
  {
    matches: /health|hospital|clinic|pharma|medic|care\b/i,
    place: 'at a hospital',
    people: 'patients',
    service: 'treatment on the wards',
    system: 'the patient record',
    urgent: 'Two operations are due within two hours, and medication charts cannot be opened.',
  },
  {
    matches: /bank|financ|insur|payment|fintech|invest/i,
    place: 'at a financial institution',
    people: 'customers',
    service: 'payments and account access',
    system: 'the payment system',
    urgent: 'The cut-off for today’s payments is in ninety minutes.',
  },
  {
    matches: /manufactur|industr|automotive|chemical|machine|production|food/i,
    place: 'at a manufacturer',
    people: 'customers',
    service: 'production',
    system: 'the production planning system',
    urgent: 'Line 2 runs out of orders in an hour, and a customer’s own line depends on it.',
  },
  {
    matches: /energy|util|power|water|gas|oil|grid/i,
    place: 'at a utility',
    people: 'households and businesses',
    service: 'supply',
    system: 'the control centre',
    urgent: 'A switching operation is planned for the evening peak.',
  },
  {
    matches: /govern|public|municip|administration|defen[cs]e|justice/i,
    place: 'in a public administration',
    people: 'citizens',
    service: 'services to citizens',
    system: 'the case management system',
    urgent: 'Social benefits have to be released by noon.',
  },
  {
    matches: /educat|universit|school|research/i,
    place: 'at a university',
    people: 'students and staff',
    service: 'teaching and research',
    system: 'the campus management system',
    urgent: 'Four hundred students sit an online examination this afternoon.',
  },
  {
    matches: /retail|commerce|consumer|hospitality|travel/i,
    place: 'at a retailer',
    people: 'customers',
    service: 'sales in shops and online',
    system: 'the merchandise management system',
    urgent: 'The tills fall back to cash only at noon.',
  },
  {
    matches: /transport|logist|aviation|rail|shipping|maritime/i,
    place: 'at a transport company',
    people: 'passengers and shippers',
    service: 'transport',
    system: 'the dispatch system',
    urgent: 'Forty vehicles wait for the papers of their next trip.',
  },
  {
    matches: /telecom|technolog|software|saas|\bit\b|media|hosting|provider/i,
    place: 'at a technology company',
    people: 'customers',
    service: 'the service that customers run on',
    system: 'the customer platform',
    urgent: 'The largest customer goes live tonight.',
  },
];
