import { spawnChild } from '../src/processes/child.ts';

// A launcher as the reaper's test needs it: a child, a child with a child of its own, and one that ignores SIGTERM.
const scripts = ['sleep 300', 'sleep 300 & sleep 300', "trap '' TERM; while :; do sleep 1; done"];
for (const script of scripts) spawnChild({ name: 'child', command: '/bin/sh', args: ['-c', script] });
setTimeout(() => process.stdout.write('started\n'), 300);
setInterval(() => {}, 1_000);
