import { createServer } from 'node:http';

// A service whose loop is blocked for good by `/block`, when it hears no SIGTERM either.
createServer((request, response) => {
  response.end('{"status":"ok"}', () => {
    while (request.url === '/block');
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
