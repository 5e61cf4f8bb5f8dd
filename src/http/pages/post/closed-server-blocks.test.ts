import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

for (const isClosed of [true, false]) {
  suite(isClosed ? 'where pages are for users only' : 'where everyone can read pages', async () => {
    const testServer = await openTestServer({ env: { DISALLOW_UNAUTHENTICATED_API_ACCESS: String(isClosed) } })
    after(testServer.close)
    const ann = await testServer.createUser({ username: 'ann' })
    const quoter = await testServer.createUser({ username: 'quoter' })
    const blocked = await testServer.createUser()
    const other = await testServer.createUser()
    const { body: post } = await ann.client.post('/api/v1/statuses', { status: 'Hidden words #hiding' })
    const { body: quote } = await quoter.client.post('/api/v1/statuses', { status: 'Look', quoted_status_id: post.id })
    await ann.client.post(`/api/v1/accounts/${blocked.accountId}/block`)

    test(`CA1 an account that an author blocks ${isClosed ? 'finds none' : 'finds the same'} of the author's posts on pages, in feeds and by oEmbed`, async () => {
      const readers = [
        { reader: other, isShown: true },
        { reader: blocked, isShown: !isClosed },
      ]
      for (const { reader, isShown } of readers) {
        const browser = await openBrowserSession(testServer, reader)
        for (const part of ['embed', 'history']) {
          const { status, text } = await browser.get(`/@ann/${post.id}/${part}`)
          assert.deepEqual([status, text.includes('Hidden words')], [isShown ? 200 : 404, isShown], part)
        }
        for (const feed of ['/@ann.rss', '/@ann/with_replies.rss', '/@ann/tagged/hiding.rss', '/tags/hiding.rss']) {
          const { status, html } = await browser.get(feed)
          assert.deepEqual([status, html.includes('Hidden words')], [200, isShown], feed)
        }
        const quoting = await browser.get(`/@quoter/${quote.id}/embed`)
        assert.deepEqual([quoting.status, quoting.text.includes('Hidden words')], [200, isShown])
        assert.equal((await reader.client.get('/api/oembed', { url: post.url })).status, isShown ? 200 : 404)
      }
    })
  })
}
