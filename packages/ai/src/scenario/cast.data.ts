/** The parts of a table, with how an organization may call who holds each. */
export const CAST = {
  incident_commander: {
    name: 'Incident commander',
    responsibilities:
      'Leads the response, sets priorities and the rhythm of meetings, keeps the decision log.',
    titles: /incident (?:commander|manager|lead)|crisis|emergency|duty/i,
  },
  security_lead: {
    name: 'Security lead',
    responsibilities: 'Analyses what happened, proposes containment, preserves evidence.',
    titles: /ciso|security|soc\b|forensic/i,
  },
  it_operations: {
    name: 'IT operations manager',
    responsibilities: 'Runs systems, network and backups; carries out containment and recovery.',
    titles: /\bcio\b|\bcto\b|\bit\b|infrastructure|platform|network|systems/i,
  },
  legal_privacy: {
    name: 'Legal and privacy officer',
    responsibilities:
      'Assesses legal duties and contracts, notifies authorities, advises on law enforcement.',
    titles: /legal|counsel|privacy|data protection|\bdpo\b|compliance|\brisk\b/i,
  },
  communications_lead: {
    name: 'Communications lead',
    responsibilities: 'Prepares what staff, partners, the public and the press are told.',
    titles: /communicat|press|media|\bpr\b|marketing/i,
  },
  executive: {
    name: 'Executive sponsor',
    responsibilities: 'Holds the authority for spending, shutting down and any answer to a demand.',
    titles: /\bceo\b|chief executive|managing director|executive|president|board|general manager/i,
  },
  business_owner: {
    name: 'Business owner',
    responsibilities:
      'Speaks for the service that stands still; decides on priorities and emergency procedures.',
    titles:
      /\bcoo\b|\bcfo\b|operations|business|production|plant|clinical|medical|nurs|branch|finance|sales|service/i,
  },
} as const;
export type Part = keyof typeof CAST;
