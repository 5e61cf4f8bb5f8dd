import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCa } from './certificates.ts'

/** A server that speaks hCaptcha's protocol `siteverify`, for the name api.hcaptcha.com. */
export interface HcaptchaServer {
  /** The environment of a test server that uses it. */
  readonly env: Record<string, string>
  /** The certificate that clients must trust (PEM). */
  readonly ca: string
  /** The forms of all requests, and their paths. */
  readonly requests: { path: string; form: Record<string, string> }[]
  /** A response to all requests instead of the correct one. */
  fail: { status: number; body: string } | null
  close(): Promise<void>
}

const SECRET = '0x-secret'
const SITE_KEY = '10000000-ffff-ffff-ffff-000000000001'

/** Opens the server. The response `solved` is correct, once. */
export async function openHcaptchaServer(): Promise<HcaptchaServer> {
  const ca = createCa()
  const used = new Set<string>()
  const server = createServer(ca.issue(['api.hcaptcha.com']), (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body))
      fake.requests.push({ path: `${request.method} ${request.url}`, form })
      const isSolved = form.response?.startsWith('solved') === true && !used.has(form.response)
      if (isSolved) used.add(form.response!)
      const error = form.secret !== SECRET ? 'invalid-input-secret' : isSolved ? null : 'invalid-input-response'
      const answer = error === null ? { success: true } : { success: false, 'error-codes': [error] }
      response.writeHead(fake.fail?.status ?? 200, { 'content-type': 'application/json' })
      response.end(fake.fail?.body ?? JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fake: HcaptchaServer = {
    env: {
      HCAPTCHA_SITE_KEY: SITE_KEY,
      HCAPTCHA_SECRET_KEY: SECRET,
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1',
      LINNET_TEST_HOSTS: `api.hcaptcha.com=127.0.0.1:${port}`,
    },
    ca: ca.pem,
    requests: [],
    fail: null,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}
