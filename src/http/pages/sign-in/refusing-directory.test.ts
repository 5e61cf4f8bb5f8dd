import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { after, suite, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createCa } from '../../../../test/services/certificates.ts'
import { createLdapDirectory } from '../../../platform/single-sign-on/ldap.ts'

/** Encodes a value of BER that is shorter than 128 bytes. */
const encode = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([Buffer.from([tag, content.length]), content])
}
const message = (id: number, operation: Buffer) => encode(0x30, encode(2, Buffer.from([id])), operation)
/** `tag`: of the response to a bind (0x61) or to a search (0x65). */
const result = (tag: number, code: number) =>
  encode(tag, encode(10, Buffer.from([code])), encode(4, ''), encode(4, 'a text'))
const attribute = (name: string, value: string) => encode(0x30, encode(4, name), encode(0x31, encode(4, value)))
const START_TLS = '1.3.6.1.4.1.1466.20037'
const entry = encode(0x64, encode(4, 'uid=ada,dc=a'), encode(0x30, attribute('uid', 'ada')))

/** The result code (RFC 4511, appendix A.1) of binds as a user; the configured user can always bind. */
let code = 0
/** What follows the response to StartTLS; null: nothing. */
let certificate: { key: string; cert: string } | null = null
const serve = (socket: Duplex): void => {
  socket.on('error', () => {})
  socket.on('data', (request: Buffer) => {
    const id = request.readUInt8(request.indexOf(Buffer.from([2, 1])) + 2)
    if (request.includes(START_TLS)) {
      socket.removeAllListeners('data').write(message(id, result(0x78, 0)))
      if (certificate) serve(new TLSSocket(socket, { isServer: true, ...certificate }))
    }
    // The configured user binds and searches; another connection binds as the user found.
    if (request.includes('uid=ada,')) socket.write(message(id, result(0x61, code)))
    else if (request.includes('cn=admin')) socket.write(message(id, result(0x61, 0)))
    else if (request.includes('displayName'))
      socket.write(Buffer.concat([message(id, entry), message(id, result(0x65, 0))]))
  })
}
const ldap = createServer(serve).listen(0, '127.0.0.1')
await once(ldap, 'listening')
const { port } = ldap.address() as AddressInfo

const reasons: string[] = []
const testServer = await openTestServer({
  effects: false,
  env: {
    LDAP_ENABLED: 'true',
    LDAP_HOST: '127.0.0.1',
    LDAP_PORT: String(port),
    LDAP_METHOD: 'plain',
    LDAP_BASE: 'dc=a',
    LDAP_BIND_DN: 'cn=admin',
    LDAP_PASSWORD: 'secret',
    LDAP_UID: 'uid',
  },
  onLogLine: (line) => {
    const { reason } = JSON.parse(line) as { reason?: string }
    if (reason !== undefined) reasons.push(reason)
  },
})
after(async () => {
  await testServer.close()
  ldap.close()
})

async function logIn() {
  const browser = createBrowser(testServer.server)
  const page = await browser.get('/auth/sign_in')
  return browser.submit(page, '/auth/sign_in', { login: 'ada', password: 'a password' }, uniqueAddressHeaders())
}

test('a user whose password the directory does not check, as of a locked one, gets the response of a wrong password', async () => {
  assert.equal((await logIn()).status, 303)
  const refusals = { invalidCredentials: 49, unwillingToPerform: 53, constraintViolation: 19, insufficientAccess: 50 }
  for (code of Object.values(refusals)) assert.equal((await logIn()).status, 422)
  assert.equal(reasons.length, 3, 'the log says why, except for a wrong password')
  for (code of [51, 52]) {
    const { status, text } = await logIn()
    assert.equal(status, 503, 'the directory is busy or unavailable')
    assert.match(text, /The provider does not respond\. Please try again later\./)
  }
})

suite('StartTLS', () => {
  const authenticate = async ({ extraCa, timeoutMs }: { extraCa?: string; timeoutMs?: number }) => {
    const { ldap: settings } = testServer.ctx.config.singleSignOn
    const directory = createLdapDirectory({ ...settings!, method: 'start_tls' }, { extraCa, timeoutMs })
    return directory.authenticate({ login: 'ada', password: 'a password' })
  }

  test('needs a certificate of the IP address at which the directory is reached', async () => {
    const ca = createCa()
    code = 0
    certificate = ca.issue(['127.0.0.1'])
    assert.equal((await authenticate({ extraCa: ca.pem }))?.uid, 'ada')
    certificate = ca.issue(['localhost'])
    await assert.rejects(authenticate({ extraCa: ca.pem }), { name: 'ExternalLoginError', kind: 'unreachable' })
  })

  test('ends if the directory does not continue the handshake', async () => {
    certificate = null
    await assert.rejects(authenticate({ timeoutMs: 1_000 }), { kind: 'unreachable', message: /handshake timed out/ })
  })
})
