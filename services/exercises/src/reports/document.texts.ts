import type { Report } from '@muster/contracts';
import { blocks, type DocumentModel } from '@muster/documents';
import { authorInWords } from './author.texts.ts';
import { comparisonChapter } from './comparison.texts.ts';
import { capabilityChapter, deadlineChapter, gapChapter, timelineChapter } from './findings.texts.ts';
import { methodChapter } from './method.texts.ts';
import { objectiveChapter } from './objective-chapter.texts.ts';
import { overviewChapter, summaryChapter } from './opening.texts.ts';
import { planChapter } from './plan.texts.ts';
import { dayInWords, timeOfDay } from './wording.texts.ts';

/** Weaknesses of an organization are for those who have to know. */
const HANDLING = 'TLP:AMBER';

/** The after-action report and improvement plan as a document: what a board reads first, what an auditor needs after it. */
export function reportDocument(report: Report): DocumentModel {
  const { overview, evaluation } = report;
  return {
    title: 'After-action report and improvement plan',
    subtitle: overview.title,
    classification: HANDLING,
    meta: [
      ['Organization', overview.organization],
      ['Scenario', overview.scenario_title],
      ['Date', whenInWords(overview)],
      ['Participants', String(overview.participants.length)],
      ['Evaluated by', evaluation ? authorInWords(evaluation.engine) : 'Not evaluated yet: scores only'],
    ],
    language: 'en',
    blocks: blocks(
      summaryChapter(report),
      overviewChapter(report),
      capabilityChapter(report),
      objectiveChapter(report),
      timelineChapter(report),
      deadlineChapter(report),
      gapChapter(report),
      comparisonChapter(report),
      planChapter(report),
      methodChapter(report),
    ),
  };
}

function whenInWords({ started_at, ended_at, timezone }: Report['overview']): string {
  const [start, end] = [new Date(started_at), new Date(ended_at)];
  const [first, last] = [dayInWords(start, timezone), dayInWords(end, timezone)];
  const from = `${first}, ${timeOfDay(start, timezone)}`;
  return `${from} to ${first === last ? '' : `${last}, `}${timeOfDay(end, timezone)} (${timezone})`;
}
