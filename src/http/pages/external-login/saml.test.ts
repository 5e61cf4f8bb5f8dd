import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { PageResponse } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createSamlProvider } from '../../../../test/services/login/saml-provider.ts'
import type { AssertionInput } from '../../../../test/services/login/saml-provider.ts'

const provider = 'saml'
const CALLBACK = '/auth/auth/saml/callback'
const idp = createSamlProvider()
const testServer = await openTestServer({ env: idp.env, effects: false })
after(testServer.close)

/** Begins a log-in in a new browser. */
async function begin() {
  const browser = createBrowser(testServer.server)
  const { id, relayState } = idp.readRequest(await startExternalLogin(browser, { provider }))
  return { browser, id, relayState }
}

/** Posts a response from the site of the provider: the browser sends no cookies. */
async function post(SAMLResponse: string, RelayState: string): Promise<PageResponse> {
  return createBrowser(testServer.server).post(CALLBACK, { SAMLResponse, RelayState }, uniqueAddressHeaders())
}

/** Begins a log-in, and answers it with what `create` returns for the id of the request. */
async function answer(create: (id: string) => string) {
  const { browser, id, relayState } = await begin()
  return { browser, response: await post(create(id), relayState) }
}

const respond = (id: string, input: Partial<AssertionInput> = {}) =>
  idp.createResponse(idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id, ...input }), {
    inResponseTo: id,
  })

test('a signed response posted from another site logs in the browser that began the log-in', async () => {
  const attributes = { mail: 'ada@campus.test', verified: 'true', first_name: 'Ada', last_name: 'Lovelace' }
  const { browser, response } = await answer((id) => respond(id, { attributes }))
  assert.equal(response.status, 303, response.text)
  assert.match(response.location!, /^\/auth\/auth\/saml\/callback\?state=/)
  const chosen = await browser.get(response.location!, uniqueAddressHeaders())
  const page = await browser.get(chosen.location!)
  assert.equal(page.forms.find(({ action }) => action === '/auth/external')!.values['username'], 'ada')
  assert.match(page.text, /E-mail address: .*ada@campus\.test/)
  const done = await browser.submit(page, '/auth/external', { agreement: '1' }, uniqueAddressHeaders())
  assert.equal(done.location, '/account')
  const again = await answer(respond)
  assert.equal((await again.browser.get(again.response.location!, uniqueAddressHeaders())).location, '/account')
})

test('OA12 only the browser that began the log-in can finish it', async () => {
  const { response } = await answer(respond)
  assert.equal(response.status, 303)
  const other = await begin()
  assert.equal((await other.browser.get(response.location!, uniqueAddressHeaders())).status, 422)
  const otherUser = createBrowser(testServer.server)
  assert.equal((await otherUser.get(response.location!, uniqueAddressHeaders())).status, 422)
})

test('OA12 unsigned, changed, expired and foreign assertions are refused', async () => {
  const otherIdp = createSamlProvider()
  const attempts: Record<string, (id: string) => string> = {
    unsigned: (id) => respond(id, { signed: false }),
    'signed by another provider': (id) =>
      otherIdp.createResponse(otherIdp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id }), {
        inResponseTo: id,
      }),
    changed: (id) =>
      Buffer.from(
        Buffer.from(respond(id, { nameId: 'eve@campus.test' }), 'base64')
          .toString()
          .replace('eve@', 'ada@'),
      ).toString('base64'),
    'for another audience': (id) => respond(id, { audience: 'https://other.test' }),
    expired: (id) => respond(id, { ageSeconds: 600 }),
    'from the future': (id) => respond(id, { ageSeconds: -600 }),
    'for another request': (id) => respond(`${id}x`),
    'whose subject answers another request': (id) =>
      idp.createResponse(idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: `${id}x` }), {
        inResponseTo: id,
      }),
    'whose subject names no request': (id) =>
      idp.createResponse(idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: null }), { inResponseTo: id }),
    'for another recipient': (id) => respond(id, { recipient: 'https://other.test/auth/auth/saml/callback' }),
    'of which more than possession is to be proved': (id) => respond(id, { method: 'holder-of-key' }),
    'without a confirmation of the subject': (id) => respond(id, { method: null }),
    'not XML': () => Buffer.from('<').toString('base64'),
    empty: () => '',
  }
  for (const [name, create] of Object.entries(attempts)) {
    const { response } = await answer(create)
    assert.deepEqual([response.status, response.location], [422, null], name)
  }
})

