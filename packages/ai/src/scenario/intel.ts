import type { ScenarioContent } from '@muster/contracts';

/** A piece of threat intelligence as the scenario is drawn from it. */
export interface IntelSource {
  title: string;
  summary: string;
  publisher?: string | null;
  published_at?: string | null;
  actors: readonly string[];
  malware: readonly string[];
  /** With the words of the text that show each. */
  techniques: readonly {
    id: string;
    name?: string | null;
    evidence?: string | readonly { quote: string }[] | null;
  }[];
  cves: readonly string[];
  sectors: readonly string[];
  tags?: readonly string[];
}

/** What is known of the organization that plays: as its profile has it, all of it optional. */
export interface ScenarioProfile {
  industry?: string | null;
  regulations?: readonly string[];
  tech_stack?: readonly { name: string; category?: string | null; criticality?: number | string | null }[];
  crown_jewels?: readonly { name: string; kind?: string | null; criticality?: number | null }[];
  critical_roles?: readonly { role: string }[];
}

export interface ScenarioInput {
  item: IntelSource;
  /** Without one the scenario is neutral. */
  profile?: ScenarioProfile | null;
  wish?: Partial<Pick<ScenarioContent, 'difficulty' | 'audience' | 'duration_minutes'>>;
}
