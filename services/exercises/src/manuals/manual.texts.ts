import type { Inject, ScenarioContent } from '@muster/contracts';
import {
  type Block,
  blocks,
  bullets,
  callout,
  type DocumentModel,
  definitions,
  heading,
  lead,
  numbered,
  pageBreak,
  paragraph,
  strong,
  table,
} from '@muster/documents';
import { capabilityName, inWords } from '../reports/wording.texts.ts';
import { feedbackForm, ROOM_TO_WRITE } from './feedback.texts.ts';
import { type Module, modulesOf } from './modules.rules.ts';

/** Players may keep it and talk of it inside the organization. */
const HANDLING = 'TLP:GREEN';
const WELCOME_MINUTES = 15;
const HOT_WASH_MINUTES = 20;
const NOTE_ROWS = 6;
/** Beside an opening message, so that the module stays on its page. */
const FEWER_NOTE_ROWS = 3;
const CHANNELS: Readonly<Record<Inject['channel'], string>> = {
  email: 'E-mail',
  phone: 'Phone call',
  chat: 'Chat message',
  siem: 'Alert',
  news: 'In the news',
  in_person: 'In person',
};

const GROUND_RULES = [
  'This is an open, low-stress, no-fault discussion. Different views are expected.',
  'Answer from your present plans and abilities: what you have today, not what you hope for.',
  'Decisions are not precedents and may not be your organization’s final position on an issue.',
  'Take the scenario as it is. It is plausible, and events happen as they are presented.',
  'Say who decides, who does it, and how long it would take. Issues are worth more than excuses.',
  'Nothing leaves the room: no real system is touched, no real message is sent. Begin and end every exercise call with “exercise, exercise, exercise”.',
];

/**
 * The situation manual that players hold, after CISA's tabletop exercise packages: background, objectives, roles, agenda,
 * ground rules, and per module what has happened and what to discuss. Facilitator notes, expected actions, contingency
 * and complexity injects and the content of later messages are not in it.
 */
export function manualDocument(scenario: ScenarioContent, organization: string): DocumentModel {
  const modules = modulesOf(scenario);
  return {
    title: 'Situation manual',
    subtitle: scenario.title,
    classification: HANDLING,
    meta: [
      ['Organization', organization],
      ['Exercise', 'Tabletop exercise'],
      ['Duration', `${scenario.duration_minutes} minutes of play`],
      ['Audience', scenario.audience.map(inWords).join(', ')],
      ['Difficulty', inWords(scenario.difficulty)],
    ],
    language: 'en',
    blocks: blocks(
      overviewOf(scenario),
      rolesOf(scenario),
      agendaOf(scenario, modules),
      heading(1, 'Ground rules'),
      bullets(GROUND_RULES),
      paragraph(
        'The facilitator brings messages to the table as time passes. For each, agree on what you decide, who does it and by when; the scribe notes it with the minute. Ask for what you would ask for in reality: the facilitator answers for everybody who is not in the room.',
      ),
      modules.flatMap((module, at) => moduleChapter(module, at)),
      pageBreak(),
      feedbackForm(scenario),
    ),
  };
}

function overviewOf({ title, summary, category, objectives, industries }: ScenarioContent): Block[] {
  return blocks(
    heading(1, 'Exercise overview'),
    lead(summary),
    definitions([
      ['Exercise name', title],
      [
        'Purpose',
        'To talk through the response to a serious incident, find what is missing while nothing is at stake, and agree on what to improve.',
      ],
      [
        'Scope',
        `A facilitated discussion without touching systems${industries.length > 0 ? `, set in: ${industries.map(inWords).join(', ')}` : ''}.`,
      ],
      ['Threat or hazard', inWords(category)],
    ]),
    heading(2, 'Objectives'),
    numbered(
      objectives.map((objective) => [
        objective.title,
        ` (${capabilityName(objective.capability).toLowerCase()})`,
      ]),
    ),
  );
}

function rolesOf({ roles }: ScenarioContent): Block[] {
  return blocks(
    heading(1, 'Roles'),
    table({
      columns: [
        { title: 'Role', width: 28 },
        { title: 'Answers for', width: 47 },
        { title: 'Held by', width: 25 },
      ],
      rows: roles.map(({ name, responsibilities }) => [[strong(name)], responsibilities, '']),
    }),
    paragraph(
      'Players respond from their role. Observers may support a player with facts. The facilitator guides the discussion; evaluators note it and do not take part.',
    ),
  );
}

function agendaOf({ duration_minutes }: ScenarioContent, modules: readonly Module[]): Block[] {
  const parts = [
    { title: 'Welcome, ground rules and roles', minutes: WELCOME_MINUTES },
    ...modules.map(({ title, minutes }, at) => ({ title: `Module ${at + 1}: ${title}`, minutes })),
    { title: 'Hot wash: what went well, what to improve', minutes: HOT_WASH_MINUTES },
  ];
  let from = 0;
  const rows = parts.map(({ title, minutes }) => {
    const row = [`${clock(from)} – ${clock(from + minutes)}`, title, `${minutes} min`];
    from += minutes;
    return row;
  });
  return blocks(
    heading(1, 'Agenda'),
    table({
      columns: [
        { title: 'Time', width: 24 },
        { title: 'Activity', width: 58 },
        { title: 'Length', align: 'right', width: 18 },
      ],
      rows,
    }),
    paragraph(
      `Hours and minutes from the start; ${duration_minutes} minutes of play, and the welcome and hot wash around it.`,
    ),
  );
}

function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(Math.round(minutes % 60)).padStart(2, '0')}`;
}

function moduleChapter({ title, from, to, opening, questions }: Module, at: number): Block[] {
  return blocks(
    pageBreak(),
    heading(1, `Module ${at + 1}: ${title}`),
    paragraph(
      `Minute ${from} to ${to} of play. `,
      opening ? '' : 'What happens comes to the table as it would in reality: message by message.',
    ),
    opening && [heading(3, 'How it begins'), callout('info', opening.description, announcement(opening))],
    heading(3, 'Discussion questions'),
    numbered(questions),
    heading(3, 'Notes'),
    table({
      columns: [
        { title: 'Minute', width: 12 },
        { title: 'What has happened', width: 36 },
        { title: 'What we decide, who does it, by when', width: 52 },
      ],
      rows: Array.from({ length: opening ? FEWER_NOTE_ROWS : NOTE_ROWS }, () => [ROOM_TO_WRITE]),
    }),
  );
}

function announcement({ channel, from }: Inject): string {
  return from ? `${CHANNELS[channel]} from ${from}` : CHANNELS[channel];
}
