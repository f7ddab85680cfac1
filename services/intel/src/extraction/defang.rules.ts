import type { IndicatorType } from '@muster/contracts';

/** How people write a dot, an at and a colon so that nothing follows them by accident; each with a plain one. */
export const DOT = String.raw`(?:\s?\[\s?\.\s?\]\s?|\s?\(\s?\.\s?\)\s?|\{\.\}|\s?[[({]\s?(?:dot|DOT|Dot)\s?[\])}]\s?|\\\.|\[\.|\.\]|\.)`;
export const AT = String.raw`(?:\s?\[\s?@\s?\]\s?|\(@\)|\s?[[({]\s?(?:at|AT|At)\s?[\])}]\s?|@)`;
export const SCHEME = String.raw`(?:h(?:tt|xx|XX|TT|\*\*|__)ps?|ftps?|fxps?)(?:\[:\]\/\/|\[:\/\/\]|\[:?\/?\/?\]\/{0,2}|:\/\/|:\\\/\\\/|__|:\[\/\]\[\/\])`;

const MARKS = /[[\](){}\\]|\b(?:hxxp|h\*\*p|h__p|fxp)|https?__/i;

/** True when it was written so that nothing follows it by accident. */
export const isDefanged = (written: string) => MARKS.test(written);

/** The plain form of what was written in a defanged one. */
export function refang(written: string): string {
  return written
    .replace(/^h(?:xx|XX|\*\*|__)p/i, 'http')
    .replace(/^fxp/i, 'ftp')
    .replace(/^(\w+?)__/, '$1://')
    .replace(
      /^(https?|ftps?)(?:\[:\/\/\]|\[:\]\/\/|:\\\/\\\/|:\[\/\]\[\/\]|\[:?\/?\/?\]\/{0,2}(?=[\w[]))/i,
      '$1://',
    )
    .replace(/\s?[[({]\s?(?:dot)\s?[\])}]\s?/gi, '.')
    .replace(/\s?[[({]\s?(?:at)\s?[\])}]\s?/gi, '@')
    .replace(/\s?[[({]\s?([.@:])\s?[\])}]\s?/g, '$1')
    .replace(/\\\./g, '.')
    .replace(/\[\.|\.\]/g, '.');
}

/** A form of an indicator that nothing follows by accident; of a hash, itself. */
export function defang(type: IndicatorType, value: string): string {
  switch (type) {
    case 'ipv4':
    case 'domain':
      return value.replaceAll('.', '[.]');
    case 'ipv6':
      return value.replace(':', '[:]');
    case 'email':
      return value.replace('@', '[at]').replaceAll('.', '[.]');
    case 'url': {
      const [head = '', scheme = '', host = ''] = /^(\w+):\/\/([^/?#]*)/.exec(value) ?? [];
      const rest = value.slice(head.length);
      return `${scheme.replace(/^http/, 'hxxp').replace(/^ftp/, 'fxp')}://${host.replaceAll('.', '[.]')}${rest}`;
    }
    default:
      return value;
  }
}
