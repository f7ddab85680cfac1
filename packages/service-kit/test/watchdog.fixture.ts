import { watchLoop } from '../src/watchdog/watchdog.ts';

// A process with a watchdog of one second, whose loop is blocked for as many milliseconds as it is told.
watchLoop('fixture', 1_000);
process.stdin.on('data', (chunk) => {
  for (const until = performance.now() + Number(chunk); performance.now() < until; );
  process.stdout.write('turns\n');
});
process.stdout.write('ready\n');
