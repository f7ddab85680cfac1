import { MAX_DEPTH, MAX_VALUES } from '@muster/contracts';
import { isAlias, isMap, isScalar, type ParsedNode, parseDocument } from 'yaml';

/** So many are more than anybody writes by hand; what each brings in is limited besides. */
const MAX_ALIASES = 100;

/** What YAML says, or in a sentence what is wrong with it. */
export type ReadYaml = { value: unknown } | { problem: string };

/** Runs in a thread: the library's time is not ours to bound. */
export default function readYaml(text: string): ReadYaml {
  try {
    // Its own check for keys that stand twice compares each with each.
    const document = parseDocument(text, { uniqueKeys: false, schema: 'core' });
    const [error] = document.errors;
    if (error) return { problem: `The body is not valid YAML: ${error.message.split('\n', 1)[0]}` };
    const problem = problemOf(document.contents);
    return problem === null ? { value: document.toJS({ maxAliasCount: MAX_ALIASES }) } : { problem };
  } catch {
    return { problem: 'The body is not valid YAML, or its aliases hold too much.' };
  }
}

/** Walks without recursion, so depth cannot exhaust the stack. */
function problemOf(contents: ParsedNode | null): string | null {
  const open: { node: unknown; depth: number }[] = [{ node: contents, depth: 0 }];
  let aliases = 0;
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (++nodes > MAX_VALUES) return `This YAML holds more than ${MAX_VALUES} values.`;
    if (depth > MAX_DEPTH) return `This YAML is nested deeper than ${MAX_DEPTH} levels.`;
    if (isAlias(node) && ++aliases > MAX_ALIASES) return `This YAML has more than ${MAX_ALIASES} aliases.`;
    if (isMap(node)) {
      const twice = repeatedKey(node.items.map(({ key }) => key));
      if (twice !== null) return `The body is not valid YAML: the key "${twice}" stands twice in one map.`;
      for (const { value } of node.items) open.push({ node: value, depth: depth + 1 });
    } else if (typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)) {
      for (const item of node.items) open.push({ node: item, depth: depth + 1 });
    }
  }
  return null;
}

function repeatedKey(keys: readonly unknown[]): string | null {
  const seen = new Set<string>();
  for (const key of keys) {
    const name = String(isScalar(key) ? key.value : key);
    if (seen.has(name)) return name.slice(0, 100);
    seen.add(name);
  }
  return null;
}
