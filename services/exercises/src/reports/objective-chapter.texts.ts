import type { Report, SessionQuote } from '@muster/contracts';
import {
  type Block,
  blocks,
  bullets,
  emphasis,
  heading,
  item,
  type List,
  paragraph,
  ratingBadge,
  strong,
  table,
} from '@muster/documents';
import { ratingRuns, severityBadge } from './rating.texts.ts';
import { capabilityName, clipped, counted } from './wording.texts.ts';

type Objective = Report['objectives'][number];

const LONGEST_QUOTE = 400;
const MOST_QUOTES = 3;
const MOST_AREAS = 12;

/** Objective by objective: the rating, the words that carry it, strengths, and areas for improvement with analysis. */
export function objectiveChapter({ objectives, timeline }: Report): Block[] {
  const titles = new Map(timeline.map(({ inject_id, title }) => [inject_id, title]));
  return blocks(
    heading(1, 'Results by objective'),
    table({
      columns: [
        { title: 'Objective', width: 52 },
        { title: 'Capability', width: 24 },
        { title: 'Score', align: 'right', width: 12 },
        { title: 'Rating', align: 'center', width: 12 },
      ],
      rows: objectives.map(({ id, title, capability, score, rating }) => [
        [strong(`${id} `), title],
        capabilityName(capability),
        score === null ? '–' : String(score),
        [ratingBadge(rating)],
      ]),
    }),
    objectives.flatMap((objective) => objectiveSection(objective, titles)),
  );
}

function objectiveSection(objective: Objective, titles: ReadonlyMap<string, string>): Block[] {
  const { id, title, evaluated, strengths, improvements, observations } = objective;
  const rest = improvements.length - MOST_AREAS;
  const said = new Set(evaluated?.evidence.map(({ quote }) => quote));
  return blocks(
    heading(2, `${id} ${title}`),
    paragraph(...ratingRuns(objective)),
    evaluated && evaluationBlocks(objective, titles),
    strengths.length > 0 && [
      heading(3, 'Strengths'),
      bullets(strengths.map(({ text, evidence }) => item(text, quotes(evidence, titles, said)))),
    ],
    improvements.length > 0 &&
      [
        heading(3, 'Areas for improvement'),
        bullets(
          improvements
            .slice(0, MOST_AREAS)
            .map(({ title: area, detail, severity }) =>
              item([severityBadge(severity), ' ', strong(area), `. ${detail}`]),
            ),
        ),
        rest > 0 && paragraph(`And ${counted(rest, 'more gap')}: see the table of gaps.`),
      ].filter((block) => block !== false),
    observations.length > 0 && [
      heading(3, 'Observers'),
      bullets(
        observations
          .slice(0, MOST_AREAS)
          .map(({ rating, note, observer }) => [
            ...(rating ? [ratingBadge(rating), ' '] : []),
            `${clipped(note, LONGEST_QUOTE) || 'No note.'}${observer ? ` (${observer})` : ''}`,
          ]),
      ),
    ],
  );
}

function evaluationBlocks({ evaluated, rating }: Objective, titles: ReadonlyMap<string, string>): Block[] {
  if (!evaluated) return [];
  const differs = evaluated.rating !== null && evaluated.rating !== rating;
  return blocks(
    paragraph(
      strong('Analysis: '),
      ...(differs ? ['The evaluation rates it ', ratingBadge(evaluated.rating), '. '] : []),
      evaluated.rationale,
    ),
    quotes(evaluated.evidence, titles, new Set()),
  );
}

/** Words of the session, each with the inject it was said at; those that were quoted before are left out. */
function quotes(
  evidence: readonly SessionQuote[],
  titles: ReadonlyMap<string, string>,
  before: ReadonlySet<string>,
): List | undefined {
  const fresh = evidence.filter(({ quote }) => !before.has(quote)).slice(0, MOST_QUOTES);
  if (fresh.length === 0) return undefined;
  return bullets(
    fresh.map(({ inject_id, quote }) => [
      emphasis(`“${clipped(quote, LONGEST_QUOTE)}”`),
      ` (${inject_id} ${titles.get(inject_id) ?? ''})`,
    ]),
  );
}
