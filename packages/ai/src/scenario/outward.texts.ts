import { listed } from '../prose/prose.ts';
import { type Beat, expects } from './beat.ts';
import type { Setting } from './setting.rules.ts';

/** What the world sees of it, what the law asks for, and the way back. */
export function outwardBeats(setting: Setting): Beat[] {
  return [press(setting), duties(setting), recovery(setting)];
}

function press({ threat, industry }: Setting): Beat {
  return {
    key: 'press',
    title: 'In the news',
    description: `A news site writes that ${industry.service} stands still after an attack${threat ? ` by ${threat}` : ''}, and quotes an employee. ${industry.people.charAt(0).toUpperCase()}${industry.people.slice(1)} call the switchboard; a journalist wants a comment within half an hour.`,
    from: 'A newsroom',
    to: ['communications_lead', 'executive'],
    channel: 'news',
    type: 'complexity',
    techniques: [],
    aims: ['communication'],
    actions: [
      expects(
        'Release one approved statement with confirmed facts only',
        3,
        20,
        'approve statement, holding statement, release statement, press statement, public statement',
      ),
      expects(
        'Have one spokesperson answer every request',
        2,
        10,
        'spokesperson, one voice, single voice, press contact, media contact',
      ),
      expects(
        'Inform staff before or together with the public',
        2,
        15,
        'inform staff, brief staff, tell staff, inform employee, staff message',
      ),
    ],
    discussion_questions: [
      'What are the first two sentences of the statement?',
      'How do we reach everybody if mail does not work?',
    ],
    facilitator_notes:
      'Ask for the statement aloud. Red flags: "no data are affected" before anybody knows, blaming an employee.',
  };
}

const LAWFUL = {
  gdpr: expects(
    'Notify the data protection authority with what is known so far',
    3,
    20,
    'data protection authority, notify data protection, supervisory authority, privacy regulator, inform data protection',
    { reports: ['gdpr-72h'] },
  ),
  nis2: expects(
    'Send the early warning to the national response team',
    3,
    20,
    'early warning, national response team, notify csirt, notify national, warn csirt',
    { reports: ['nis2-24h'] },
  ),
  dora: expects(
    'Classify the incident as major and send the initial notification to the financial supervisor',
    3,
    20,
    'initial notification, financial supervisor, classify major, notify supervisor, inform supervisor',
    { reports: ['dora-4h'], classifies: true },
  ),
} as const;
const ANY_AUTHORITY = expects(
  'Notify the authorities that have to know, with what is known so far',
  3,
  20,
  'notify authority, inform authority, notify regulator, data protection authority, report authority',
);

function duties({ laws, industry }: Setting): Beat {
  const notices = laws.length > 0 ? laws.map((law) => LAWFUL[law]) : [ANY_AUTHORITY];
  const names = laws.map((law) => law.toUpperCase());
  return {
    key: 'duties',
    title: 'The clocks are running',
    description: `The data protection officer asks for three answers: in which minute did we become aware, which authority must hear what by when${names.length > 0 ? ` (${listed(names)} apply)` : ''}, and will ${industry.people} be told. Facts are still thin.`,
    from: 'Data protection officer',
    to: ['legal_privacy', 'executive', 'incident_commander'],
    channel: 'email',
    type: 'standard',
    techniques: [],
    aims: ['regulatory'],
    ...(laws.length > 0 && { regulatory: [...laws] }),
    actions: [
      expects(
        'Fix and record the minute in which we became aware',
        2,
        10,
        'become aware, time awareness, record minute, record time, clock start',
      ),
      ...notices.map((action, at) => (at === 0 ? { ...action, critical: true } : action)),
      ...(notices.length < 3
        ? [
            expects(
              `Decide how and when the people concerned are told`,
              2,
              25,
              'people concerned, inform concerned, inform customer, notify customer, tell people',
            ),
          ]
        : []),
    ],
    discussion_questions: [
      'What can be reported when almost nothing is known?',
      'Who signs at the weekend, and from which system is it sent?',
    ],
    facilitator_notes:
      'The clock of the law starts with awareness: have the table write deadlines as clock times. Red flags: waiting for the whole picture, one lawyer as a bottleneck without a deputy.',
  };
}

function recovery({ systems, industry }: Setting): Beat {
  return {
    key: 'recovery',
    story_hours: 20,
    title: 'What comes back first?',
    description: `The next morning, containment holds. IT operations proposes to restore what is quickest. The business asks for ${systems.jewel} today, for the sake of ${industry.people}. Nobody can say yet whether the way in is closed.`,
    from: 'IT operations',
    to: ['it_operations', 'incident_commander', 'business_owner'],
    channel: 'in_person',
    type: 'standard',
    techniques: [],
    aims: ['recovery'],
    actions: [
      expects(
        'Restore by business priority, agreed with those who run the services',
        3,
        15,
        'business priority, restoration order, recovery priority, priority order, restore priority',
      ),
      expects(
        'Verify that backups and systems are clean before they are used',
        3,
        20,
        'verify backup, clean backup, scan backup, check backup, verify clean',
        { critical: true },
      ),
      expects(
        'Close the way in before anything goes back online',
        3,
        20,
        'close way, close entry, close hole, fix vulnerability, patch vulnerability',
      ),
      expects(
        'Give owners and dates to the improvements',
        1,
        20,
        'owners dates, improvement owner, assign owner, lessons learned, name owner',
      ),
    ],
    discussion_questions: [
      'What must be true before the first person works on it again?',
      'Which improvement would have changed this the most, and who owns it?',
    ],
    facilitator_notes:
      'Close with each role naming one action, an owner and a date. Red flags: restoring onto systems that were never checked, announcing a date.',
  };
}
