import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { publishTerms } from '../../../domain/instance/terms-of-service.ts'

const testServer = await openTestServer()
after(testServer.close)

async function redirectOf(path: string): Promise<string> {
  const { status, headers } = await testServer.anonymous.get(path)
  return `${status} ${String(headers['location'])}`
}

const REDIRECTS = [
  ['/about/more', '/about'],
  ['/auth/confirmation/new', '/auth/setup'],
  ['/disputes/strikes', '/settings/strikes'],
  ['/disputes/strikes/12', '/settings/strikes/12'],
  ['/settings/profile', '/settings/client/profile'],
  ['/settings/privacy', '/settings/client/privacy'],
  ['/settings/preferences/appearance', '/settings/preferences'],
  ['/settings/preferences/other', '/settings/preferences'],
  ['/settings/preferences/notifications', '/settings/email-notifications'],
  ['/statuses_cleanup', '/settings/statuses-cleanup'],
] as const

test("paths of Mastodon's pages that apps open lead to the pages here", async () => {
  for (const [path, target] of REDIRECTS) {
    assert.equal(await redirectOf(path), `302 ${target}`)
    assert.notEqual((await testServer.anonymous.get(target)).status, 404, target)
  }
})

test('links with an encoded @ lead to the profiles, posts and feeds with the plain one', async () => {
  const { username, client } = await testServer.createUser()
  const { body: status } = await client.post('/api/v1/statuses', { status: 'Linked' })
  for (const rest of ['', `/${status.id}`, '.rss', '/with_replies?max_id=5', '@remote.example', '/%2Fevil.example']) {
    assert.equal(await redirectOf(`/%40${username}${rest}`), `302 /@${username}${rest}`)
  }
  assert.equal(await redirectOf('/%40%40evil.example'), '302 /@%40evil.example')
  for (const path of ['/%40', '/%40/evil.example', `/@${username}/a/b/c`])
    assert.equal((await testServer.anonymous.get(path)).status, 404, path)
  const { body: card } = await testServer.anonymous.get('/api/oembed', {
    url: `${testServer.ctx.config.origin}/%40${username}/${status.id}`,
  })
  assert.match(card.html, /iframe/)
})

test('/authorize_follow leads to the page for remote interactions with its parameters', async () => {
  assert.equal(await redirectOf('/authorize_follow'), '302 /authorize_interaction')
  assert.equal(
    await redirectOf('/authorize_follow?acct=acct%3Aeve%40remote.example'),
    '302 /authorize_interaction?acct=acct%3Aeve%40remote.example',
  )
})

test('/terms leads to the terms of service, or to the privacy policy before terms are in effect', async () => {
  assert.equal(await redirectOf('/terms'), '302 /privacy-policy')
  await testServer.ctx.write((tx) => publishTerms(tx, { by: null, text: 'Be kind', effectiveDate: '2026-01-31' }))
  assert.equal(await redirectOf('/terms'), '302 /terms-of-service')
})
