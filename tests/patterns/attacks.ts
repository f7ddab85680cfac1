import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A text that is built to keep a pattern busy: `head`, then `unit` again and again, then `tail`. */
export interface Attack {
  head: string;
  unit: string;
  tail: string;
}

const TAILS = ['\u0001', ''];
const MOST_PARTS = 6;
const MOST = 400;
/** Tried where a class takes them, since classes meet in them most. */
const USUAL = [...'a0A-_ .\t\n"\'(/<=:@é'];

type Node = AST.Element | AST.Alternative | AST.Pattern;

/** Repeated inputs that a pattern itself suggests: what its parts match, alone and in a row, behind what leads there. */
export function attacksOn(source: string, flags: string): Attack[] {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const found = new Map<string, Attack>();
  const add = (head: string, unit: string) => {
    for (const tail of TAILS)
      if (unit !== '') found.set(JSON.stringify([head, unit, tail]), { head, unit, tail });
  };
  for (const character of charactersOf(parsed)) add('', character);
  walk(parsed, '', add);
  return [...found.values()].slice(0, MOST);
}

/** Every run of a few neighbouring elements, behind a sample of what stands before it. */
function walk(node: Node, head: string, add: (head: string, unit: string) => void): void {
  if (node.type === 'Pattern' || node.type === 'Group' || node.type === 'CapturingGroup')
    for (const alternative of node.alternatives) walk(alternative, head, add);
  else if (node.type === 'Assertion' && 'alternatives' in node)
    for (const alternative of node.alternatives) walk(alternative, head, add);
  else if (node.type === 'Quantifier') walk(node.element, head, add);
  else if (node.type === 'Alternative') {
    let before = head;
    const parts = partsOf(node);
    for (const [at, part] of parts.entries()) {
      let unit = '';
      for (const next of parts.slice(at, at + MOST_PARTS)) {
        unit += next.sample;
        add('', unit);
        add(before, unit);
      }
      before += part.sample;
      add('', before);
    }
    before = head;
    for (const part of parts) {
      if (part.inner) walk(part.inner, before, add);
      before += part.sample;
    }
  }
}

interface Part {
  sample: string;
  /** Null for letters. */
  inner: AST.Element | null;
}

/** The elements in their order; letters that follow on each other are one. */
function partsOf({ elements }: AST.Alternative): Part[] {
  const parts: Part[] = [];
  for (const element of elements) {
    const last = parts.at(-1);
    const sample = sampleOf(element);
    if (element.type !== 'Character') parts.push({ sample, inner: element });
    else if (last && last.inner === null) last.sample += sample;
    else parts.push({ sample, inner: null });
  }
  return parts;
}

/** The shortest text that a part matches, but for what it may match at all. */
function sampleOf(node: Node): string {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives[0] ? sampleOf(node.alternatives[0]) : '';
    case 'Alternative':
      return node.elements.map(sampleOf).join('');
    case 'Quantifier':
      return sampleOf(node.element).repeat(Math.min(node.max, Math.max(1, node.min)));
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return takenBy(node.raw)[0] ?? '';
    default:
      return '';
  }
}

function charactersOf(pattern: AST.Pattern): string[] {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if ('alternatives' in node) for (const inner of node.alternatives) visit(inner);
    if (node.type === 'Alternative') for (const inner of node.elements) visit(inner);
    if (node.type === 'Quantifier') visit(node.element);
    if (node.type === 'Character') found.add(String.fromCodePoint(node.value));
    if (node.type === 'CharacterSet' || node.type === 'CharacterClass')
      for (const one of takenBy(node.raw)) found.add(one);
  };
  visit(pattern);
  return [...found].slice(0, 60);
}

const known = new Map<string, string[]>();

function takenBy(raw: string): string[] {
  const before = known.get(raw);
  if (before) return before;
  const all = [
    ...USUAL,
    ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
    '\u00a0',
    '\u2028',
  ];
  const form = formOf(raw);
  const taken = all.filter((one) => form.test(one)).slice(0, 8);
  known.set(raw, taken);
  return taken;
}

function formOf(raw: string): RegExp {
  for (const flags of ['us', 'vs', 's']) {
    try {
      return new RegExp(`^${raw}$`, flags);
    } catch {
      // Another flag reads it.
    }
  }
  return /^$/;
}
