/** The tools server over streamable HTTP on loopback, within the test's process. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { makeServer } from "./tools.mjs";

/** A running server, and the headers of every request that it got. */
export interface HttpServer {
  url: string;
  requests: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/**
 * Starts the server on a free port.
 * @param options.token answer 401 to requests without `Authorization: Bearer <token>`
 * @param options.modernOnly refuse the classic greeting
 */
export async function startHttpServer(options: { token?: string; modernOnly?: boolean } = {}): Promise<HttpServer> {
  const handler = createMcpHandler(makeServer, options.modernOnly === true ? { legacy: "reject" } : {});
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request.headers);
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end("no");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
