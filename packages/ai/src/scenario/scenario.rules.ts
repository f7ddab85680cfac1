import type { Inject, ScenarioContent } from '@muster/contracts';
import { bare, clipped, listed, upperFirst } from '../prose/prose.ts';
import type { Aim, Beat } from './beat.ts';
import { consequenceBeats } from './consequences.texts.ts';
import type { ScenarioInput } from './intel.ts';
import { intrusionBeats } from './intrusion.texts.ts';
import { outwardBeats } from './outward.texts.ts';
import { AIMS, KINDS } from './scenario.texts.ts';
import { namesIn, type Setting, settingOf, techniquesOf } from './setting.rules.ts';

const FRAMEWORK = 'nist-csf-2.0';
const MINUTES = { introductory: 75, intermediate: 90, advanced: 120 } as const;
const EVERYBODY = ['executive', 'technical', 'legal', 'communications', 'operations'] as const;
/** The last inject leaves time to talk. */
const LAST_OFFSET = 0.88;

/**
 * A scenario from an intel item: its actors, malware, techniques and sectors, played on the systems, roles and laws of
 * the profile. Every technique in it comes from the item. The same input gives the same scenario.
 */
export function scenarioByRules(input: ScenarioInput): ScenarioContent {
  const { item, profile, wish } = input;
  const setting = settingOf(input);
  const difficulty = wish?.difficulty ?? 'intermediate';
  const duration_minutes = wish?.duration_minutes ?? MINUTES[difficulty];
  const beats = [...intrusionBeats(setting), ...consequenceBeats(setting), ...outwardBeats(setting)];
  const aims = [...new Set(beats.flatMap((beat) => beat.aims))];
  const injects = beats.map((beat, at) => injectOf(beat, at, { beats, aims, duration_minutes }));
  const played = new Set(injects.flatMap(({ techniques }) => techniques));
  const industries = profile?.industry ? [profile.industry] : item.sectors;
  return {
    schema_version: 1,
    title: clipped(titleOf(setting), 200),
    summary: clipped(summaryOf(setting), 2000),
    category: setting.category,
    difficulty,
    duration_minutes,
    audience: [...(wish?.audience ?? EVERYBODY)],
    industries: short(industries, 60).slice(0, 20),
    tags: short(['threat intelligence', ...item.malware, ...item.actors], 40).slice(0, 30),
    threat: {
      actor: clipped(listed(namesIn([...item.actors, ...item.malware]), 3), 200),
      techniques: techniquesOf(item).filter((id) => played.has(id)),
    },
    roles: setting.roles,
    objectives: aims.map((aim, at) => ({
      id: `O${at + 1}`,
      title: AIMS[aim].title,
      capability: aim,
      controls: AIMS[aim].controls.map((control) => ({ framework: FRAMEWORK, control })),
    })),
    injects,
  };
}

interface Script {
  beats: readonly Beat[];
  aims: readonly Aim[];
  duration_minutes: number;
}

function injectOf({ key, aims, actions, unless, ...told }: Beat, at: number, script: Script): Inject {
  const before = script.beats.findIndex((beat) => beat.key === unless?.key);
  const step = (script.duration_minutes * LAST_OFFSET) / Math.max(1, script.beats.length - 1);
  return {
    ...told,
    id: `I${at + 1}`,
    offset_minutes: script.duration_minutes < 60 ? Number((at * step).toFixed(1)) : Math.round(at * step),
    objective_ids: aims.map((aim) => `O${script.aims.indexOf(aim) + 1}`),
    ...(unless && { only_if: { inject_id: `I${before + 1}`, action_id: `A${unless.action}`, taken: false } }),
    expected_actions: actions.map((action, index) => ({ id: `A${index + 1}`, ...action })),
  };
}

function titleOf({ category, threat, industry, item }: Setting): string {
  const kind = upperFirst(KINDS[category]);
  const place = industry.place === 'in our organization' ? '' : ` ${industry.place}`;
  return threat
    ? `${kind}${place}: ${threat}`
    : `${kind}${place}, after “${clipped(bare(item.title), 120) || 'a report'}”`;
}

function summaryOf({ item, threat, systems, industry, category }: Setting): string {
  const source = [item.publisher ? bare(item.publisher) : null, item.published_at?.slice(0, 10)].filter(
    Boolean,
  );
  return [
    `Drawn from “${clipped(bare(item.title), 200)}”${source.length > 0 ? ` (${source.join(', ')})` : ''}.`,
    ` ${upperFirst(KINDS[category])}${threat ? ` as ${threat} does it` : ''} begins with a small signal at ${systems.entry}, reaches ${systems.core} and ends at ${systems.jewel}: ${industry.service} comes to a halt.`,
    ` The table has to recognise it, contain it, decide under pressure, speak with one voice, meet its duties and plan a recovery it can trust.`,
  ].join('');
}

const short = (names: readonly string[], most: number) => namesIn(names).map((name) => clipped(name, most));
