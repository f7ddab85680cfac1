import type { IndicatorType } from '@muster/contracts';
import { isPublicAddress } from '@muster/service-kit/public-address';
import { refang } from '../extraction/defang.rules.ts';
import { canBeHost } from '../extraction/hosts.rules.ts';

const HASHES: Partial<Record<IndicatorType, RegExp>> = {
  md5: /^[0-9a-f]{32}$/,
  sha1: /^[0-9a-f]{40}$/,
  sha256: /^[0-9a-f]{64}$/,
};

/**
 * The canonical form of an indicator that a source says outright; null for what cannot be one, such as an address of
 * a private network.
 */
export function observable(type: IndicatorType, given: string): string | null {
  const value = refang(given.trim());
  switch (type) {
    case 'ipv4':
    case 'ipv6': {
      const [address = ''] = value.split('/');
      return isPublicAddress(address) && address.includes(':') === (type === 'ipv6')
        ? value.toLowerCase()
        : null;
    }
    case 'domain': {
      const host = value.toLowerCase().replace(/\.$/, '');
      return canBeHost(host, true) ? host : null;
    }
    case 'url':
      return URL.canParse(value) && /^(?:https?|ftp):/i.test(value) ? value : null;
    case 'email':
      return /^[^\s@]{1,64}@[^\s@]{1,253}$/.test(value) ? value.toLowerCase() : null;
    default: {
      const hash = value.toLowerCase();
      return HASHES[type]?.test(hash) ? hash : null;
    }
  }
}
