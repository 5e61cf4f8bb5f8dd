import type { FastifyRequest } from 'fastify'

/** Returns the IP address of the client as it is stored; null if the client has already closed the connection. */
export function plainAddressOf(request: FastifyRequest): string | null {
  return request.clientIp === '' ? null : request.clientIp
}
