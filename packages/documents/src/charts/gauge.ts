import type { GaugeChart, Rating } from '../model/chart.ts';
import { ACCENT, INK, MUTED, PAPER, ratingShade, TRACK } from '../model/palette.ts';
import { WORDS } from '../model/wording.ts';
import { type Drawing, ON_COLOUR, SMALL, STILL } from './drawing.ts';

const CENTRE = ['50%', 126];
const OUTER = 106;
const INNER = 80;
/** A triangle whose point looks to the ring. */
const INWARDS = 'path://M0 0 L10 0 L5 14 Z';
const HALF = { startAngle: 180, endAngle: 0 } as const;

/** A half circle from 0 to 100, cut by the bands where there are some, with a pointer at the value. */
export function gaugeDrawing(chart: GaugeChart): Drawing {
  const { value, grade } = chart;
  const zones = zonesOf(chart);
  return {
    height: 154,
    option: {
      series: [
        {
          ...STILL,
          type: 'pie',
          center: CENTRE,
          radius: [INNER, OUTER],
          startAngle: 180,
          endAngle: 360,
          itemStyle: { borderColor: PAPER, borderWidth: 1 },
          label: { ...ON_COLOUR, show: true, position: 'inner' },
          labelLine: { show: false },
          data: zones.map(({ name, from, to, color }) => ({
            name,
            value: to - from,
            itemStyle: { color },
            label: { show: name !== '' },
          })),
        },
        {
          ...STILL,
          ...HALF,
          type: 'gauge',
          center: CENTRE,
          radius: OUTER + 16,
          axisLine: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          splitNumber: 1,
          pointer: {
            show: value !== null,
            icon: INWARDS,
            length: 14,
            width: 10,
            offsetCenter: [0, -(OUTER + 10)],
            itemStyle: { color: INK },
          },
          title: { ...SMALL, fontSize: 12, offsetCenter: [0, -6], show: value !== null },
          detail: {
            ...ON_COLOUR,
            color: INK,
            fontSize: value === null ? 18 : 38,
            offsetCenter: [0, -34],
            formatter: () => (value === null ? WORDS.noData : String(value)),
          },
          data: [{ value: value ?? 0, name: grade ? `of 100, rated ${grade}` : 'of 100' }],
        },
        {
          ...STILL,
          ...HALF,
          type: 'gauge',
          center: CENTRE,
          radius: OUTER,
          axisLine: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          pointer: { show: false },
          detail: { show: false },
          splitNumber: 1,
          axisLabel: {
            ...SMALL,
            distance: 8,
            color: MUTED,
            rotate: 0,
            verticalAlign: 'top',
            padding: [10, 0, 0, 0],
          },
        },
      ],
    },
  };
}

interface Zone {
  name: string;
  from: number;
  to: number;
  color: string;
}

/** The ring's pieces from left to right: the ratings, or how far the value reaches. */
function zonesOf({ bands, value }: GaugeChart): Zone[] {
  const zone = (name: Rating, from: number, to: number) => ({
    name,
    from,
    to,
    color: ratingShade(name).solid,
  });
  const pieces = bands
    ? [
        zone('U', 0, bands.M),
        zone('M', bands.M, bands.S),
        zone('S', bands.S, bands.P),
        zone('P', bands.P, 100),
      ]
    : [
        { name: '', from: 0, to: value ?? 0, color: ACCENT },
        { name: '', from: value ?? 0, to: 100, color: TRACK },
      ];
  return pieces.filter(({ from, to }) => to > from);
}
