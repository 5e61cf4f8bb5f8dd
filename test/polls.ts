import assert from 'node:assert/strict'
import type { Poll } from '../src/entities/poll.ts'
import type { Status } from '../src/entities/status.ts'
import type { Answer, Client } from './client.ts'
import { assertOnWire } from './wire.ts'
import type { Person } from './world.ts'

export type Question = Status & { poll: Poll }

export const POLL = { options: ['tea', 'coffee', 'water'], expires_in: 600 }

/** Posts a status with a poll: `POLL` with these changes. */
export async function ask({ client }: Person, poll: object = {}, more: object = {}): Promise<Question> {
  const body = { status: 'What shall it be?', poll: { ...POLL, ...poll }, ...more }
  const answer = await client.post('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertOnWire('Status', answer.body)
  return answer.body
}

export async function vote({ client }: Person, { poll }: { poll: Poll }, ...choices: unknown[]): Promise<Answer> {
  return client.post(`/api/v1/polls/${poll.id}/votes`, { choices })
}

/** A poll as somebody sees it. */
export async function look({ client }: { client: Client }, { poll }: { poll: Poll }): Promise<Poll> {
  const { status, body } = await client.get(`/api/v1/polls/${poll.id}`)
  assert.equal(status, 200)
  assertOnWire('Poll', body)
  return body
}

/** What a poll says in figures: of each option, of all, and of the people. */
export const figuresOf = ({ options, votes_count, voters_count }: Poll): unknown[] => [
  options.map((one) => one.votes_count),
  votes_count,
  voters_count,
]

/** What a refusal says. */
export const saysNo = ({ status, body }: Answer): unknown[] => [status, body.error]

/** What is said when a rule of polls is broken. */
export const broken = (rule: string): unknown[] => [422, `Validation failed: ${rule}`]
