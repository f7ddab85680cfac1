import { afterEach, expect, test } from '@jest/globals';
import { gatewayProofs, PROOF_HEADER } from '@muster/service-kit';
import { ask } from '@muster/testing';
import { PRODUCTION, SECRET, type Stand, startStand } from './stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const proofs = gatewayProofs(SECRET);

test('what comes without a token is proven to have come through the gateway, in development mode', async () => {
  stand = await startStand();
  const { url, exercises } = stand;
  const last = () => {
    const received = exercises.received.at(-1);
    return received && proofs.holds(received);
  };
  await ask(url, '/api/sessions/?limit=5&name=a%20b');
  expect(last()).toBe(true);
  await ask(url, '/api/sessions/', { method: 'POST', body: '{}' });
  expect(last()).toBe(true);
  await ask(url, '/api/sessions/', { method: 'HEAD' });
  expect(last()).toBe(true);
});

test('what a caller sends as a proof is dropped; with a token none is needed', async () => {
  stand = await startStand();
  const { url, exercises } = stand;
  const made = proofs.make({ method: 'GET', url: '/api/sessions/' });
  const headers = { [PROOF_HEADER]: made, authorization: 'Bearer x' };
  await ask(url, '/api/sessions/', { headers });
  expect(exercises.received.at(-1)?.headers).not.toHaveProperty(PROOF_HEADER);
  await ask(url, '/api/sessions/', { headers: { [PROOF_HEADER]: `${made}, x` } });
  expect(exercises.received.at(-1)?.headers[PROOF_HEADER]).not.toContain('x, ');
  expect(exercises.received.map(({ headers }) => PROOF_HEADER in headers)).toEqual([false, true]);
});

test('there is none in production, where the gateway needs no secret', async () => {
  stand = await startStand({ ...PRODUCTION, SERVICE_SECRET: '' });
  const { url, exercises } = stand;
  await ask(url, '/api/sessions/');
  expect(exercises.received.at(-1)?.headers).not.toHaveProperty(PROOF_HEADER);
});
