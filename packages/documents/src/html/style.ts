import { ACCENT, INK, MUTED, PAPER, RULE, TONES, TRACK } from '../model/palette.ts';

/** Inks and washes of the tones at night, where the paper's would not be read. */
const NIGHT = {
  neutral: { ink: '#b4bfcb', wash: '#232c36' },
  info: { ink: '#8fbce8', wash: '#16293d' },
  good: { ink: '#7fcfae', wash: '#122e25' },
  fair: { ink: '#8cc5e6', wash: '#142c3a' },
  poor: { ink: '#e8b56a', wash: '#33260f' },
  bad: { ink: '#f09a9a', wash: '#3a1b1b' },
};

const tones = Object.entries(TONES)
  .map(([tone, { solid, ink, wash }]) => `.${tone}{--solid:${solid};--tone-ink:${ink};--wash:${wash}}`)
  .join('');
const nightTones = Object.entries(NIGHT)
  .map(([tone, { ink, wash }]) => `.${tone}{--tone-ink:${ink};--wash:${wash}}`)
  .join('');

/** Charts name the paper's colours; at night each is read as what it stands for. */
const nightColours = [
  [PAPER, 'page'],
  [INK, 'ink'],
  [MUTED, 'muted'],
  [RULE, 'rule'],
  [TRACK, 'track'],
  [ACCENT, 'accent'],
]
  .map(
    ([colour, name]) =>
      `svg [fill="${colour}"]{fill:var(--${name})}svg [stroke="${colour}"]{stroke:var(--${name})}`,
  )
  .join('');

