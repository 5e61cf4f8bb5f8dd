// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Conversation } from '../../entities/conversation.ts'

const world = await openWorld()
after(world.close)

const PEOPLE = 4

const WRITING = ['say', 'say', 'say', 'say', 'say', 'edit', 'delete', 'read', 'unread', 'hide']
const RELATING = ['block', 'unblock', 'mute', 'unmute', 'quiet', 'loud']

const step = fc.record({
  action: fc.constantFrom(...WRITING, ...RELATING),
  who: fc.nat(PEOPLE - 1),
  whom: fc.nat(PEOPLE - 1),
  circle: fc.subarray(Array.from({ length: PEOPLE }, (_, n) => n)),
  pick: fc.nat(1_000),
  answers: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Message {
  id: string
  thread: string
  author: number
  /** Whom it names now, and whom it has ever named: these may read it. */
  named: Set<number>
  addressed: Set<number>
}

/** What one person has of a talk. */
interface Talk {
  thread: string
  others: number[]
  messages: Message[]
  unread: boolean
}

/** What the rules say, in plain words, beside what the server says. */
class Village {
  readonly people: Person[]
  readonly messages: Message[] = []
  readonly talks: Talk[][] = Array.from({ length: PEOPLE }, () => [])
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  readonly quiet = new Set<string>()
  edits = 0

  constructor(people: Person[]) {
    this.people = people
  }

  sees(viewer: number, { author, addressed }: Message): boolean {
    return viewer === author || (addressed.has(viewer) && !this.blocks.has(`${author} ${viewer}`))
  }

  wants(viewer: number, others: readonly number[]): boolean {
    return others.every((other) => !this.blocks.has(`${viewer} ${other}`) && !this.mutes.has(`${viewer} ${other}`))
  }

  /** `newcomers`: of an edit, who is named only now. */
  file(message: Message, newcomers?: Set<number>): void {
    const circle = [...new Set([message.author, ...message.named])]
    for (const person of circle) {
      const has = this.talks[person]!.some((talk) => talk.messages.includes(message))
      if (newcomers && !newcomers.has(person) && !has) continue
      const others = circle.filter((one) => one !== person).toSorted((a, b) => a - b)
      if (!this.sees(person, message) || !this.wants(person, others)) continue
      const talks = this.talks[person]!
      const home = talks.find((talk) => talk.thread === message.thread && String(talk.others) === String(others))
      if (home?.messages.includes(message)) continue
      const before = talks.find((talk) => talk.messages.includes(message))
      if (before) this.drop(person, message)
      const talk = home ?? { thread: message.thread, others, messages: [], unread: false }
      if (!home) this.talks[person]!.push(talk)
      talk.messages.push(message)
      if (message.author === person) talk.unread = false
      else if (!this.quiet.has(`${person} ${message.thread}`) && before?.unread !== false) talk.unread = true
    }
  }

  drop(person: number, message: Message): void {
    for (const talk of this.talks[person]!) talk.messages = talk.messages.filter((one) => one !== message)
    this.talks[person] = this.talks[person]!.filter((talk) => talk.messages.length > 0)
  }

  /** The last status of each, as far as it may be seen, the newest first. */
  shown(person: number): { talk: Talk; last: Message }[] {
    const place = (messages: readonly Message[]) =>
      messages.map((one) => BigInt(one.id)).reduce((a, b) => (a > b ? a : b))
    return this.talks[person]!.filter((talk) => this.wants(person, talk.others))
      .toSorted((a, b) => (place(a.messages) < place(b.messages) ? 1 : -1))
      .flatMap((talk) => {
        const seen = talk.messages.filter((one) => this.sees(person, one))
        const last = seen.find((one) => BigInt(one.id) === (seen.length > 0 ? place(seen) : -1n))
        return last ? [{ talk, last }] : []
      })
  }

  async act({ action, who, whom, circle, pick, answers }: Step): Promise<void> {
    const { client } = this.people[who]!
    const names = [...circle.map((one) => `@${this.people[one]!.username}`), `word${pick}`].join(' ')
    const readable = this.messages.filter((one) => this.sees(who, one))
    const message = readable[pick % (readable.length || 1)]
    const shown = this.shown(who)
    const chosen = shown[pick % (shown.length || 1)]
    const there = `${who} ${whom}`
    if (action === 'say') {
      const parent = answers ? message : undefined
      const body = { status: names, visibility: 'direct', ...(parent && { in_reply_to_id: parent.id }) }
      const answer = await client.post('/api/v1/statuses', body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const made = { id: answer.body.id, thread: parent?.thread ?? answer.body.id, author: who }
      const said = { ...made, named: new Set(circle), addressed: new Set(circle) }
      this.messages.push(said)
      this.file(said)
    } else if (action === 'edit' && message?.author === who) {
      const answer = await client.put(`/api/v1/statuses/${message.id}`, {
        status: `${names} again ${(this.edits += 1)}`,
      })
      assert.equal(answer.status, 200)
      const newcomers = new Set(circle.filter((one) => !message.named.has(one)))
      message.named = new Set(circle)
      for (const one of circle) message.addressed.add(one)
      this.file(message, newcomers)
    } else if (action === 'delete' && message?.author === who) {
      assert.equal((await client.delete(`/api/v1/statuses/${message.id}`)).status, 200)
      this.messages.splice(this.messages.indexOf(message), 1)
      for (const person of this.talks.keys()) this.drop(person, message)
    } else if (['read', 'unread', 'hide'].includes(action) && chosen) {
      const { body } = await client.get<Conversation[]>('/api/v1/conversations')
      const { id } = body.find((one) => one.last_status?.id === chosen.last.id)!
      const path = `/api/v1/conversations/${id}`
      const { status } = await (action === 'hide' ? client.delete(path) : client.post(`${path}/${action}`))
      assert.equal(status, 200)
      if (action === 'hide') this.talks[who] = this.talks[who]!.filter((talk) => talk !== chosen.talk)
      else chosen.talk.unread = action === 'unread'
    } else if ((action === 'quiet' || action === 'loud') && message) {
      const verb = action === 'quiet' ? 'mute' : 'unmute'
      assert.equal((await client.post(`/api/v1/statuses/${message.id}/${verb}`)).status, 200)
      if (action === 'quiet') this.quiet.add(`${who} ${message.thread}`)
      else this.quiet.delete(`${who} ${message.thread}`)
    } else if (['block', 'unblock', 'mute', 'unmute'].includes(action) && who !== whom) {
      const { status } = await client.post(`/api/v1/accounts/${this.people[whom]!.accountId}/${action}`)
      assert.equal(status, 200)
      if (action === 'block' && !this.blocks.has(there)) {
        this.talks[who] = this.talks[who]!.filter((talk) => !talk.others.includes(whom))
        this.blocks.add(there)
      }
      if (action === 'unblock') this.blocks.delete(there)
      if (action === 'mute') this.mutes.add(there)
      if (action === 'unmute') this.mutes.delete(there)
    }
    await world.settle()
  }

  async check(): Promise<void> {
    for (const [n, { client, accountId }] of this.people.entries()) {
      const { status, body } = await client.get<Conversation[]>('/api/v1/conversations?limit=40')
      assert.equal(status, 200)
      const found = body.map(({ accounts, last_status: last, unread }) => ({
        accounts: accounts.map((one) => one.id).toSorted(),
        last: last?.id,
        unread,
      }))
      const expected = this.shown(n).map(({ talk, last }) => ({
        accounts:
          talk.others.length === 0 ? [accountId] : talk.others.map((one) => this.people[one]!.accountId).toSorted(),
        last: last.id,
        unread: talk.unread,
      }))
      assert.deepEqual(found, expected)
    }
  }
}

test('whatever people write, edit, delete, mute and block, each has the conversations that the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30 }), async (steps) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, async () => world.createPerson()))
      const village = new Village(people)
      for (const one of steps) {
        await village.act(one)
        await village.check()
      }
    }),
    { numRuns: 20, interruptAfterTimeLimit: 90_000 },
  )
})
