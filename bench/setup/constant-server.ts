import { createServer } from 'node:http'
import Fastify from 'fastify'

// The limit: a server that always sends the same bytes. `node constant-server.ts http|fastify PORT BYTES`
const [, , kind, port = '0', bytes = '0'] = process.argv
const body = JSON.stringify('x'.repeat(Math.max(0, Number(bytes) - 2)))

if (kind === 'fastify') {
  const app = Fastify({ logger: false })
  app.get('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
  await app.listen({ port: Number(port), host: '127.0.0.1' })
} else {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
}
process.send?.('listening')
process.on('disconnect', () => process.exit())
