import type { ScenarioContent } from '@muster/contracts';
import type { Aim } from './beat.ts';

/** What each objective is called and which subcategories of NIST CSF 2.0 it exercises. */
export const AIMS: Readonly<Record<Aim, { title: string; controls: readonly string[] }>> = {
  detection: {
    title: 'Recognise the intrusion from its first signals and declare an incident',
    controls: ['ID.RA-02', 'DE.AE-02', 'DE.AE-08', 'RS.MA-02'],
  },
  containment: {
    title: 'Contain the spread and protect backups and evidence',
    controls: ['RS.MI-01', 'RS.AN-07', 'PR.DS-11'],
  },
  decision_making: {
    title: 'Take and record timely decisions with the right authority',
    controls: ['GV.RR-01', 'RS.MA-03', 'RS.MA-04'],
  },
  communication: {
    title: 'Inform staff, partners and the public with one voice',
    controls: ['RS.CO-02', 'RS.CO-03', 'RC.CO-04'],
  },
  regulatory: {
    title: 'Meet legal and contractual duties within their deadlines',
    controls: ['GV.OC-03', 'RS.CO-02'],
  },
  recovery: {
    title: 'Restore services in an order and in a way that can be trusted',
    controls: ['RC.RP-01', 'RC.RP-02', 'RC.RP-03', 'RC.RP-05'],
  },
  third_party: {
    title: 'Act on an incident at a supplier without waiting for it',
    controls: ['GV.SC-08', 'ID.RA-10'],
  },
};
/** What happened, as the title and summary call it. */
export const KINDS: Readonly<Record<ScenarioContent['category'], string>> = {
  ransomware: 'ransomware',
  phishing: 'a phishing campaign',
  business_email_compromise: 'payment fraud by e-mail',
  insider: 'an insider',
  supply_chain: 'a manipulated update',
  cloud: 'an intrusion into the cloud',
  data_breach: 'theft of data',
  ddos: 'an overload attack',
  ot: 'an intrusion into control systems',
  third_party: 'an intrusion through a supplier',
  physical: 'a break-in',
  other: 'an intrusion',
};
