import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** What a program that logs writes, line by line: a log goes to the standard output of its process. */
async function logged(program: string): Promise<Record<string, unknown>[]> {
  const imports = ['log', 'trace'].map((name) => `import * as ${name} from './${name}.ts';`);
  const source = [...imports, program].join('\n');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
  });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('a line says when, who, and which request; it shows no credential and no line below the level', async () => {
  const lines = await logged(`
    const out = log.createLog('twin', 'info');
    out.debug('not this one');
    out.info('outside');
    const traceparent = trace.childTraceparent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
    trace.withTrace({ requestId: 'req-1', traceparent, orgId: 'org-1' }, () => {
      const headers = { authorization: 'Bearer hunter2', cookie: 'hunter2', accept: 'x' };
      out.warn({ headers, token: 'hunter2', cookie: 'hunter2', authorization: 'hunter2' }, 'inside');
    });
    out.error({ err: new Error('why') }, 'it failed');
  `);
  expect(lines).toMatchObject([
    { level: 30, service: 'twin', msg: 'outside', time: expect.stringMatching(/^\d{4}-.*Z$/) },
    {
      level: 40,
      msg: 'inside',
      request_id: 'req-1',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      org_id: 'org-1',
      headers: { accept: 'x' },
    },
    { level: 50, msg: 'it failed', err: { message: 'why', stack: expect.stringContaining('Error: why') } },
  ]);
  expect(lines[0]).not.toHaveProperty('request_id');
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
