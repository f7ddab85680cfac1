import { apis, openApiDocument, platformApis } from '@muster/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

// Prints what two linters of others find in the OpenAPI document, as JSON: a process of its own, since the linters are
// large and the test runner's module loader is slow with large packages.

const document = openApiDocument([...apis, ...platformApis('exercises')], {
  version: '0.1.0',
  serverUrl: 'http://127.0.0.1:8080',
});

const redocly = await lintFromString({
  source: JSON.stringify(document),
  absoluteRef: 'openapi.json',
  config: await createConfig({ extends: ['recommended'] }),
});

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas as never, 'recommended']] });

const said = JSON.stringify({
  redocly: redocly.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    text: `${message} (${location[0]?.pointer})`,
  })),
  spectral: (await spectral.run(document as never)).map(({ code, message, path }) => ({
    rule: code,
    text: `${message} (${path.join('/')})`,
  })),
});
// The linters leave timers behind.
process.stdout.write(said, () => process.exit(0));
