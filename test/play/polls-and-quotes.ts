import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import type { Resident } from './pair.ts'
import { arrives, notices } from './seeing.ts'
import { step } from './step.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

/** What masto.js calls by its address, but has no type for. */
interface Revocable {
  quotes: { $select(id: string): { revoke(): Promise<Status> } }
}

/** What both servers say of a poll. */
const tallies = ({ poll }: Status) => poll && [poll.votesCount, ...poll.options.map((option) => option.votesCount)]

/** Between the servers: a vote and its count, a poll that is changed, a quote, and the end of the consent to it. */
export async function playPollsAndQuotes({
  author,
  reader,
  original,
  copy,
}: {
  author: Resident
  reader: Resident
  /** A public status of the author, and what the reader's server holds of it. */
  original: Status
  copy: Status
}): Promise<void> {
  const statusesOf = (who: Resident, { id }: Status) => who.api.v1.statuses.$select(id)
  const poll = { options: ['tea', 'coffee'], expiresIn: 3600 }
  const asked = await author.api.v1.statuses.create({ status: `a question of ${author.name}`, poll })
  const question = await arrives(reader, `a question of ${author.name}`)
  await reader.api.v1.polls.$select(question.poll!.id).votes.create({ choices: [1] })
  const agree = async (expected: number[]) => {
    for (const [who, status] of [
      [author, asked],
      [reader, question],
    ] as const) {
      await until(`${expected.join()} votes at the server of ${who.name}`, async () => {
        const told = tallies(await statusesOf(who, status).fetch())
        return JSON.stringify(told) === JSON.stringify(expected)
      })
    }
  }
  await agree([1, 0, 1])
  await assert.rejects(reader.api.v1.polls.$select(question.poll!.id).votes.create({ choices: [0] }))
  const options = ['tea', 'coffee', 'water']
  await statusesOf(author, asked).update({ status: `another question of ${author.name}`, poll: { ...poll, options } })
  await agree([0, 0, 0, 0])
  step(`${reader.name} votes and both servers count it; ${author.name} changes the poll, and both begin anew`)

  const quoting = await reader.api.v1.statuses.create({ status: `quoted by ${reader.name}`, quotedStatusId: copy.id })
  const { status: told } = await notices(author, 'quote', reader)
  const stateAt = (who: Resident, status: Status, state: string) =>
    until(`a quote that is ${state} at the server of ${who.name}`, async () => {
      const { quote } = await statusesOf(who, status).fetch()
      return quote?.state === state
    })
  await stateAt(reader, quoting, 'accepted')
  await stateAt(author, told!, 'accepted')
  assert.equal(told!.uri, quoting.uri)
  await (statusesOf(author, original) as unknown as Revocable).quotes.$select(told!.id).revoke()
  await stateAt(author, told!, 'revoked')
  await stateAt(reader, quoting, 'revoked')
  await statusesOf(reader, quoting).remove()
  await statusesOf(author, asked).remove()
  step(`${reader.name} quotes ${author.name}, who agrees and takes it back; both servers say so`)
}
