import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import { assertOnWire } from './wire.ts'
import type { Person, World } from './world.ts'

const ABSENT = 'The post you are trying to quote does not appear to exist.'

/** Posts, and gives what the answer shows. */
export async function post(person: Person, body: Record<string, unknown> = {}) {
  const answer = await person.client.post('/api/v1/statuses', { status: 'hello', ...body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertOnWire('Status', answer.body)
  return answer.body
}

export async function see(client: Client, id: string) {
  const { status, body } = await client.get(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  assertOnWire('Status', body)
  return body
}

/** What a quote is for somebody. */
export async function stateFor(client: Client, id: string): Promise<string> {
  return (await see(client, id)).quote.state
}

/** Nothing can be quoted so, as if it were not there. */
export async function refuses(person: Person, body: Record<string, unknown>): Promise<void> {
  const answer = await person.client.post('/api/v1/statuses', { status: 'about it', ...body })
  assert.deepEqual([answer.status, answer.body], [404, { error: ABSENT }], JSON.stringify(body))
}

/** The types of somebody's notifications with the statuses that they are about, newest first. */
export async function newsOf(world: World, person: Person): Promise<[string, string | undefined][]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map(({ type, status }: { type: string; status?: { id: string } }) => [type, status?.id])
}
