import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { createCa } from '../../../../test/services/certificates.ts'
import { createSamlProvider, encryptAssertion } from '../../../../test/services/login/saml-provider.ts'

const CALLBACK = '/auth/auth/saml/callback'
const idp = createSamlProvider()
const own = createCa().issue(['linnet.test'], { keyType: 'rsa' })
const env = { ...idp.env, SAML_PRIVATE_KEY: own.key, SAML_SECURITY_WANT_ASSERTION_ENCRYPTED: 'true' }
const testServer = await openTestServer({ env: { ...env, SAML_CERT: own.cert }, effects: false })
after(testServer.close)

/** Begins a log-in in a new browser, and posts what `create` returns for the id of its request. */
async function answer(create: (id: string) => string) {
  const browser = createBrowser(testServer.server)
  const request = idp.readRequest(await startExternalLogin(browser, { provider: 'saml' }))
  const SAMLResponse = idp.createResponse(create(request.id), { inResponseTo: request.id })
  const form = { SAMLResponse, RelayState: request.relayState }
  const response = await createBrowser(testServer.server).post(CALLBACK, form, uniqueAddressHeaders())
  return { browser, request, response }
}

const assertionFor = (id: string, signed = true) =>
  idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id, signed })

test('an encrypted assertion is decrypted, and its signature verified', async () => {
  const { browser, request, response } = await answer((id) => encryptAssertion(assertionFor(id), own))
  assert.deepEqual([response.status, response.location?.split('?')[0]], [303, CALLBACK])
  const chosen = await browser.get(response.location!, uniqueAddressHeaders())
  const page = await browser.get(chosen.location!)
  assert.equal(page.forms.find(({ action }) => action === '/auth/external')!.values['username'], 'ada')
  assert.match(request.url.searchParams.get('SigAlg')!, /rsa-sha256$/, 'requests are signed with the key')
})

test('OA12 assertions that are not encrypted, encrypted for another server, or not signed are refused', async () => {
  const other = createCa().issue(['other.test'], { keyType: 'rsa' })
  const attempts: Record<string, (id: string) => string> = {
    'not encrypted': (id) => assertionFor(id),
    'for another server': (id) => encryptAssertion(assertionFor(id), other),
    'not signed': (id) => encryptAssertion(assertionFor(id, false), own),
    changed: (id) =>
      encryptAssertion(assertionFor(id), own).replace(
        /[^>]{4}(?=<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData)/,
        'AAA=',
      ),
    'beside another': (id) => assertionFor(id) + encryptAssertion(assertionFor(id), own),
    'that contains two': (id) => encryptAssertion(assertionFor(id) + assertionFor(id, false), own),
  }
  for (const [name, create] of Object.entries(attempts)) {
    const { response } = await answer(create)
    assert.deepEqual([response.status, response.location], [422, null], name)
  }
})

test('the metadata contain the certificate for encryption, if there is one', async () => {
  const read = async ({ server }: Pick<TestServer, 'server'>) => createBrowser(server).get('/auth/auth/saml/metadata')
  const base64 = own.cert.replaceAll(/-----[^-]+-----|\s/g, '')
  const page = await read(testServer)
  assert.match(page.html, /use="encryption"/)
  assert.ok(page.html.replaceAll(/\s/g, '').includes(base64))
  const withoutCertificate = await openTestServer({ env, effects: false })
  after(withoutCertificate.close)
  const plain = await read(withoutCertificate)
  assert.equal(plain.status, 200)
  assert.doesNotMatch(plain.html, /KeyDescriptor/)
})
