import type { Report } from '@muster/contracts';
import { type Block, badge, blocks, definitions, heading, paragraph, table } from '@muster/documents';
import { capabilityName, dayInWords, signed } from './wording.texts.ts';

type SinceLast = NonNullable<Report['since_last']>;
type Topics = SinceLast['gaps_closed'];

/** What changed since the organization's last exercise. */
export function comparisonChapter({ since_last, overview }: Report): Block[] {
  if (!since_last)
    return blocks(
      heading(1, 'Since the last exercise'),
      paragraph('This is the first completed exercise on record, so there is nothing to compare it with.'),
    );
  const { title, scenario_title, ended_at, overall, capabilities } = since_last;
  const when = dayInWords(new Date(ended_at), overview.timezone);
  return blocks(
    heading(1, 'Since the last exercise'),
    paragraph(
      `Compared with “${title}” (${scenario_title}), completed on ${when}: ${overall.before} then, ${overall.after} now (${signed(overall.change)}).`,
      scenario_title === overview.scenario_title
        ? ''
        : ' The scenarios differ, so compare the capabilities rather than the totals.',
    ),
    capabilities.length > 0 &&
      table({
        columns: [
          { title: 'Capability', width: 46 },
          { title: 'Then', align: 'right', width: 18 },
          { title: 'Now', align: 'right', width: 18 },
          { title: 'Change', align: 'right', width: 18 },
        ],
        rows: capabilities.map(({ capability, before, after, change }) => [
          capabilityName(capability),
          String(before),
          String(after),
          [badge(signed(change), change > 0 ? 'good' : change < 0 ? 'bad' : 'neutral')],
        ]),
      }),
    definitions([
      ['Proved closed', topicsInWords(since_last.gaps_closed)],
      ['New', topicsInWords(since_last.gaps_new)],
      ['Still open', topicsInWords(since_last.gaps_still_open)],
      ['Not tested this time', topicsInWords(since_last.gaps_not_tested)],
    ]),
  );
}

/** "Containment: RS.MI-01, RS.MI-02; Recovery: RC.RP-01". */
function topicsInWords(topics: Topics): string {
  if (topics.length === 0) return 'None';
  return [...Map.groupBy(topics, ({ capability }) => capability)]
    .map(([capability, those]) => {
      const controls = those.flatMap(({ control }) => control?.control ?? []);
      return `${capabilityName(capability)}${controls.length > 0 ? `: ${controls.join(', ')}` : ''}`;
    })
    .join('; ');
}
