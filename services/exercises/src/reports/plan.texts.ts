import type { Report } from '@muster/contracts';
import { type Block, badge, blocks, heading, paragraph, strong, type Tone, table } from '@muster/documents';
import { inWords } from './wording.texts.ts';

const PRIORITY_TONES: Readonly<Record<Report['improvement_plan'][number]['priority'], Tone>> = {
  P1: 'bad',
  P2: 'poor',
  P3: 'fair',
  P4: 'neutral',
};

/** HSEEP's improvement plan: what is corrected, which element it changes, by whom, until when. */
export function planChapter({ improvement_plan, evaluation, overview }: Report): Block[] {
  return blocks(
    heading(1, 'Appendix A: Improvement plan'),
    improvement_plan.length === 0
      ? paragraph(
          evaluation
            ? 'The evaluation asks for no corrective action.'
            : 'The improvement plan is part of the evaluation, which does not exist yet.',
        )
      : [
          paragraph(
            `Corrective actions of ${overview.organization}. Each is done when a later exercise proves it: a gap is closed only by a re-test rated P or S.`,
          ),
          table({
            columns: [
              { title: '#', align: 'right', width: 5 },
              { title: 'Corrective action', width: 54 },
              { title: 'Element', width: 12 },
              { title: 'Owner', width: 16 },
              { title: 'Due', width: 13 },
            ],
            rows: improvement_plan.map(
              ({ number, priority, title, recommendation, element, owner, due_on, controls }) => [
                String(number),
                [
                  badge(priority, PRIORITY_TONES[priority]),
                  ' ',
                  strong(title),
                  `\n${recommendation}`,
                  controls.length > 0
                    ? `\nControls: ${controls.map(({ control }) => control).join(', ')}`
                    : '',
                ],
                inWords(element),
                owner,
                due_on,
              ],
            ),
          }),
        ],
  );
}
