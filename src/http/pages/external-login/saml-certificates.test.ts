import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createSamlProvider } from '../../../../test/services/login/saml-provider.ts'

// The same provider, with the keys that it replaces, and a key of another one.
const [former, next, other] = [createSamlProvider(), createSamlProvider(), createSamlProvider()]
const testServer = await openTestServer({
  env: { ...former.env, SAML_IDP_CERT: `${former.env['SAML_IDP_CERT']}${next.env['SAML_IDP_CERT']}` },
  effects: false,
})
after(testServer.close)

test('OA12 while a provider replaces its certificate, assertions are accepted with the old and the new one', async () => {
  const statuses = []
  for (const signer of [former, next, other]) {
    const { id, relayState } = signer.readRequest(
      await startExternalLogin(createBrowser(testServer.server), { provider: 'saml' }),
    )
    const assertion = signer.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id })
    const SAMLResponse = signer.createResponse(assertion, { inResponseTo: id })
    const fields = { SAMLResponse, RelayState: relayState }
    const response = await createBrowser(testServer.server).post(
      '/auth/auth/saml/callback',
      fields,
      uniqueAddressHeaders(),
    )
    statuses.push(response.status)
  }
  assert.deepEqual(statuses, [303, 303, 422])
})