test('OA12 an assertion that is wrapped around a signed one or beside it is refused', async () => {
  const forged = (id: string) =>
    idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id, signed: false, id: '_forged' })
  const signed = (id: string) => idp.createAssertion({ nameId: 'eve@campus.test', inResponseTo: id })
  const attempts: Record<string, (id: string) => string> = {
    before: (id) => forged(id) + signed(id),
    behind: (id) => signed(id) + forged(id),
    around: (id) => forged(id).replace('</saml:Assertion>', `${signed(id)}</saml:Assertion>`),
    'in an extension': (id) => `<samlp:Extensions>${signed(id)}</samlp:Extensions>${forged(id)}`,
    'with the same id': (id) => {
      const original = signed(id)
      const originalId = /ID="([^"]+)"/.exec(original)![1]!
      return forged(id).replace('_forged', originalId) + original
    },
    'with the signature of the other': (id) => {
      const original = signed(id)
      const signature = /<ds:Signature.*<\/ds:Signature>/.exec(original)![0]
      const object = signature.replace('</ds:Signature>', `<ds:Object>${original}</ds:Object></ds:Signature>`)
      return forged(id).replace('</saml:Issuer>', `</saml:Issuer>${object}`)
    },
  }
  for (const [name, create] of Object.entries(attempts)) {
    const { response } = await answer((id) => idp.createResponse(create(id), { inResponseTo: id }))
    assert.deepEqual([response.status, response.location], [422, null], name)
  }
})

test('OA12 a comment in the NameID does not make it another user', async () => {
  const { browser, response } = await answer((id) => respond(id, { nameId: 'ada@campus.test<!---->.evil.test' }))
  assert.equal(response.status, 303)
  const next = await browser.get(response.location!, uniqueAddressHeaders())
  assert.match(next.location!, /^\/auth\/external\?/, 'not the account of ada@campus.test')
  const page = await browser.get(next.location!)
  await browser.submit(page, '/auth/external', { username: 'evil', email: 'e@mail.test', agreement: '1' })
  const identities = await testServer.ctx.db.selectFrom('external_identities').select('uid').execute()
  assert.deepEqual(
    identities.map(({ uid }) => uid),
    ['ada@campus.test', 'ada@campus.test.evil.test'],
  )
})

test('OA12 a DTD is refused', async () => {
  for (const prolog of ['<!DOCTYPE r [<!ENTITY a "ada">]>', '<!doctype r>']) {
    const { response } = await answer((id) =>
      idp.createResponse(idp.createAssertion({ nameId: 'ada@campus.test', inResponseTo: id }), {
        inResponseTo: id,
        prolog,
      }),
    )
    assert.equal(response.status, 422, prolog)
  }
})

test('OA12 a response and an assertion are accepted once', async () => {
  const { browser, id, relayState } = await begin()
  const first = respond(id, { id: '_once' })
  const accepted = await post(first, relayState)
  assert.equal(accepted.status, 303)
  assert.equal((await browser.get(accepted.location!, uniqueAddressHeaders())).location, '/account')
  const replayed = await post(first, relayState)
  assert.equal((await browser.get(replayed.location!, uniqueAddressHeaders())).status, 422)
  const { response } = await answer((other) => respond(other, { id: '_once' }))
  assert.equal(response.status, 422, 'the id of an assertion is used again')
  const unsolicited = await createBrowser(testServer.server).post(
    CALLBACK,
    { SAMLResponse: respond('_none') },
    uniqueAddressHeaders(),
  )
  assert.equal((await browser.get(unsolicited.location!, uniqueAddressHeaders())).status, 422)
})

test('the metadata describe this server to the provider', async () => {
  const page = await createBrowser(testServer.server).get('/auth/auth/saml/metadata')
  assert.equal(page.status, 200)
  assert.match(page.html, /entityID="https:\/\/linnet\.test\/saml"/)
  assert.match(page.html, /Location="https:\/\/linnet\.test\/auth\/auth\/saml\/callback"/)
})
