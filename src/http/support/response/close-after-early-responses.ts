import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { awaitsBody } from '../request/has-body.ts'

/** How long the rest of a body is still read after its response. A server that stops waits for longer. */
const MAX_DRAIN_MS = 10_000

/**
 * Closes the connection of a request that is answered before its body is complete: some proxies (HAProxy 2.6) stop
 * sending the body then, and would send the request of another client in its place. The rest that arrives meanwhile is
 * read and discarded. Node would close the connection at once, which resets it, and the client would lose the response.
 */
export function closeAfterEarlyResponses(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!awaitsBody(raw)) return done()
    reply.header('connection', 'close')
    drainBeforeClose(raw)
    done()
  })
}

/** Node calls `destroySoon` of the socket after the last response of a connection. */
function drainBeforeClose(request: IncomingMessage): void {
  const socket: Socket = request.socket
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (request.complete || socket.destroyed) return socket.destroySoon()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), MAX_DRAIN_MS)
    request.once('end', () => socket.destroySoon())
    socket.once('close', () => clearTimeout(timer))
  }
}
