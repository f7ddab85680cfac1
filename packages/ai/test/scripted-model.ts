import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request: an answer, or nothing for ever. */
export type Script = { status?: number; headers?: Record<string, string>; body: unknown } | 'silence';

export interface ScriptedModel {
  /** The base URL, for an OpenAI-compatible client and for Anthropic's. */
  url: string;
  /** The body of every request, as it came. */
  bodies: string[];
  /** Its headers. */
  headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** A model's endpoint on loopback that goes through the script, and stays with its last line. */
export async function scriptedModel(...script: Script[]): Promise<ScriptedModel> {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const line = script[Math.min(bodies.length, script.length - 1)] ?? 'silence';
    bodies.push(body);
    headers.push(request.headers);
    if (line === 'silence') return;
    response.writeHead(line.status ?? 200, { 'content-type': 'application/json', ...line.headers });
    response.end(typeof line.body === 'string' ? line.body : JSON.stringify(line.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A chat completion as OpenAI and those who follow it send it. */
export function completion(content: unknown, { finish = 'stop' }: { finish?: string } = {}): Script {
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_772_000_000,
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: typeof content === 'string' ? content : JSON.stringify(content),
          },
          finish_reason: finish,
        },
      ],
      usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
    },
  };
}

/** A message of Anthropic's, answering by the tool that it was given or in text. */
export function message(content: unknown): Script {
  return {
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [{ type: 'text', text: JSON.stringify(content) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 900, output_tokens: 100 },
    },
  };
}
