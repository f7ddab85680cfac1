import { join } from 'node:path';
import { checkoutSecrets } from '../home/secrets.ts';
import { rememberedPorts } from '../ports/ports.ts';
import { musterMode, publicOrigin } from './checkout.ts';
import type { Service } from './service.ts';

const LETTERS = ['A', 'B'] as const;
/** What a provider and the product must agree on. */
const AGREED = ['ISSUER', 'NAME', 'CLIENT_ID', 'CLIENT_SECRET'] as const;

const CONFIGURATION = '/.well-known/openid-configuration';

/** The demo providers to run, and the variables by which the product knows them. */
export interface Providers {
  programs: Service[];
  variables: Record<string, string>;
}

/**
 * Works out the demo providers: in development mode, one for each login whose issuer the environment does not name.
 * @param root the checkout; it remembers their ports, since an issuer elsewhere would be another issuer
 * @param musterPort port of the gateway
 */
export async function providersOf(root: string, musterPort: number): Promise<Providers> {
  const wanted = LETTERS.filter((letter) => !process.env[`PROVIDER_${letter}_ISSUER`]);
  if (musterMode() !== 'development' || wanted.length === 0) return { programs: [], variables: {} };
  const { port } = rememberedPorts(join(root, '.muster', 'service-ports.json'));
  const secrets = checkoutSecrets(root);
  const programs: Service[] = [];
  const variables: Record<string, string> = { DEMO_PEOPLE: '1' };
  for (const letter of wanted) {
    const name = `provider-${letter.toLowerCase()}`;
    const own = await port(name);
    const env = {
      ISSUER: `http://127.0.0.1:${own}`,
      NAME: `Demo provider ${letter}`,
      CLIENT_ID: 'muster',
      CLIENT_SECRET: secrets[`PROVIDER_${letter}_CLIENT_SECRET`],
      REDIRECT_URIS: `${publicOrigin(musterPort)}/auth/${name}/callback`,
      POST_LOGOUT_REDIRECT_URIS: `${publicOrigin(musterPort)}/`,
      SIGNING_KEY_FILE: join(root, '.muster', `${name}.key.json`),
    };
    programs.push({
      name,
      main: mainOf(root),
      port: own,
      readyPath: CONFIGURATION,
      livePath: CONFIGURATION,
      env,
    });
    for (const variable of AGREED) variables[`PROVIDER_${letter}_${variable}`] = env[variable];
  }
  return { programs, variables };
}

function mainOf(root: string): string {
  return join(root, 'packages', 'demo-provider', 'src', 'main.ts');
}
