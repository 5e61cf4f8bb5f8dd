import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CasServer {
  url: string
  env: Record<string, string>
  /** The user who is logged in at the server, with attributes. */
  user: { name: string; attributes?: Record<string, string | readonly string[]> }
  /** A response to validations instead of the correct one. */
  response: string | null
  close(): Promise<void>
}

/** Starts a server that speaks the CAS protocol 3.0, at which the current user is logged in. */
export async function openCasServer(): Promise<CasServer> {
  const services = new Map<string, string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const service = searchParams.get('service') ?? ''
    if (pathname === '/cas/login') {
      const ticket = `ST-${services.size + 1}-${crypto.randomUUID()}`
      services.set(ticket, service)
      const target = new URL(service)
      target.searchParams.set('ticket', ticket)
      response.writeHead(302, { location: target.href }).end()
      return
    }
    const ticket = searchParams.get('ticket') ?? ''
    const isValid = pathname === '/cas/p3/serviceValidate' && services.get(ticket) === service
    services.set(ticket, '')
    const { name, attributes = {} } = running.user
    const elements = Object.entries(attributes).flatMap(([key, values]) =>
      [values].flat().map((value) => `<cas:${key}>${value}</cas:${key}>`),
    )
    const result = isValid
      ? `<cas:authenticationSuccess><cas:user>${name}</cas:user><cas:attributes>${elements.join('')}</cas:attributes></cas:authenticationSuccess>`
      : '<cas:authenticationFailure code="INVALID_TICKET">no such ticket</cas:authenticationFailure>'
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        running.response ??
          `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${result}</cas:serviceResponse>`,
      )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}/cas`
  const running: CasServer = {
    url,
    env: { CAS_ENABLED: 'true', CAS_URL: url, CAS_VALIDATE_URL: '/p3/serviceValidate', CAS_DISPLAY_NAME: 'Campus' },
    user: { name: 'nobody' },
    response: null,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return running
}
