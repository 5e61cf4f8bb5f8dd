import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const ada = await createUserWithPassword(testServer.ctx, 'ada')
const apps = createOAuthApps(testServer)

const PATH = '/share'
const shareOf = (query: Record<string, string>) => `${PATH}?${new URLSearchParams(query).toString()}`

async function newestOf(accountId: string) {
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${accountId}/statuses`, { limit: 1 })
  return { post: body[0] }
}

test('a shared text survives the log-in and is published once, however often the form is sent', async () => {
  const browser = createBrowser(testServer.server)
  const path = shareOf({ title: 'A title', text: 'a text & more', url: 'https://example.com/x?y=1' })
  const first = await browser.get(path)
  assert.equal(first.status, 303)
  const signIn = await browser.get(first.location!)
  const back = await browser.submit(
    signIn,
    '/auth/sign_in',
    { login: 'ada', password: PASSWORD },
    uniqueAddressHeaders(),
  )
  assert.equal(back.location, path)
  const form = await browser.get(path)
  assert.equal(form.status, 200)
  assert.match(form.html, /A title\na text &amp; more\nhttps:\/\/example\.com\/x\?y=1<\/textarea>/)

  const fields = { text: 'a text & more', visibility: 'unlisted', spoiler_text: 'careful' }
  const responses = [await browser.submit(form, PATH, fields), await browser.submit(form, PATH, fields)]
  const { post } = await newestOf(ada.accountId)
  for (const { status, location } of responses) assert.deepEqual([status, location], [303, post.url])
  assert.deepEqual([post.visibility, post.spoiler_text], ['unlisted', 'careful'])
  assert.match(post.content, /a text &amp; more/)
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${ada.accountId}/statuses`)
  assert.equal(body.length, 1)
})

test('an invalid post is shown again with its text and the error, and nothing is published', async () => {
  const browser = await apps.logIn('ada')
  const { post: before } = await newestOf(ada.accountId)
  const form = await browser.get(PATH)
  for (const text of ['', 'x'.repeat(501)]) {
    const response = await browser.submit(form, PATH, { text, visibility: 'public' })
    assert.equal(response.status, 422)
    assert.match(response.html, /aria-invalid="true"/)
    assert.ok(response.html.includes(`${text}</textarea>`))
  }
  const { values } = form.forms.find(({ action }) => action === PATH)!
  const forged = await browser.post(PATH, { ...values, csrf: 'x', text: 'forged' })
  assert.equal(forged.status, 422)
  assert.equal((await newestOf(ada.accountId)).post.id, before.id)
})

test('a post without a public page is confirmed', async () => {
  const browser = await apps.logIn('ada')
  const answer = await browser.submit(await browser.get(PATH), PATH, { text: 'for followers', visibility: 'private' })
  assert.equal(answer.status, 200)
  assert.match(answer.text, /Post published/)
})

test('web+mastodon links redirect to the follow and share pages, and other URIs get 404', async () => {
  const browser = createBrowser(testServer.server)
  const intent = (uri: string) => browser.get(`/intent?${new URLSearchParams({ uri }).toString()}`)
  const follow = await intent('web+mastodon://follow?uri=acct:ada@linnet.test')
  assert.deepEqual([follow.status, follow.location], [302, '/authorize_interaction?uri=acct%3Aada%40linnet.test'])
  const share = await intent('web+mastodon://share?text=hello+there')
  assert.deepEqual([share.status, share.location], [302, '/share?text=hello+there'])
  for (const uri of ['', 'https://evil.example/', 'web+mastodon://other?x=1', 'web+mastodon:follow', 'javascript:1']) {
    assert.equal((await intent(uri)).status, 404, uri)
  }
})

test('the manifest has the name of the site, existing icons, and the share target', async () => {
  const answers = await Promise.all(['/manifest', '/manifest.json'].map((url) => testServer.server.inject({ url })))
  assert.equal(answers[0]!.body, answers[1]!.body)
  const { headers, body } = answers[0]!
  assert.match(String(headers['content-type']), /^application\/manifest\+json/)
  const manifest = JSON.parse(body)
  const { body: instance } = await testServer.anonymous.get('/api/v2/instance')
  assert.equal(manifest.name, instance.title)
  assert.deepEqual([manifest.start_url, manifest.scope, manifest.share_target.action], ['/', '/', PATH])
  for (const { src, type } of manifest.icons) {
    const icon = await testServer.server.inject({ url: src })
    assert.deepEqual([icon.statusCode, icon.headers['content-type']], [200, type])
  }
  const page = await testServer.server.inject({ url: '/about' })
  assert.match(page.body, /<link rel="manifest" href="\/manifest" \/>/)
  assert.match(String(page.headers['content-security-policy']), /manifest-src 'self'/)
})
