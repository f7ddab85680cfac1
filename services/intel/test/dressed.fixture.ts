// Reports of the corpus as sites publish them: the same words, in other clothes.

const INDICATOR = /^\S*(?:\[\.\]|hxxp|https?:|@|\d\.\d)\S*$|^[0-9a-f]{32,64}$|^[0-9a-f:]+::?[0-9a-f:]+$/;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** How a site shows a run of indicators. */
const LISTS = {
  preformatted: (lines: string[]) => `<pre><code>${lines.join('\n')}</code></pre>`,
  'a table': (lines: string[]) =>
    `<table><thead><tr><th>Value</th><th>Seen</th></tr></thead>${lines.map((line) => `<tr><td>${line}</td><td>once</td></tr>`).join('')}</table>`,
  'a bare table': (lines: string[]) =>
    `<table>${lines.map((line) => `<tr><td>${line}</td></tr>`).join('')}</table>`,
  'a list': (lines: string[]) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`,
  'lines of a paragraph': (lines: string[]) => `<p>${lines.join('<br>')}</p>`,
};

const MENU = `<ul>${['Emotet', 'Ryuk', 'Conti', 'Qakbot', 'TrickBot'].map((name) => `<li><a href="/${name}">${name} returns with phishing</a></li>`).join('')}</ul>`;
const TEASERS = ['FIN7', 'Lazarus Group', 'Wizard Spider']
  .map(
    (name) =>
      `<div class="card"><h3><a href="/${name}">${name} exploits CVE-2019-0708</a></h3><p><a href="/${name}">The group used spearphishing attachments against banks, and dumped LSASS.</a></p></div>`,
  )
  .join('');
const FOOT = '<p>Example News, 203.0.114.9, tips@example-tips-desk.com. We use cookies.</p>';

/** How a site marks what is its article. */
const SITES = {
  'an article': (title: string, body: string) =>
    `<header><nav>${MENU}</nav></header><main><article><h1>${title}</h1>${body}</article><aside>${TEASERS}</aside></main><footer>${FOOT}</footer>`,
  'classes of a blog': (title: string, body: string) =>
    `<div class="navbar">${MENU}</div><div class="wrap"><div class="sidebar">${TEASERS}</div><div class="post"><h1 class="post-title">${title}</h1><div class="post-content">${body}</div><div class="related-posts">${TEASERS}</div></div></div><div class="footer">${FOOT}</div>`,
  'boxes without a name': (title: string, body: string) =>
    `<div><div>${MENU}</div><div><h1>${title}</h1><div>${body}</div></div><div>${TEASERS}</div></div>`,
  'a table of a layout': (title: string, body: string) =>
    `<table><tr><td>${MENU}</td><td><h1>${title}</h1>${body}</td><td>${TEASERS}</td></tr></table>`,
};

/** A report as each kind of site shows it. */
export function dressed(report: string): { site: string; html: string }[] {
  const [title = '', ...rest] = report.trim().split('\n');
  return Object.entries(SITES).flatMap(([site, page]) =>
    Object.entries(LISTS).map(([list, show]) => ({
      site: `${site}, indicators as ${list}`,
      html: `<!doctype html><html lang="en"><head><title>${escaped(title)} | Example News</title></head><body>${page(escaped(title), bodyOf(rest.join('\n').trim(), show))}<script>var x = 'Dridex'</script></body></html>`,
    })),
  );
}

function bodyOf(text: string, show: (lines: string[]) => string): string {
  return text
    .split(/\n{2,}/)
    .map((passage) => {
      const lines = passage.split('\n').map(escaped);
      const from = lines.findIndex((line) => INDICATOR.test(line));
      if (from < 0) return lines.map(element).join('\n');
      const to = lines.findLastIndex((line) => INDICATOR.test(line)) + 1;
      return [
        ...lines.slice(0, from).map(element),
        show(lines.slice(from, to)),
        ...lines.slice(to).map(element),
      ].join('\n');
    })
    .join('\n');
}

const element = (line: string) =>
  line.length < 80 && !/[.:!?]$/.test(line) ? `<h2>${line}</h2>` : `<p>${line}</p>`;
