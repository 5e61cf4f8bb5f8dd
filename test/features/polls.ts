import assert from 'node:assert/strict'
import type { Poll } from '../../src/entities/statuses/poll.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import type { ClientResponse, Client } from '../http/client.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import type { TestUser } from '../servers/test-server.ts'

export type StatusWithPoll = Status & { poll: Poll }

export const POLL = { options: ['tea', 'coffee', 'water'], expires_in: 600 }

/** Posts a status with a poll: `POLL` with these changes. */
export async function postPoll({ client }: TestUser, poll: object = {}, more: object = {}): Promise<StatusWithPoll> {
  const body = { status: 'What shall it be?', poll: { ...POLL, ...poll }, ...more }
  const answer = await client.post('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertEntity('Status', answer.body)
  return answer.body
}

export async function vote(
  { client }: TestUser,
  { poll }: { poll: Poll },
  ...choices: unknown[]
): Promise<ClientResponse> {
  return client.post(`/api/v1/polls/${poll.id}/votes`, { choices })
}

/** Reads a poll as a client. */
export async function readPoll({ client }: { client: Client }, { poll }: { poll: Poll }): Promise<Poll> {
  const { status, body } = await client.get(`/api/v1/polls/${poll.id}`)
  assert.equal(status, 200)
  assertEntity('Poll', body)
  return body
}

/** Returns the counts of a poll: the votes of each option, all votes, and the voters. */
export const countsOf = ({ options, votes_count, voters_count }: Poll): unknown[] => [
  options.map((one) => one.votes_count),
  votes_count,
  voters_count,
]

/** Returns the status code and the error text of a response. */
export const errorOf = ({ status, body }: ClientResponse): unknown[] => [status, body.error]

/** Returns the expected `errorOf` of a poll that violates a rule. */
export const validationError = (rule: string): unknown[] => [422, `Validation failed: ${rule}`]
