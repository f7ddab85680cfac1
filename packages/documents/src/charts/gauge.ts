import { type Child, element } from '../markup.ts';
import type { GaugeChart, Rating } from '../model/chart.ts';
import { ACCENT, INK, MUTED, ratingShade, TRACK } from '../model/palette.ts';
import { WORDS } from '../model/wording.ts';
import { clamp, type Drawing, label, round, WIDTH } from './canvas.ts';

const CENTRE: [number, number] = [WIDTH / 2, 126];
const OUTER = 106;
const INNER = 80;

/** A half circle from 0 to 100, cut by the bands where there are some, with a pointer at the value. */
export function drawGauge(chart: GaugeChart): Drawing {
  const zones = chart.bands ? zonesOf(chart.bands) : [];
  const value = chart.value;
  return {
    height: 154,
    content: [
      ring(0, 100, TRACK, 'track'),
      zones.map(({ rating, from, to }) => ring(from, to, ratingShade(rating).solid)),
      zones.map(({ rating, from, to }) => {
        const [x, y] = at((from + to) / 2, (OUTER + INNER) / 2);
        return label(x, y + 4.5, rating, { anchor: 'middle', bold: true, fill: '#ffffff' });
      }),
      zones.length === 0 && value !== null && ring(0, value, ACCENT, 'accent'),
      value !== null && pointer(value),
      label(CENTRE[0], CENTRE[1] - 22, value === null ? WORDS.noData : String(value), {
        anchor: 'middle',
        size: value === null ? 18 : 38,
        bold: true,
      }),
      value !== null &&
        label(CENTRE[0], CENTRE[1] - 2, chart.grade ? `of 100, rated ${chart.grade}` : 'of 100', {
          anchor: 'middle',
          size: 12,
          fill: MUTED,
          class: 'muted',
        }),
      [0, 100].map((end) => {
        const [x] = at(end, (OUTER + INNER) / 2);
        return label(x, CENTRE[1] + 18, String(end), {
          anchor: 'middle',
          size: 10.5,
          fill: MUTED,
          class: 'muted',
        });
      }),
    ],
  };
}

function zonesOf({ P, S, M }: { P: number; S: number; M: number }) {
  const zone = (rating: Rating, from: number, to: number) => ({ rating, from, to });
  return [zone('U', 0, M), zone('M', M, S), zone('S', S, P), zone('P', P, 100)].filter(
    ({ from, to }) => to > from,
  );
}

/** @returns the point of the half circle at a value of 0 to 100 and a distance from the centre */
export function at(value: number, radius: number): [x: number, y: number] {
  const angle = Math.PI * (1 - clamp(value, 0, 100) / 100);
  return [round(CENTRE[0] + radius * Math.cos(angle)), round(CENTRE[1] - radius * Math.sin(angle))];
}

function ring(from: number, to: number, fill: string, className?: string): Child {
  const inset = from > 0 ? 0.4 : 0;
  const [start, end] = [at(from + inset, OUTER), at(to, OUTER)];
  const [back, home] = [at(to, INNER), at(from + inset, INNER)];
  const path = [
    `M${start.join(' ')}`,
    `A${OUTER} ${OUTER} 0 0 1 ${end.join(' ')}`,
    `L${back.join(' ')}`,
    `A${INNER} ${INNER} 0 0 0 ${home.join(' ')}`,
    'Z',
  ];
  return element('path', { d: path.join(' '), fill, class: className });
}

/** A triangle outside the ring, so that it is seen on every colour. */
function pointer(value: number): Child {
  const corners = [at(value, OUTER + 3), at(value - 1.1, OUTER + 16), at(value + 1.1, OUTER + 16)];
  const points = corners.map((corner) => corner.join(',')).join(' ');
  return element('polygon', { points, fill: INK, class: 'ink' });
}
