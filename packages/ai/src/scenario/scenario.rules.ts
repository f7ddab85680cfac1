import type { Inject, ScenarioContent } from '@muster/contracts';
import { bare, clipped, listed, upperFirst } from '../prose/prose.ts';
import type { Aim, Beat } from './beat.ts';
import { consequenceBeats } from './consequences.beats.ts';
import type { ScenarioInput } from './intel.ts';
import { intrusionBeats } from './intrusion.beats.ts';
import { outwardBeats } from './outward.beats.ts';
import { named, type Setting, settingOf, techniquesOf } from './setting.rules.ts';

const FRAMEWORK = 'nist-csf-2.0';
/** What each objective is called and which subcategories of NIST CSF 2.0 it exercises. */
const AIMS: Readonly<Record<Aim, { title: string; controls: readonly string[] }>> = {
  detection: {
    title: 'Recognise the intrusion from its first signals and declare an incident',
    controls: ['ID.RA-02', 'DE.AE-02', 'DE.AE-08', 'RS.MA-02'],
  },
  containment: {
    title: 'Contain the spread and protect backups and evidence',
    controls: ['RS.MI-01', 'RS.AN-07', 'PR.DS-11'],
  },
  decision_making: {
    title: 'Take and record timely decisions with the right authority',
    controls: ['GV.RR-01', 'RS.MA-03', 'RS.MA-04'],
  },
  communication: {
    title: 'Inform staff, partners and the public with one voice',
    controls: ['RS.CO-02', 'RS.CO-03', 'RC.CO-04'],
  },
  regulatory: {
    title: 'Meet legal and contractual duties within their deadlines',
    controls: ['GV.OC-03', 'RS.CO-02'],
  },
  recovery: {
    title: 'Restore services in an order and in a way that can be trusted',
    controls: ['RC.RP-01', 'RC.RP-02', 'RC.RP-03', 'RC.RP-05'],
  },
  third_party: {
    title: 'Act on an incident at a supplier without waiting for it',
    controls: ['GV.SC-08', 'ID.RA-10'],
  },
};
const KINDS: Readonly<Record<ScenarioContent['category'], string>> = {
  ransomware: 'ransomware',
  phishing: 'a phishing campaign',
  business_email_compromise: 'payment fraud by e-mail',
  insider: 'an insider',
  supply_chain: 'a manipulated update',
  cloud: 'an intrusion into the cloud',
  data_breach: 'theft of data',
  ddos: 'an overload attack',
  ot: 'an intrusion into control systems',
  third_party: 'an intrusion through a supplier',
  physical: 'a break-in',
  other: 'an intrusion',
};
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
      actor: clipped(listed(named([...item.actors, ...item.malware]), 3), 200),
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

const short = (names: readonly string[], most: number) => named(names).map((name) => clipped(name, most));
