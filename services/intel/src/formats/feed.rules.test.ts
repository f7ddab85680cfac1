import { describe, expect, test } from '@jest/globals';
import { readFeed } from './feed.rules.ts';

const rss = (
  items: string,
) => `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Threat News</title><link>https://news.org/</link>${items}</channel></rss>`;

test('RSS 2.0: an item for each entry, the newest first', () => {
  const [first, second] = readFeed(
    rss(`<item><title>Older &amp; wiser</title><link>https://news.org/a?utm_source=rss</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>Short &lt;b&gt;text&lt;/b&gt;.</description></item>
<item><title><![CDATA[Newer]]></title><link>/b</link><dc:date>2026-03-03T10:00:00Z</dc:date><category>Malware</category><description>Short.</description>
<content:encoded><![CDATA[<p>The whole text.</p><p>Second&nbsp;part.</p><script>no</script>]]></content:encoded></item>`),
    'https://news.org/feed.xml',
  );
  expect(first).toMatchObject({
    format: 'rss',
    title: 'Newer',
    url: 'https://news.org/b',
    publisher: 'Threat News',
    published_at: '2026-03-03T10:00:00.000Z',
    tags: ['malware'],
    hosts: ['news.org'],
    text: 'Newer\n\nThe whole text.\nSecond part.',
  });
  expect(second).toMatchObject({
    title: 'Older & wiser',
    published_at: '2026-03-02T10:00:00.000Z',
    text: 'Older & wiser\n\nShort text.',
  });
});

test('Atom: with XHTML content and links of several kinds', () => {
  const [entry] = readFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link rel="self" href="https://b.org/atom"/><entry><id>urn:1</id>
<title type="html">On &lt;i&gt;Emotet&lt;/i&gt;</title><link rel="edit" href="https://b.org/edit"/><link href="https://b.org/one"/>
<updated>2026-01-05T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One.</p><p>Two.</p></div></content></entry></feed>`,
    'https://b.org/atom',
  );
  expect(entry).toMatchObject({
    format: 'atom',
    title: 'On Emotet',
    url: 'https://b.org/one',
    publisher: 'Blog',
    text: 'On Emotet\n\nOne.\nTwo.',
  });
});

test('an entry without a link is known by its id, one without either by its words', () => {
  const [one] = readFeed(
    rss('<item><guid isPermaLink="false">id-7</guid><title>No link</title></item>'),
    null,
  );
  expect([one?.key, one?.url]).toEqual(['feed:id-7', null]);
});

test('of many entries the newest are kept, and it is said', () => {
  const items = Array.from(
    { length: 130 },
    (_, day) =>
      `<item><title>Entry ${day}</title><link>https://news.org/${day}</link><pubDate>${new Date(Date.UTC(2025, 0, 1 + day)).toUTCString()}</pubDate></item>`,
  );
  const readings = readFeed(rss(items.join('')), null);
  expect(readings).toHaveLength(100);
  expect(readings[0]).toMatchObject({
    title: 'Entry 129',
    notes: ['30 older entries of the feed were left out.'],
  });
});

describe('is read in every dialect, and as far as it is whole', () => {
  const two = `<item><title>One</title><link>https://a.org/1</link><description>d</description></item>
<item><title>Two</title><link>https://a.org/2</link></item>`;
  const rdf = (names: string, body: string) =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${names}>${body}</rdf:RDF>`;
  const atom = (prefix: string) =>
    `<${prefix}feed><${prefix}title>R</${prefix}title>${[
      ['One', '1'],
      ['Two', '2'],
    ]
      .map(
        ([title, path]) =>
          `<${prefix}entry><${prefix}title>${title}</${prefix}title><${prefix}link href="https://a.org/${path}"/></${prefix}entry>`,
      )
      .join('')}</${prefix}feed>`;
  test.each([
    ['RSS 0.90', rdf('xmlns="http://my.netscape.com/rdf/simple/0.9/"', two)],
    [
      'RSS 0.91',
      `<!DOCTYPE rss PUBLIC "-//Netscape//RSS 0.91" "rss-0.91.dtd"><rss><channel>${two}</channel></rss>`,
    ],
    ['RSS 1.0', rdf('xmlns="http://purl.org/rss/1.0/"', two)],
    ['RSS 1.0 with prefixes', rdf('xmlns:rss="http://purl.org/rss/1.0/"', two.replace(/<(\/?)/g, '<$1rss:'))],
    ['Atom', atom('')],
    ['Atom with prefixes', atom('atom:')],
    [
      'fields of iTunes and media',
      rss(two.replaceAll('<title>', '<itunes:title>no</itunes:title><media:title>no</media:title><title>')),
    ],
    ['no channel', `<rss>${two}</rss>`],
    ['an ampersand of its own', rss(two.replace('>d<', '>d & e<'))],
    ['a less-than of its own', rss(two.replace('>d<', '>a < b<'))],
    ['a wrong closing tag', rss(two.replace('</description>', '</desc>'))],
    ['markup that is not escaped', rss(two.replace('>d<', '><p>d<br>e</p><'))],
    ['cut off behind an entry', rss(two).slice(0, -16)],
    ['something behind its end', `${rss(two)}<script>1</script>`],
  ])('%s', (_name, xml) => {
    expect(readFeed(xml, null).map(({ title, url }) => [title, url])).toEqual([
      ['One', 'https://a.org/1'],
      ['Two', 'https://a.org/2'],
    ]);
  });
});

describe('is refused in plain words', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level || ''};`.repeat(10)}">`).join('')}]><rss><channel><item><title>&lol9;</title></item></channel></rss>`;
  test.each([
    ['an entity bomb', bomb, 'entities'],
    [
      'an entity that reaches for files',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&x;</title></item></channel></rss>',
      'entities',
    ],
    ['a parameter entity', '<!DOCTYPE r [ <!ENTITY % p SYSTEM "http://10.0.0.1/"> %p; ]><rss/>', 'entities'],
    ['an empty feed', rss(''), 'without entries'],
    ['a feed of nothing', rss('<item></item>'), 'neither titles nor text'],
    ['other XML', '<?xml version="1.0"?><note><item><title>x</title></item></note>', 'neither RSS nor Atom'],
    ['nesting beyond reason', rss(`<item>${'<a>'.repeat(500)}</item>`), 'nested deeper'],
    ['elements beyond reason', rss('<item><title>x</title></item>'.repeat(30_000)), 'more than'],
  ])('%s', (_name, xml, reason) => {
    expect(() => readFeed(xml, null)).toThrow(reason);
  });
});
