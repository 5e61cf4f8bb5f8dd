import assert from 'node:assert/strict'
import sharp from 'sharp'
import { multipart } from '../http/client.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

/** A test server with users who post and search. */
export interface SearchServer {
  testServer: TestServer
  alice: TestUser
  bob: TestUser
  /** Posts a status, unlisted by default, waits until it is indexed, and returns its id. */
  post(user: TestUser, body: string | object): Promise<string>
  /** Returns the ids of the statuses that a user finds, by default alice. */
  find(q: string, more?: Record<string, unknown>, user?: TestUser): Promise<string[]>
  /** Uploads an image, and returns the id of the attachment. */
  upload(user: TestUser, description: string): Promise<string>
}

export async function openSearchServer(env: Record<string, string> = {}): Promise<SearchServer> {
  const testServer = await openTestServer({ env })
  const alice = await testServer.createUser({ username: 'alice' })
  const bob = await testServer.createUser({ username: 'bob' })
  return {
    testServer,
    alice,
    bob,
    async post(user, body) {
      const draft = typeof body === 'string' ? { status: body, visibility: 'unlisted' } : body
      const answer = await user.client.post('/api/v1/statuses', draft)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await testServer.waitForJobs()
      return answer.body.id
    },
    async find(q, more = {}, user = alice) {
      const { status, body } = await user.client.get('/api/v2/search', { q, type: 'statuses', ...more })
      assert.equal(status, 200, JSON.stringify(body))
      return body.statuses.map(({ id }: { id: string }) => id)
    },
    async upload(user, description) {
      const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
      const bytes = await sharp({ create: pixels }).png().toBuffer()
      const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes }, description })
      return (await user.client.post('/api/v2/media', form.payload, form.headers)).body.id
    },
  }
}
