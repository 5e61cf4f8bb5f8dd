// Slow: compares the server with a model over random sequences of actions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Conversation } from '../../entities/statuses/conversation.ts'

const testServer = await openTestServer()
after(testServer.close)

const ACCOUNTS = 4

const STATUS_ACTIONS = ['post', 'post', 'post', 'post', 'post', 'edit', 'delete', 'read', 'unread', 'remove']
const RELATIONSHIP_ACTIONS = ['block', 'unblock', 'mute', 'unmute', 'mute thread', 'unmute thread']

const step = fc.record({
  action: fc.constantFrom(...STATUS_ACTIONS, ...RELATIONSHIP_ACTIONS),
  actor: fc.nat(ACCOUNTS - 1),
  target: fc.nat(ACCOUNTS - 1),
  participants: fc.subarray(Array.from({ length: ACCOUNTS }, (_, n) => n)),
  pick: fc.nat(1_000),
  isReply: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Message {
  id: string
  thread: string
  author: number
  /** The accounts that are mentioned now, and all accounts that were ever mentioned, which may read the message. */
  mentioned: Set<number>
  addressed: Set<number>
}

/** A conversation of one account. */
interface ModelConversation {
  thread: string
  others: number[]
  messages: Message[]
  unread: boolean
}

/** The expected behaviour, as a second implementation of the rules. */
class Model {
  readonly users: TestUser[]
  readonly messages: Message[] = []
  readonly conversations: ModelConversation[][] = Array.from({ length: ACCOUNTS }, () => [])
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  readonly threadMutes = new Set<string>()
  edits = 0

  constructor(users: TestUser[]) {
    this.users = users
  }

  canSee(viewer: number, { author, addressed }: Message): boolean {
    return viewer === author || (addressed.has(viewer) && !this.blocks.has(`${author} ${viewer}`))
  }

  isListed(viewer: number, others: readonly number[]): boolean {
    return others.every((other) => !this.blocks.has(`${viewer} ${other}`) && !this.mutes.has(`${viewer} ${other}`))
  }

  /** `newParticipants`: the accounts that were added by an edit. */
  assign(message: Message, newParticipants?: Set<number>): void {
    const participants = [...new Set([message.author, ...message.mentioned])]
    for (const account of participants) {
      const isAssigned = this.conversations[account]!.some((conversation) => conversation.messages.includes(message))
      if (newParticipants && !newParticipants.has(account) && !isAssigned) continue
      const others = participants.filter((one) => one !== account).toSorted((a, b) => a - b)
      if (!this.canSee(account, message) || !this.isListed(account, others)) continue
      const conversations = this.conversations[account]!
      const existing = conversations.find(
        (conversation) => conversation.thread === message.thread && String(conversation.others) === String(others),
      )
      if (existing?.messages.includes(message)) continue
      const before = conversations.find((conversation) => conversation.messages.includes(message))
      if (before) this.remove(account, message)
      const conversation = existing ?? { thread: message.thread, others, messages: [], unread: false }
      if (!existing) this.conversations[account]!.push(conversation)
      conversation.messages.push(message)
      if (message.author === account) conversation.unread = false
      else if (!this.threadMutes.has(`${account} ${message.thread}`) && before?.unread !== false)
        conversation.unread = true
    }
  }

  remove(account: number, message: Message): void {
    for (const conversation of this.conversations[account]!)
      conversation.messages = conversation.messages.filter((one) => one !== message)
    this.conversations[account] = this.conversations[account]!.filter(
      (conversation) => conversation.messages.length > 0,
    )
  }

  /** Returns the listed conversations, each with its last visible status, the newest first. */
  listFor(account: number): { conversation: ModelConversation; last: Message }[] {
    const newestId = (messages: readonly Message[]) =>
      messages.map((one) => BigInt(one.id)).reduce((a, b) => (a > b ? a : b))
    return this.conversations[account]!.filter((conversation) => this.isListed(account, conversation.others))
      .toSorted((a, b) => (newestId(a.messages) < newestId(b.messages) ? 1 : -1))
      .flatMap((conversation) => {
        const visible = conversation.messages.filter((one) => this.canSee(account, one))
        const last = visible.find((one) => BigInt(one.id) === (visible.length > 0 ? newestId(visible) : -1n))
        return last ? [{ conversation, last }] : []
      })
  }

  async act({ action, actor, target, participants, pick, isReply }: Step): Promise<void> {
    const { client } = this.users[actor]!
    // The handle of an account that the author blocks is no mention.
    const mentioned = participants.filter((one) => !this.blocks.has(`${actor} ${one}`))
    const text = [...participants.map((one) => `@${this.users[one]!.username}`), `word${pick}`].join(' ')
    const readable = this.messages.filter((one) => this.canSee(actor, one))
    const message = readable[pick % (readable.length || 1)]
    const listed = this.listFor(actor)
    const chosen = listed[pick % (listed.length || 1)]
    const relation = `${actor} ${target}`
    if (action === 'post') {
      const parent = isReply ? message : undefined
      const body = { status: text, visibility: 'direct', ...(parent && { in_reply_to_id: parent.id }) }
      const response = await client.post('/api/v1/statuses', body)
      assert.equal(response.status, 200, JSON.stringify(response.body))
      const base = { id: response.body.id, thread: parent?.thread ?? response.body.id, author: actor }
      const created = { ...base, mentioned: new Set(mentioned), addressed: new Set(mentioned) }
      this.messages.push(created)
      this.assign(created)
    } else if (action === 'edit' && message?.author === actor) {
      const response = await client.put(`/api/v1/statuses/${message.id}`, {
        status: `${text} again ${(this.edits += 1)}`,
      })
      assert.equal(response.status, 200)
      const newParticipants = new Set(mentioned.filter((one) => !message.mentioned.has(one)))
      message.mentioned = new Set(mentioned)
      for (const one of mentioned) message.addressed.add(one)
      this.assign(message, newParticipants)
    } else if (action === 'delete' && message?.author === actor) {
      assert.equal((await client.delete(`/api/v1/statuses/${message.id}`)).status, 200)
      this.messages.splice(this.messages.indexOf(message), 1)
      for (const account of this.conversations.keys()) this.remove(account, message)
    } else if (['read', 'unread', 'remove'].includes(action) && chosen) {
      const { body } = await client.get<Conversation[]>('/api/v1/conversations')
      const { id } = body.find((one) => one.last_status?.id === chosen.last.id)!
      const path = `/api/v1/conversations/${id}`
      const { status } = await (action === 'remove' ? client.delete(path) : client.post(`${path}/${action}`))
      assert.equal(status, 200)
      if (action === 'remove')
        this.conversations[actor] = this.conversations[actor]!.filter(
          (conversation) => conversation !== chosen.conversation,
        )
      else chosen.conversation.unread = action === 'unread'
    } else if ((action === 'mute thread' || action === 'unmute thread') && message) {
      const endpoint = action === 'mute thread' ? 'mute' : 'unmute'
      assert.equal((await client.post(`/api/v1/statuses/${message.id}/${endpoint}`)).status, 200)
      if (action === 'mute thread') this.threadMutes.add(`${actor} ${message.thread}`)
      else this.threadMutes.delete(`${actor} ${message.thread}`)
    } else if (['block', 'unblock', 'mute', 'unmute'].includes(action) && actor !== target) {
      const { status } = await client.post(`/api/v1/accounts/${this.users[target]!.accountId}/${action}`)
      assert.equal(status, 200)
      if (action === 'block' && !this.blocks.has(relation)) {
        this.conversations[actor] = this.conversations[actor]!.filter(
          (conversation) => !conversation.others.includes(target),
        )
        this.blocks.add(relation)
      }
      if (action === 'unblock') this.blocks.delete(relation)
      if (action === 'mute') this.mutes.add(relation)
      if (action === 'unmute') this.mutes.delete(relation)
    }
    await testServer.waitForJobs()
  }

  async check(): Promise<void> {
    for (const [n, { client, accountId }] of this.users.entries()) {
      const { status, body } = await client.get<Conversation[]>('/api/v1/conversations?limit=40')
      assert.equal(status, 200)
      const found = body.map(({ accounts, last_status: last, unread }) => ({
        accounts: accounts.map((one) => one.id).toSorted(),
        last: last?.id,
        unread,
      }))
      const expected = this.listFor(n).map(({ conversation, last }) => ({
        accounts:
          conversation.others.length === 0
            ? [accountId]
            : conversation.others.map((one) => this.users[one]!.accountId).toSorted(),
        last: last.id,
        unread: conversation.unread,
      }))
      assert.deepEqual(found, expected)
    }
  }
}

test('after any sequence of actions, each account has the conversations that the model expects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30 }), async (steps) => {
      const users = await Promise.all(Array.from({ length: ACCOUNTS }, async () => testServer.createUser()))
      const model = new Model(users)
      for (const one of steps) {
        await model.act(one)
        await model.check()
      }
    }),
    { numRuns: 20, interruptAfterTimeLimit: 90_000 },
  )
})
