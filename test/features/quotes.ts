import assert from 'node:assert/strict'
import type { Client } from '../http/client.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

const ABSENT = 'The post you are trying to quote does not appear to exist.'

/** Posts a status, and returns the entity in the response. */
export async function post(user: TestUser, body: Record<string, unknown> = {}) {
  const answer = await user.client.post('/api/v1/statuses', { status: 'hello', ...body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertEntity('Status', answer.body)
  return answer.body
}

export async function readStatus(client: Client, id: string) {
  const { status, body } = await client.get(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  assertEntity('Status', body)
  return body
}

/** Returns the state of a status's quote for a client. */
export async function quoteStateFor(client: Client, id: string): Promise<string> {
  return (await readStatus(client, id)).quote.state
}

/** Checks that a quote is rejected as if the quoted status did not exist. */
export async function expectQuoteRejected(user: TestUser, body: Record<string, unknown>): Promise<void> {
  const answer = await user.client.post('/api/v1/statuses', { status: 'about it', ...body })
  assert.deepEqual([answer.status, answer.body], [404, { error: ABSENT }], JSON.stringify(body))
}

/** Returns the types of a user's notifications with the ids of their statuses, newest first. */
export async function notificationsOf(testServer: TestServer, user: TestUser): Promise<[string, string | undefined][]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map(({ type, status }: { type: string; status?: { id: string } }) => [type, status?.id])
}
