import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CACHED, type Page, REVALIDATED } from './page.ts';

const { resolve } = createRequire(import.meta.url);
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Swagger UI and ReDoc with all that they load, by path; nothing comes from elsewhere, no script is inline. */
export function viewerPages(): Map<string, Page> {
  return new Map([
    ['/docs', page(SWAGGER_UI)],
    ['/docs/start.js', own('start-swagger-ui.js')],
    ['/docs/swagger-ui.css', packaged('swagger-ui-dist/swagger-ui.css', STYLE)],
    ['/docs/swagger-ui-bundle.js', packaged('swagger-ui-dist/swagger-ui-bundle.js', SCRIPT)],
    ['/docs/favicon.png', packaged('swagger-ui-dist/favicon-32x32.png', 'image/png')],
    ['/redoc', page(REDOC)],
    ['/redoc/redoc.standalone.js', redocBundle()],
  ]);
}

const SWAGGER_UI = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muster API</title>
<link rel="icon" type="image/png" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const REDOC = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muster API reference</title>
<link rel="icon" type="image/png" href="/docs/favicon.png">
</head>
<body style="margin: 0">
<redoc spec-url="/openapi.json"></redoc>
<script src="/redoc/redoc.standalone.js"></script>
</body>
</html>
`;

/** ReDoc shows its maker's logo from the maker's server; a page of ours asks nobody else. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

function redocBundle(): Page {
  const bundle = readFileSync(resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  return { type: SCRIPT, body: Buffer.from(bundle.replaceAll(REMOTE_LOGO, NO_LOGO)), cache: CACHED };
}

const page = (html: string): Page => ({ type: HTML, body: Buffer.from(html), cache: REVALIDATED });

const packaged = (path: string, type: string): Page => ({
  type,
  body: readFileSync(resolve(path)),
  cache: CACHED,
});

const own = (file: string): Page => ({
  type: SCRIPT,
  body: readFileSync(new URL(`./browser/${file}`, import.meta.url)),
  cache: REVALIDATED,
});
