import type { ScenarioContent } from '@muster/contracts';
import { type Block, blocks, heading, paragraph, table } from '@muster/documents';

const STATEMENTS = [
  'The scenario was plausible for our organization.',
  'The exercise tested plans and roles that we would really use.',
  'I knew what was expected of my role.',
  'The right people were at the table.',
  'The discussion stayed on what matters, and the time was enough.',
  'After this exercise I am better prepared for a real incident.',
];
const OPEN_QUESTIONS = [
  'What are the three greatest strengths that you saw?',
  'What are the three things to improve first, and who should do it?',
  'Which plan, contact, tool or authority was missing?',
  'What should the next exercise be about?',
];
/** The height of some handwriting in a table's cell. */
export const ROOM_TO_WRITE = '\n\n\n';

/** The participants' feedback form, to be filled in by hand after the hot wash. */
export function feedbackForm({ title }: ScenarioContent): Block[] {
  return blocks(
    heading(1, 'Participant feedback form'),
    paragraph(`Exercise: ${title}. Role (optional): ______________________  Date: ______________`),
    heading(3, 'Please rate each statement: 1 strongly disagree, 5 strongly agree'),
    table({
      columns: [
        { title: 'Statement', width: 65 },
        ...['1', '2', '3', '4', '5'].map((mark) => ({ title: mark, align: 'center' as const, width: 7 })),
      ],
      rows: STATEMENTS.map((statement) => [statement]),
    }),
    heading(3, 'In your words'),
    table({
      columns: [
        { title: 'Question', width: 40 },
        { title: 'Your answer', width: 60 },
      ],
      rows: OPEN_QUESTIONS.map((question) => [question, ROOM_TO_WRITE]),
    }),
  );
}
