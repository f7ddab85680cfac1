import type { Document } from 'bson';
import { SqlError, SqlGone } from './sql.messages.ts';

/** What a command fails with: MongoDB's code and its name, and labels that drivers act upon. */
export class CommandError extends Error {
  code: number;
  labels: string[];
  /** Further fields of the answer. */
  more: Document;
  constructor(code: number, message: string, labels: string[] = [], more: Document = {}) {
    super(message);
    this.code = code;
    this.labels = labels;
    this.more = more;
  }
}

/**
 * MongoDB's code of each of the engine's own SQLSTATEs: the n-th entry belongs to state `M` + n in base 36
 * (four digits), so M001C is 11000. Order and numbers as in the engine's external_error_mapping.csv.
 */
const ENGINE = `
  1 2 5 9 14 15 20 23 26 27 28 31 34 40 43 48 52 53 54 56 57 61 66 67 68 72 73 85 86 111 115 118 146 159 165
  166 167 181 197 224 232 241 263 276 291 361 10065 10334 11000 12587 13026 13027 13068 13113 13297 13548
  15947 15952 15955 15957 15958 15959 15972 15976 15981 16004 16006 16007 16020 6045000 16034 16035 16410
  16411 16433 16554 16610 16611 16612 16702 16747 16748 16749 16755 16764 16766 16800 16801 16804 16874 16875
  16876 16878 16879 16880 16882 16883 16994 17040 17041 17042 17043 17044 17045 17046 17047 17048 17049 17080
  17081 17082 17083 17124 17194 17261 17276 17308 17310 17419 17420 18628 18629 18533 18534 18535 18536 18537
  28625 28646 28647 28648 28650 28651 28656 28657 28664 51044 51045 50989 28667 28680 28689 28690 28691 28714
  28724 28725 28726 28727 28728 28729 28745 28746 28747 28748 28749 28756 28757 28758 28759 28761 28762 28763
  28764 28765 28766 28769 28803 28808 28809 28810 28811 28812 28818 28822 31032 31002 31022 31023 31024 31034
  31095 31109 31119 31120 31138 31249 31250 31253 31254 31256 31271 31276 31308 31325 31393 31395 34435 31441
  34443 34444 34445 34446 34447 34448 34449 34450 34451 34452 34453 34454 34455 34460 34461 34462 34463 34464
  34465 34466 34467 34468 34471 34473 40060 40061 40062 40063 40064 40065 40066 40067 40068 40075 40076 40077
  40078 40079 40080 40081 40085 40086 40087 40090 40091 40092 40093 40094 40096 40097 40100 40101 40102 40103
  40104 40105 40147 40156 40158 40160 40169 40177 40185 40191 40192 40193 40194 40195 40196 40197 40198 40199
  40200 40201 40202 40218 40228 40234 40238 40272 40319 40321 40323 40324 40352 40386 40390 40391 40392 40393
  40394 40395 40396 40397 40398 40400 40414 40415 40485 40489 40515 40516 40517 40518 40519 40520 40521 40522
  40523 40524 40525 40533 40535 40536 40539 40540 40541 40542 40600 40601 40602 40603 40235 40237 40647 40684
  50694 50695 50696 50699 50700 50723 50752 50759 51024 51047 51074 51075 51080 51081 51082 51083 51091 51103
  51104 51105 51106 51107 51108 51109 51110 51111 51132 51134 51151 51156 51178 51183 51185 51186 51187 51191
  51246 51276 51247 51743 51744 51745 51746 51747 51748 51749 51750 51751 327391 327392 1257300 3040501
  4031700 4161100 4161101 2942500 2942501 2942502 2942503 2942504 2942505 2942506 3041701 3041702 3041703
  4161102 4161103 4161104 4161105 4161106 4161107 4161108 4161109 4890500 4940400 4940401 5166400 5166401
  5166402 5166403 5166404 5166405 5166406 5107200 5107201 5166301 5166302 5166303 5166304 5166305 5166307
  5339900 5339901 5339902 5429413 5429414 5429513 5439007 5439008 5439009 5439010 5439012 5439013 5439014
  5439015 5439016 5439017 5439018 5626500 5654600 5654601 5654602 5687301 5687302 5687400 5687401 5746102
  5787801 5787900 5787901 5787902 5787903 5787906 5787907 5787908 5788200 5858203 5976500 5371601 5371602
  5371603 121 605001 6050106 16990 13111 5788001 5788002 5788003 5788004 5788005 5733201 5733401 5733402
  5733403 5733406 5733408 5733409 5876900 5897900 5946802 6007200 6053600 6586400 8993000 5423900 5423901
  5423902 5490710 5624900 5624901 6050202 6050204 5788604 31170 31465 40181 16 15998 40229 8000 55 40236
  17053 7429703 7436100 7750301 7750302 7750303 51003 7749501 5860402 7555701 7555702 3041704 4341107 42501
  10107 40239 40240 40241 40242 40243 40244 40245 40246 40257 40258 40260 40261 143 13103 17385 31319 31320
  31321`
  .trim()
  .split(/\s+/)
  .map(Number);

/** PostgreSQL's own states that have a meaning in MongoDB. */
const POSTGRES: Record<string, number> = {
  '23505': 11000,
  '23P01': 11000,
  '40001': 112,
  '40P01': 112,
  '55P03': 112,
  '57014': 50,
  '53100': 14031,
  '42P01': 26,
  '0A000': 115,
  '22P02': 2,
  '22023': 2,
  '25P02': 251,
  '42501': 13,
  MU225: 225,
  '57P01': 91,
  '57P02': 91,
  '57P03': 91,
  '53300': 91,
};

const NAMES: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  6: 'HostUnreachable',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  121: 'DocumentValidationFailure',
  225: 'TransactionTooOld',
  238: 'NotImplemented',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  263: 'OperationNotSupportedInTransaction',
  334: 'MechanismUnavailable',
  11000: 'DuplicateKey',
  10334: 'BSONObjectTooLarge',
  14031: 'OutOfDiskSpace',
};

/** The name MongoDB gives a code; numbered ones are called Location by their number. */
export function nameOf(code: number): string {
  return NAMES[code] ?? `Location${code}`;
}

/** MongoDB's code of a SQLSTATE; 1 (InternalError) when it has none. */
export function codeOf(state: string): number {
  if (state.startsWith('M0')) return ENGINE[Number.parseInt(state.slice(1), 36)] ?? 1;
  return POSTGRES[state] ?? 1;
}

/**
 * The code of a write error inside an answer. The engine packs a SQLSTATE into the number, six bits a
 * character from the lowest, so 319029277 is M001C, DuplicateKey; smaller numbers are MongoDB's own already.
 */
export function unpacked(code: number): number {
  if (code < 1 << 24) return code;
  let state = '';
  for (let shift = 0; shift < 30; shift += 6) state += String.fromCharCode(((code >> shift) & 63) + 48);
  return codeOf(state);
}

/** What a client is told of any error. */
export function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof SqlGone) return new CommandError(91, error.message);
  if (!(error instanceof SqlError)) return new CommandError(1, String(error));
  const code = codeOf(error.state);
  if (code === 50) return new CommandError(50, 'operation exceeded its time limit');
  return new CommandError(code, code === 1 ? `${error.message} (SQLSTATE ${error.state})` : error.message);
}

/** The document that answers a failed command. */
export function failure(error: CommandError): Document {
  const { code, message, labels, more } = error;
  const errorLabels = labels.length > 0 ? { errorLabels: labels } : {};
  return { ok: 0, errmsg: message, code, codeName: nameOf(code), ...more, ...errorLabels };
}
