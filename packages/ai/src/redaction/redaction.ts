/** What is hidden from a model. Secrets always are. */
export interface RedactionOptions {
  emails: boolean;
  phones: boolean;
  ibans: boolean;
  ips: boolean;
  /** The names of people that the input holds. */
  names: boolean;
}

export interface Redactor {
  /**
   * Any JSON, with placeholders such as `[EMAIL_1]` in its strings; the same value has the same one everywhere. What
   * stands under a key like `password` is hidden as a whole.
   */
  hide<Value>(value: Value): Value;
  /** Any JSON with the placeholders in its strings replaced by what they stand for. */
  restore<Value>(value: Value): Value;
}

export const REDACT_ALL: RedactionOptions = {
  emails: true,
  phones: true,
  ibans: true,
  ips: true,
  names: true,
};
export const REDACT_SECRETS: RedactionOptions = {
  emails: false,
  phones: false,
  ibans: false,
  ips: false,
  names: false,
};

/** What already looks like a placeholder is hidden itself, so that no text can ask for the value of another. */
const PLACEHOLDER = /\[[A-Z]{2,10}_\d{1,6}\]/g;
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:sk|pk|rk)[-_](?:[a-zA-Z0-9]{1,40}[-_]){0,10}[a-zA-Z0-9]{16,}\b/g,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|npm_\w{30,})/g,
  /(?<=\b(?:Bearer|Basic)\s)[\w+/.~-]{12,}={0,2}/gi,
  /(?<=:\/\/[^\s:/@]{1,100}:)[^\s@/]{1,200}(?=@)/g,
  /(?<=\b(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|private[_-]?key|credential)s?\\?["']?\s{0,3}(?:[:=]|\bis\b)\s{0,3}\\?["']?)[^\s"',;\\]{4,200}/gi,
  /\b(?=[A-Za-z0-9+/_-]{0,100}\d)(?=[A-Za-z0-9+/_-]{0,100}[A-Z])(?=[A-Za-z0-9+/_-]{0,100}[a-z])[A-Za-z0-9+/_-]{40,}={0,2}/g,
];
const EMAILS = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,24}/gu;
const IBANS = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const PHONES =
  /(?<![\w.:/-])(?:\+|00)\d{1,3}[\s./()-]{0,2}(?:\d[\s./()-]{0,2}){6,13}\d(?![\w-])|(?<![\w.:/-])\(?0\d{1,5}\)?[\s/-]{1,3}\d(?:[\s-]?\d){4,9}(?![\w-])/g;
const IPS =
  /(?<![\w.])(?:\d{1,3}(?:\.|\[\.\])){3}\d{1,3}(?![\w.]*\d)|(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4}){1,5}(?![\w:])/gi;
const SECRET_KEY =
  /(?:^|[_\-.])(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|access_?key|private_?key|authorization|cookie)s?$/i;
const UNCASED = /\p{Lo}/u;

/** Hides by these options; secrets (keys, tokens, passwords) whatever they say. One redactor serves one call. */
export function createRedactor(options: RedactionOptions, names: readonly string[] = []): Redactor {
  const placeholders = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const placeholder = (kind: string) => (value: string) => {
    const known = placeholders.get(value);
    if (known) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `[${kind}_${count}]`;
    placeholders.set(value, name);
    values.set(name, value);
    return name;
  };
  const people = options.names ? namePattern(names) : null;
  const steps: [string, RegExp][] = [
    ...SECRETS.map((pattern): [string, RegExp] => ['SECRET', pattern]),
    ...(options.emails ? [['EMAIL', EMAILS] as [string, RegExp]] : []),
    ...(options.ibans ? [['IBAN', IBANS] as [string, RegExp]] : []),
    ...(options.ips ? [['IP', IPS] as [string, RegExp]] : []),
    ...(options.phones ? [['PHONE', PHONES] as [string, RegExp]] : []),
    ...(people ? [['PERSON', people] as [string, RegExp]] : []),
  ];
  const hidden = (text: string, key: string) => {
    if (SECRET_KEY.test(key) && text !== '') return placeholder('SECRET')(text);
    const literal = text.replaceAll(PLACEHOLDER, placeholder('TEXT'));
    return steps.reduce((done, [kind, pattern]) => outside(done, pattern, placeholder(kind)), literal);
  };
  const shown = (text: string) => text.replaceAll(PLACEHOLDER, (name) => values.get(name) ?? name);
  return { hide: (value) => mapStrings(value, hidden), restore: (value) => mapStrings(value, shown) };
}

/** Replaces what the pattern finds between placeholders, never a part of one. */
function outside(text: string, pattern: RegExp, replace: (value: string) => string): string {
  return text
    .split(/(\[[A-Z]{2,10}_\d{1,6}\])/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(pattern, (found) => replace(found))))
    .join('');
}

/** The names as whole words, in any case; scripts without spaces and cases know no words. */
function namePattern(names: readonly string[]): RegExp | null {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter((name) => name.length > 1);
  if (wanted.length === 0) return null;
  const alternatives = wanted
    .sort((one, other) => other.length - one.length)
    .map((name) => {
      const literal = name.replaceAll(
        /[^\p{L}\p{N} ]/gu,
        (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
      );
      return UNCASED.test(name) ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
    });
  return new RegExp(alternatives.join('|'), 'giu');
}

/** The same JSON with every string changed; `key` is the name of the member that it stands in. */
function mapStrings<Value>(value: Value, change: (text: string, key: string) => string): Value {
  const mapped = (one: unknown, key: string): unknown => {
    if (typeof one === 'string') return change(one, key);
    if (Array.isArray(one)) return one.map((member) => mapped(member, key));
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, mapped(member, name)]));
  };
  return mapped(value, '') as Value;
}
