import type { FastifyRequest } from 'fastify'

/** Returns the IP address of the client as it is stored; null if it is unknown. */
export function plainAddressOf(request: FastifyRequest): string | null {
  return request.clientIp === '' ? null : request.clientIp
}
