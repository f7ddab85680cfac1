// Run as a process of its own: imports the modules that it is given, and prints the expressions that they make as they load.
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const made: { file: string; source: string; flags: string }[] = [];

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, newTarget) {
    const made_ = Reflect.construct(target, given, newTarget) as RegExp;
    const place = /file:\/\/\/?[^\s)]*\.ts/g;
    const frames = new Error().stack?.match(place) ?? [];
    const own = frames
      .map((frame) => fileURLToPath(frame))
      .find((path) => !path.endsWith('patterns/made.ts'));
    if (own) made.push({ file: relative(ROOT, own), source: made_.source, flags: made_.flags });
    return made_;
  },
});
for (const file of process.argv.slice(2)) await import(pathToFileURL(`${ROOT}${file}`).href);
process.stdout.write(JSON.stringify(made), () => process.exit(0));
