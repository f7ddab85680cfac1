import { expect, test } from '@jest/globals';
import { navigatorLayer, operationInput, type TestedTechnique } from '@muster/contracts';
import { operationLayer, worstOf } from './layer.rules.ts';
import { metricsOf } from './metrics.rules.ts';
import { testedTechniques } from './operation.rules.ts';

const at = (minute: string) => `2026-03-01T09:${minute}:00.000Z`;

/** What an operation of these techniques is drawn as. */
function drawn(techniques: object[], domain: 'enterprise' | 'ics' = 'enterprise') {
  const tested = testedTechniques(operationInput.parse({ name: 'x', techniques }).techniques);
  const layer = operationLayer({ name: 'x', techniques: tested, metrics: metricsOf(tested) }, domain);
  return navigatorLayer.parse(layer);
}

test('what was tried several times is drawn once, by its worst, with all that was noted', () => {
  const [technique, ...others] = drawn([
    { technique: 'T1486', red: { executed_at: at('00') }, blue: { prevented: true } },
    { technique: 'T1486', red: { executed_at: at('10') }, blue: { source: 'EDR', notes: 'No rule.' } },
    { technique: 'T1486' },
  ]).techniques;
  expect(others).toEqual([]);
  expect(technique).toMatchObject({ score: 50, color: '#fee08b' });
  expect(technique?.comment).toBe('Prevented.\nLogged, no alert by EDR. No rule.\nNot run.');
  expect(technique?.metadata).toEqual([
    { name: 'Result', value: 'Prevented' },
    { name: 'Executed', value: at('00') },
    { divider: true },
    { name: 'Result', value: 'Logged, no alert' },
    { name: 'Executed', value: at('10') },
    { name: 'Seen by', value: 'EDR' },
    { divider: true },
    { name: 'Result', value: 'Not run' },
  ]);
});

test('says after how long and by what it was detected', () => {
  const blue = { detected_at: at('07'), source: 'Mail gateway' };
  const layer = drawn([{ technique: 'T1566.001', red: { executed_at: at('00') }, blue }]);
  expect(layer.techniques[0]?.comment).toBe('Detected after 7 min by Mail gateway.');
  expect(layer.description).toBe('1 executed, 0 prevented, 1 detected. 7 minutes to detect on average.');
});

test('a domain shows its own techniques; one without any is an empty layer', () => {
  const techniques = [{ technique: 'T0809' }, { technique: 'T1486' }];
  expect(drawn(techniques, 'ics').techniques.map(({ techniqueID }) => techniqueID)).toEqual(['T0809']);
  expect(drawn([], 'ics')).toMatchObject({ domain: 'ics-attack', techniques: [] });
});

test('a name of any length fits', () => {
  const layer = operationLayer(
    { name: 'x'.repeat(300), techniques: [], metrics: metricsOf([]) },
    'enterprise',
  );
  expect(navigatorLayer.parse(layer).name).toHaveLength(200);
});

test.each<[TestedTechnique['result'][], TestedTechnique['result']]>([
  [['not_run', 'prevented'], 'prevented'],
  [['prevented', 'detected'], 'detected'],
  [['logged', 'missed'], 'missed'],
  [[], 'not_run'],
])('of %j the worst that was run is %s', (results, worst) => {
  expect(worstOf(results)).toBe(worst);
});
