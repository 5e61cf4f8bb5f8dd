import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import type { ClientUser } from './server-pair.ts'
import { waitForStatus, waitForNotification } from './wait-for-client.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

/** An endpoint that masto.js can call but has no type for. */
interface QuoteRevocationApi {
  quotes: { $select(id: string): { revoke(): Promise<Status> } }
}

/** Returns the counts of votes in a poll: the total, then those of each option. */
const tallies = ({ poll }: Status) => poll && [poll.votesCount, ...poll.options.map((option) => option.votesCount)]

/** Tests between the servers: a vote and its count, an edit of the poll, a quote, and the withdrawal of its consent. */
export async function exchangePollsAndQuotes({
  author,
  reader,
  original,
  copy,
}: {
  author: ClientUser
  reader: ClientUser
  /** A public status of the author, and the copy on the reader's server. */
  original: Status
  copy: Status
}): Promise<void> {
  const statusesOf = (user: ClientUser, { id }: Status) => user.api.v1.statuses.$select(id)
  const poll = { options: ['tea', 'coffee'], expiresIn: 3600 }
  const created = await author.api.v1.statuses.create({ status: `a question of ${author.name}`, poll })
  const question = await waitForStatus(reader, `a question of ${author.name}`)
  await reader.api.v1.polls.$select(question.poll!.id).votes.create({ choices: [1] })
  const agree = async (expected: number[]) => {
    for (const [user, status] of [
      [author, created],
      [reader, question],
    ] as const) {
      await until(`${expected.join()} votes at the server of ${user.name}`, async () => {
        const seenTallies = tallies(await statusesOf(user, status).fetch())
        return JSON.stringify(seenTallies) === JSON.stringify(expected)
      })
    }
  }
  await agree([1, 0, 1])
  await assert.rejects(reader.api.v1.polls.$select(question.poll!.id).votes.create({ choices: [0] }))
  const options = ['tea', 'coffee', 'water']
  await statusesOf(author, created).update({ status: `another question of ${author.name}`, poll: { ...poll, options } })
  await agree([0, 0, 0, 0])
  logStep(
    `${reader.name} votes and both servers count it; ${author.name} changes the poll, and both servers reset the votes`,
  )

  const quoting = await reader.api.v1.statuses.create({ status: `quoted by ${reader.name}`, quotedStatusId: copy.id })
  const { status: notifiedStatus } = await waitForNotification(author, 'quote', reader)
  const stateAt = (user: ClientUser, status: Status, state: string) =>
    until(`a quote that is ${state} at the server of ${user.name}`, async () => {
      const { quote } = await statusesOf(user, status).fetch()
      return quote?.state === state
    })
  await stateAt(reader, quoting, 'accepted')
  await stateAt(author, notifiedStatus!, 'accepted')
  assert.equal(notifiedStatus!.uri, quoting.uri)
  await (statusesOf(author, original) as unknown as QuoteRevocationApi).quotes.$select(notifiedStatus!.id).revoke()
  await stateAt(author, notifiedStatus!, 'revoked')
  await stateAt(reader, quoting, 'revoked')
  await statusesOf(reader, quoting).remove()
  await statusesOf(author, created).remove()
  logStep(`${reader.name} quotes ${author.name}, who revokes the quote; both servers show the new state`)
}
