import type { DocumentModel } from '../src/index.ts';
import {
  badge,
  blocks,
  bullets,
  callout,
  chart,
  code,
  definitions,
  emphasis,
  figures,
  heading,
  item,
  lead,
  link,
  moment,
  numbered,
  pageBreak,
  paragraph,
  quote,
  ratingBadge,
  step,
  steps,
  strong,
  table,
  timeline,
} from '../src/index.ts';
import { BANDS, CAPABILITIES, IMPROVEMENTS, OBJECTIVES } from './hospital.ts';

/** An after-action report as the exercises service would compose it, with every kind of block. */
export const afterAction: DocumentModel = {
  title: 'Ransomware in a regional hospital',
  subtitle: 'After-action report and improvement plan',
  classification: 'TLP:AMBER',
  meta: [
    ['Exercise', 'Q1 crisis exercise'],
    ['Held', '12 February 2026, 09:00–11:30'],
    ['Type', 'Tabletop, 150 minutes'],
    ['Participants', '11 in 6 roles'],
    ['Threat', 'Ransomware with data theft'],
    ['Prepared for', 'Board of directors'],
  ],
  language: 'en',
  blocks: blocks(
    heading(1, 'Summary for the board'),
    lead(
      'The hospital contained the attack quickly and kept patient care running. It would have missed both legal deadlines: nobody at the table knew who notifies the authorities.',
    ),
    figures(
      { label: 'Overall score', value: '66', change: { text: '+7 since October', tone: 'good' } },
      { label: 'Rating', value: 'S', change: { text: 'was M', tone: 'good' } },
      { label: 'Open gaps', value: '5', change: { text: '2 critical', tone: 'bad' } },
      { label: 'Decisions on time', value: '9 of 12', change: { text: 'unchanged', tone: 'neutral' } },
    ),
    callout(
      'critical',
      [
        'The GDPR notification was decided at minute 131; the clock had started at minute 20. ',
        strong('On paper it was in time; in practice no one had the authority to send it.'),
      ],
      'The legal clocks',
    ),
    paragraph(
      'Three things would change the outcome most: ',
      strong('a named notifier'),
      ', an on-call lawyer, and one real restore of the laboratory system. See the ',
      link('NIS2 directive, article 23', 'https://eur-lex.europa.eu/eli/dir/2022/2555/oj'),
      ' for the terms.',
    ),
    chart({ kind: 'gauge', title: 'Overall result', value: 66, grade: 'S', bands: BANDS }),
    chart(
      {
        kind: 'line',
        title: 'Overall score over the last seven quarters',
        labels: ['Q3 24', 'Q4 24', 'Q1 25', 'Q2 25', 'Q3 25', 'Q4 25', 'Q1 26'],
        series: [{ label: 'Overall', values: [41, 48, null, 52, 57, 59, 66] }],
      },
      'No exercise was held in the first quarter of 2025.',
    ),
    pageBreak(),
    heading(1, 'Results by objective'),
    chart({
      kind: 'bars',
      title: 'Score and rating of each objective',
      unit: ' %',
      bands: BANDS,
      rows: OBJECTIVES.map(([id, title, value, rating]) => ({ label: `${id} ${title}`, value, rating })),
    }),
    table({
      caption: 'Objectives and their controls',
      columns: [
        { title: 'Id', width: 8 },
        'Objective',
        { title: 'Controls', width: 22 },
        { title: 'Score', align: 'right', width: 11 },
        { title: 'Rating', align: 'center', width: 12 },
      ],
      rows: OBJECTIVES.map(([id, title, value, rating]) => [
        strong(id),
        title,
        code('RS.MI-01'),
        String(value),
        ratingBadge(rating),
      ]),
    }),
    heading(2, 'O1 Contain the spread'),
    paragraph(
      ratingBadge('P'),
      ' Performed without challenges. The table isolated the affected segment eleven minutes after the first alert.',
    ),
    quote(
      'We cut the radiology segment off now and apologise later; every minute costs us another ward.',
      'Incident commander, minute 14, inject I2',
    ),
    heading(2, 'O4 Notify the authorities'),
    paragraph(
      ratingBadge('U'),
      ' Unable to be performed. The duty was recognised, but not who carries it out.',
    ),
    bullets([
      'The list of contacts named a person who left in 2024.',
      item(
        ['Two terms ran at once and were ', emphasis('mixed up'), ':'],
        numbered(['NIS2 early warning, 24 hours', 'GDPR notification, 72 hours']),
      ),
      ['The template lay on a share that the scenario had encrypted: ', code('\\\\files\\crisis\\templates')],
    ]),
    heading(2, 'Capabilities across exercises'),
    chart({
      kind: 'heat',
      title: 'Capability scores of the last three exercises',
      columns: ['June 2025', 'October 2025', 'February 2026'],
      rows: CAPABILITIES.map(([label, values, ratings]) => ({
        label,
        cells: values.map((value, index) => {
          const rating = ratings[index];
          return value === null || !rating ? null : { value, rating };
        }),
      })),
    }),
    heading(1, 'What happened'),
    chart({
      kind: 'lanes',
      title: 'Injects against decisions',
      minutes: 150,
      injects: [0, 12, 20, 24, 45, 60, 78, 95, 110, 118, 130].map((minute, index) => ({
        id: `I${index + 1}`,
        minute,
        title: `Inject ${index + 1}`,
      })),
      decisions: [4, 14, 31, 33, 62, 66, 84, 104, 131, 138].map((minute, index) => ({
        id: `D${index + 1}`,
        minute,
        title: `Decision ${index + 1}`,
        injectId: `I${index + 1}`,
        late: [4, 8].includes(index),
      })),
    }),
    timeline([
      moment(
        '+0 min',
        'Encrypted files on two radiology workstations',
        'From the service desk, by phone.',
        'info',
      ),
      moment(
        '+14 min',
        ['Segment isolated ', badge('on time', 'good')],
        'Decided by the incident commander.',
        'good',
      ),
      moment('+20 min', 'Proof of stolen patient records', 'The GDPR clock starts.', 'poor'),
      moment(
        '+131 min',
        ['Notification decided ', badge('late', 'bad')],
        'No one had the authority to send it.',
        'bad',
      ),
    ]),
    heading(1, 'Gaps and improvement plan'),
    callout('info', 'A gap closes only by a later exercise that reaches P or S on the same capability.'),
    chart({
      kind: 'stacked',
      title: 'Controls by state of proof',
      parts: [
        { label: 'Exercised', tone: 'good' },
        { label: 'Claimed only', tone: 'fair' },
        { label: 'Stale', tone: 'poor' },
        { label: 'Not met', tone: 'bad' },
      ],
      rows: [
        { label: 'NIST CSF 2.0', values: [38, 41, 19, 8] },
        { label: 'NIS2', values: [9, 7, 3, 4] },
      ],
    }),
    table({
      caption: 'Improvement plan',
      columns: [
        'Area for improvement',
        'Corrective action',
        'Element',
        'Owner',
        'Due',
        { title: '', align: 'center', width: 8 },
      ],
      rows: IMPROVEMENTS.map(([area, action, element, owner, due, priority]) => [
        area,
        action,
        element,
        owner,
        due,
        badge(priority, priority === 'P1' ? 'bad' : priority === 'P2' ? 'poor' : 'neutral'),
      ]),
    }),
    heading(2, 'Playbook changes'),
    steps([
      step('Isolate the affected segment', 'done', {
        notes: [
          ['Owner', 'Security operations lead'],
          ['Target', '15 min'],
          ['Measured', '11 min'],
        ],
      }),
      step('Reach counsel', 'late', {
        content: [paragraph('Call the rota, then the managing partner.')],
        notes: [
          ['Owner', 'General counsel'],
          ['Target', '30 min'],
          ['Measured', '58 min'],
        ],
      }),
      step('Send the early warning', 'missed', {
        notes: [
          ['Owner', 'Data protection officer'],
          ['Target', '24 h'],
        ],
      }),
      step('Restore the laboratory system', 'not_exercised', {
        notes: [['Owner', 'Head of infrastructure']],
      }),
      step('Inform the works council', 'open'),
    ]),
    heading(1, 'How this was measured'),
    callout('warn', 'Scores say what was decided at the table. They do not prove that a control works.'),
    definitions([
      ['P', 'Performed without challenges: the task was done and did not harm other activities.'],
      ['S', 'Performed with some challenges: it was done, its effectiveness could be improved.'],
      ['M', 'Performed with major challenges that harmed other activities or broke plans.'],
      ['U', 'Unable to be performed.'],
    ]),
  ),
};
