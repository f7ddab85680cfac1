import { createServer } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

// For the bench of the edge: a service that answers little, and before it nothing but http-proxy-middleware on Express.
// UPSTREAM_PORT and PROXY_PORT say where.

const { UPSTREAM_PORT, PROXY_PORT } = process.env;
const body = JSON.stringify({ items: [], next_cursor: null, total: 0 });
if (PROXY_PORT === undefined) {
  createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body),
  ).listen(Number(UPSTREAM_PORT), '127.0.0.1');
} else {
  const app = express().use(createProxyMiddleware({ target: `http://127.0.0.1:${UPSTREAM_PORT}` }));
  app.listen(Number(PROXY_PORT), '127.0.0.1');
}
