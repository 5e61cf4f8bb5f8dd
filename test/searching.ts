import assert from 'node:assert/strict'
import sharp from 'sharp'
import { multipart } from './client.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

/** A world of people who post and search. */
export interface Searching {
  world: World
  alice: Person
  bob: Person
  /** Posts, unlisted unless the body says something else. What is posted can be found when this is done. */
  post(person: Person, body: string | object): Promise<string>
  /** The ids of the statuses that somebody finds, alice if nobody is named. */
  find(q: string, more?: Record<string, unknown>, person?: Person): Promise<string[]>
  /** Uploads a picture. */
  upload(person: Person, description: string): Promise<string>
}

export async function openSearching(env: Record<string, string> = {}): Promise<Searching> {
  const world = await openWorld({ env })
  const alice = await world.createPerson({ username: 'alice' })
  const bob = await world.createPerson({ username: 'bob' })
  return {
    world,
    alice,
    bob,
    async post(person, body) {
      const draft = typeof body === 'string' ? { status: body, visibility: 'unlisted' } : body
      const answer = await person.client.post('/api/v1/statuses', draft)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await world.settle()
      return answer.body.id
    },
    async find(q, more = {}, person = alice) {
      const { status, body } = await person.client.get('/api/v2/search', { q, type: 'statuses', ...more })
      assert.equal(status, 200, JSON.stringify(body))
      return body.statuses.map(({ id }: { id: string }) => id)
    },
    async upload(person, description) {
      const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
      const bytes = await sharp({ create: pixels }).png().toBuffer()
      const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes }, description })
      return (await person.client.post('/api/v2/media', form.payload, form.headers)).body.id
    },
  }
}
