import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSamlProvider } from './saml-provider.ts'

export interface SamlServer {
  env: Record<string, string>
  /** The user who is logged in at the provider. */
  user: { nameId: string; attributes?: Record<string, string> }
  close(): Promise<void>
}

/**
 * Starts a SAML provider, whose page posts the response by a script as real ones do, from another site than the server
 * (`origin`).
 */
export async function openSamlServer({ origin }: { origin: string }): Promise<SamlServer> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createSamlProvider({ origin, ssoUrl: `${url}/sso` })
  const running: SamlServer = {
    env: provider.env,
    user: { nameId: 'nobody' },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  server.on('request', (request, response) => {
    const { id, relayState } = provider.readRequest(new URL(request.url!, url))
    const assertion = provider.createAssertion({ ...running.user, inResponseTo: id })
    const samlResponse = provider.createResponse(assertion, { inResponseTo: id })
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>
      <title>Provider</title>
      <form method="post" action="${origin}/auth/auth/saml/callback">
        <input type="hidden" name="SAMLResponse" value="${samlResponse}">
        <input type="hidden" name="RelayState" value="${relayState}">
      </form>
      <script>document.forms[0].submit()</script>`)
  })
  return running
}
