import type { Report } from '@muster/contracts';
import { type Block, blocks, definitions, heading, paragraph, table } from '@muster/documents';
import { authorInWords } from './author.texts.ts';
import { capabilityName } from './wording.texts.ts';

/** How the numbers came about, and all of them, so that they can be checked. */
export function methodChapter({ method, capabilities, evaluation, overview }: Report): Block[] {
  const { P, S, M } = method.bands;
  return blocks(
    heading(1, 'Appendix B: Method and scores'),
    definitions([
      [
        'Scoring',
        `Method ${method.name}, the same for every exercise. An expected action counts as taken when it was ticked off or when the words of a decision show it; a negated, refused or postponed one does not. On time it earns its whole weight; after its target the credit falls to half at twice the target. A score is the share of the weight that was earned, 0 to 100.`,
      ],
      [
        'Ratings',
        `After HSEEP: P from ${P}, S from ${S}, M from ${M}, U below. A missed critical action keeps the overall rating at M or below. An observer's rating replaces the computed one of an objective and does not change the numbers.`,
      ],
      ['Maturity', 'Level 1 below 40, 2 from 40, 3 from 60, 4 from 75, 5 from 90.'],
      [
        'Evaluation',
        evaluation
          ? `${authorInWords(evaluation.engine)}. No objective is rated without words of the session that show it.`
          : 'None yet.',
      ],
      ['Session', overview.session_id],
    ]),
    capabilities.length > 0 && [
      paragraph('The scores behind the chart of capabilities:'),
      table({
        columns: [
          { title: 'Capability', width: 40 },
          { title: 'Score', align: 'right', width: 20 },
          { title: 'Weight', align: 'right', width: 20 },
          { title: 'Actions taken', align: 'right', width: 20 },
        ],
        rows: capabilities.map(({ capability, score, weight, actions_taken, actions_expected }) => [
          capabilityName(capability),
          String(score),
          String(weight),
          `${actions_taken} of ${actions_expected}`,
        ]),
      }),
    ],
  );
}