const BASE = `
:root{--ink:${INK};--muted:${MUTED};--rule:${RULE};--track:${TRACK};--accent:${ACCENT};--page:#fff;--soft:#f6f8fa}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:54rem;padding:3.5rem 2rem 5rem;background:var(--page);color:var(--ink);
 font:400 1rem/1.65 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
p,li,dd,td,blockquote,h1,h2,h3,h4{white-space:pre-line}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem 1rem}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;color:var(--accent)}
h1{font-size:2.4rem;font-weight:700;letter-spacing:-.015em;margin:1.5rem 0 .5rem}
h2{font-size:1.6rem;margin:3.5rem 0 1rem;padding-top:1.1rem;border-top:1px solid var(--rule)}
h3{font-size:1.2rem;margin:2.2rem 0 .75rem}
h4{font-size:1rem;margin:1.6rem 0 .5rem;color:var(--ink)}
.cover{border-bottom:3px solid var(--accent);padding-bottom:2rem;margin-bottom:2rem}
.subtitle{font-size:1.2rem;color:var(--muted);margin-bottom:1.5rem}
.classification{display:inline-block;font-weight:700;font-size:.85rem;letter-spacing:.04em;padding:.15rem .6rem;
 print-color-adjust:exact;-webkit-print-color-adjust:exact}
dl{margin:0}dd{margin:0}
.meta{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.9rem 2.5rem}
dt{color:var(--muted);font-size:.85rem}
.contents{margin-bottom:2rem}
.contents h2{border:0;padding:0;margin:0 0 .75rem;font-size:1.1rem}
.contents ol{list-style:none;padding:0;margin:0}
.contents li{padding:.2rem 0}
.contents .level-2{padding-left:1.5rem;font-size:.95rem}
.contents a{text-decoration:none;color:var(--ink)}
.contents a:hover{text-decoration:underline}
.lead{font-size:1.2rem;line-height:1.6}
main ul,main ol{padding-left:1.5rem;margin:0 0 1rem}
main li{margin:.3rem 0}
code{font:.9em ui-monospace,"Cascadia Code",Menlo,Consolas,monospace;background:var(--track);padding:.1em .35em;border-radius:3px}
.badge{display:inline-block;font-size:.8rem;font-weight:700;line-height:1.4;padding:.05rem .5rem;border-radius:3px;
 color:#fff;background:var(--solid);white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.wide{overflow-x:auto;margin:1.25rem 0 1.75rem}
table{border-collapse:collapse;width:100%;font-size:.92rem;line-height:1.5}
caption{text-align:start;font-weight:700;padding-bottom:.6rem}
th,td{text-align:start;vertical-align:top;padding:.6rem .8rem;border-bottom:1px solid var(--rule);overflow-wrap:normal}
.long{overflow-wrap:anywhere;min-width:8rem}
thead th{border-bottom:2px solid var(--accent);font-size:.85rem;white-space:normal}
th.right,td.right{text-align:end;font-variant-numeric:tabular-nums}
th.center,td.center{text-align:center}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1.25rem;margin:1.5rem 0 2rem}
.figures>div{border-top:3px solid var(--accent);padding-top:.7rem;display:flex;flex-direction:column}
.figures .value{font-size:2rem;font-weight:700;line-height:1.2;order:-1;font-variant-numeric:tabular-nums}
.figures .change{color:var(--tone-ink);font-size:.85rem;font-weight:600}
.callout{border-left:4px solid var(--solid);background:var(--wash);padding:1rem 1.25rem;margin:1.5rem 0;
 print-color-adjust:exact;-webkit-print-color-adjust:exact}
.callout-title{font-weight:700;color:var(--tone-ink);margin-bottom:.35rem}
.callout>:last-child{margin-bottom:0}
.quote{margin:1.5rem 0;padding-left:1.25rem;border-left:3px solid var(--rule)}
.quote blockquote{margin:0;font-style:italic}
.quote figcaption{color:var(--muted);font-size:.88rem;margin-top:.35rem}
.chart{margin:1.75rem 0 2.25rem}
.chart-title{font-weight:700;margin-bottom:.75rem}
.chart .wide{margin:0}
.chart svg{display:block;width:100%;min-width:32rem;max-width:46rem;height:auto}
.caption{color:var(--muted);font-size:.88rem;margin:.75rem 0 0}
details{font-size:.9rem;margin-top:.6rem;color:var(--muted)}
summary{cursor:pointer}
.definitions>div{display:grid;grid-template-columns:minmax(8rem,13rem) 1fr;gap:.25rem 1.5rem;padding:.6rem 0;border-bottom:1px solid var(--rule)}
.definitions dt{font-size:1rem;font-weight:700;color:var(--ink)}
main .steps{counter-reset:step;list-style:none;padding:0}
.steps>li{counter-increment:step;position:relative;padding:.9rem 0 .9rem 3rem;margin:0;border-bottom:1px solid var(--rule)}
.steps>li::before{content:counter(step);position:absolute;left:0;top:.95rem;width:1.9rem;height:1.9rem;border-radius:50%;
 border:2px solid var(--solid);color:var(--tone-ink);font-weight:700;text-align:center;line-height:1.75rem}
.step-title{font-weight:700;margin:0}
.step-title .badge{margin-left:.35rem}
.steps p+p,.steps p+ul,.steps p+ol{margin-top:.4rem}
.steps p{margin-bottom:.4rem}
.notes{display:flex;flex-wrap:wrap;gap:.2rem 1.75rem;font-size:.88rem}
.notes div{display:flex;gap:.4rem}
main .timeline{list-style:none;padding:0}
.timeline>li{display:grid;grid-template-columns:6rem 1fr;gap:1.5rem;margin:0}
.timeline .time{text-align:end;color:var(--muted);font-variant-numeric:tabular-nums}
.timeline>li>div{border-left:2px solid var(--rule);padding:0 0 1.25rem 1.5rem;position:relative}
.timeline>li>div::before{content:"";position:absolute;left:-.44rem;top:.45rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--solid)}
.timeline p{margin:0}.moment{font-weight:700}
.foot{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--rule);color:var(--muted);font-size:.85rem;
 display:flex;justify-content:space-between;gap:1rem}
@media (max-width:40rem){body{padding:1.5rem 1.1rem 3rem}h1{font-size:1.8rem}
 .definitions>div{grid-template-columns:1fr}.timeline>li{grid-template-columns:3.5rem 1fr;gap:.75rem}
 main table{min-width:34rem}}
`;

const DARK = `
@media screen and (prefers-color-scheme:dark){
:root{--ink:#e3e8ee;--muted:#9aa7b5;--rule:#34404d;--track:#29333f;--accent:#a9c7e8;--page:#12181f;--soft:#1a222b}
${nightTones}
${nightColours}
}`;

const PRINT = `
@page{size:A4;margin:22mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt Roboto,sans-serif;color:${MUTED}}}
@media print{
body{max-width:none;padding:0;font-size:10.5pt}
.skip,details{display:none}
h1,h2,h3,h4,.chart-title,caption{break-after:avoid}
tr,.figures>div,.callout,.quote,.chart,.timeline>li{break-inside:avoid}
thead{display:table-header-group}
.wide{overflow:visible}
.page-break{break-after:page}
p,li{orphans:3;widows:3}
main a[href^="http"]::after{content:" (" attr(href) ")";font-size:.85em;color:var(--muted)}
}`;

/** The page's only style sheet: paper by day, night by the reader's wish, A4 when printed. */
export const STYLE = `${BASE}${tones}${DARK}${PRINT}`;
